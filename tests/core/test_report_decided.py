"""Decisions in a report: what is said, the command that gives them again, and no single case."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibcore import ClassLens, DiagnosisSpec, InputError, Predictions, decide, survey
from calibcore.assessment.assess import assess
from calibcore.report import Report, report_of, to_html
from calibcore.report.decided import decided_part, without_cases
from calibcore.report.document import to_document
from calibcore.words import deciding
from tests.core.commands import run

ILL = DiagnosisSpec(lens=ClassLens("ill"))


def patients(n: int, seed: int = 0) -> Predictions:
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 2, n)
    return Predictions.from_arrays(
        np.column_stack([p, 1 - p]), (rng.random(n) > p).astype(int), ["ill", "well"]
    )


def report(p: Predictions, of: Predictions, **more: bool) -> Report:
    assessment = assess(p, survey(p, DiagnosisSpec(resamples=199)))
    return report_of(
        p, assessment, DiagnosisSpec(), title="x", date="2026-11-21", noun="patient",
        decisions=decide(of, ILL), **more,
    )  # fmt: skip


def test_a_report_says_what_decisions_are_worth() -> None:
    p = patients(400)
    found = decide(p, ILL)
    made = report(p, p)
    plate = made.plates[-1]
    assert plate.says.startswith(deciding.headline(found))
    assert "That is at a threshold of" in plate.says
    document = to_document(made)
    assert document["decisions"]["simultaneous_p_value"] == found.simultaneous_pvalue
    command = document["report"]["repeat_decisions"]["command"]
    assert command.startswith("caliblens decide PREDICTIONS --lens class:ill ")
    assert "--thresholds" not in command
    assert "What decisions at a threshold are worth" in to_html(made)
    with pytest.raises(InputError, match="of other predictions"):
        report(p, patients(400, seed=1))


def test_the_command_gives_the_same_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    p = patients(120)
    file = tmp_path / "p.csv"
    rows = [f"{a!r},{b!r},{p.class_names[k]}" for (a, b), k in zip(p.probs.tolist(), p.labels, strict=True)]
    file.write_text("\n".join(["ill,well,label", *rows]) + "\n")
    found = decide(p, replace(ILL, seed=3), [0.25, 0.4])
    part = decided_part(found, "a file")
    assert part is not None
    words = part.repeat.command.split()[1:]
    assert "--thresholds" in words
    code, out, _ = run(capsys, *(str(file) if word == "PREDICTIONS" else word for word in words), "--json")
    assert code == 0
    assert f'"simultaneous_p_value": {found.simultaneous_pvalue}' in out


def test_no_probability_of_one_case_can_be_taken_from_it() -> None:
    p = patients(60)
    found = decide(p, ILL)
    counts = [one.treated.cases for one in found.thresholds]
    assert 1 in np.abs(np.diff(counts))  # else nothing is left out
    shown = without_cases(found)
    kept = [60, *(one.treated.cases for one in shown.thresholds), 0]
    assert 0 < len(shown.thresholds) < len(counts)
    assert 1 not in np.abs(np.diff(kept))
    assert shown.simultaneous_pvalue == found.simultaneous_pvalue
    listed = [entry["threshold"] for entry in to_document(report(p, p))["decisions"]["thresholds"]]
    assert listed == [one.threshold for one in shown.thresholds]
    whole = to_document(report(p, p, with_rows=True))["decisions"]["thresholds"]
    assert len(whole) == len(counts)
    two = Predictions.from_arrays([[0.9, 0.1], [0.2, 0.8]], [0, 1], ["ill", "well"])
    assert decided_part(decide(two, ILL, [0.5]), "a file") is None
    assert decided_part(decide(two, ILL, [0.5]), "a file", with_rows=True) is not None
