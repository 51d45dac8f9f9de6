"""Decisions in a report: what is said, the command that gives them again, and no single case."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibcore import ClassLens, Decisions, DiagnosisSpec, InputError, Predictions, TopKLens, decide
from calibcore.assessment.assess import assess
from calibcore.questions.decide import TARGET
from calibcore.questions.decide import words as deciding
from calibcore.report import Report, report_of, to_html
from calibcore.report.document import to_document
from calibcore.report.parts import answered
from calibcore.settings import lens_to_words
from tests.cli.commands import run
from tests.quick import survey

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
        answers=[decide(of, ILL)], **more,
    )  # fmt: skip


def test_a_report_says_what_decisions_are_worth() -> None:
    p = patients(400)
    found = decide(p, ILL)
    made = report(p, p)
    plate = made.plates[-1]
    assert plate.says.startswith(deciding.headline(found, "patient"))
    assert "That is through" in plate.says
    assert deciding.promise_sentence(found) in plate.says
    document = to_document(made)
    assert document["decisions"]["simultaneous_p_value"] == found.simultaneous_pvalue
    command = document["report"]["repeat_decisions"]["command"]
    assert command.startswith("caliblens decide PREDICTIONS --lens class:ill ")
    assert "--thresholds" not in command
    assert "What decisions at a threshold are worth" in to_html(made)
    with pytest.raises(InputError, match="of other predictions"):
        report(p, patients(400, seed=1))
    with pytest.raises(InputError, match="Two answers are about 'decisions'; a report holds one"):
        report_of(p, made.assessment, made.spec, title="x", date="2026-11-21", answers=[found, found])


def written(p: Predictions, folder: Path) -> Path:
    file = folder / "p.csv"
    rows = [
        ",".join([*map(repr, row), p.class_names[k]])
        for row, k in zip(p.probs.tolist(), p.labels, strict=True)
    ]
    file.write_text("\n".join([",".join([*p.class_names, "label"]), *rows]) + "\n")
    return file


def test_the_command_gives_the_same_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    p = patients(120)
    file = written(p, tmp_path)
    found = decide(p, replace(ILL, seed=3), [0.25, 0.4])
    part = answered(found, "a file")
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
    shown = found.without_cases()
    assert shown is not None
    kept = [60, *(one.treated.cases for one in shown.thresholds), 0]
    assert 0 < len(shown.thresholds) < len(counts)
    assert 1 not in np.abs(np.diff(kept))
    assert shown.simultaneous_pvalue == found.simultaneous_pvalue
    listed = [entry["threshold"] for entry in to_document(report(p, p))["decisions"]["thresholds"]]
    assert listed == [one.threshold for one in shown.thresholds]
    whole = to_document(report(p, p, with_rows=True))["decisions"]["thresholds"]
    assert len(whole) == len(counts)
    two = Predictions.from_arrays([[0.9, 0.1], [0.2, 0.8]], [0, 1], ["ill", "well"])
    assert answered(decide(two, ILL, [0.5]), "a file") is None
    assert answered(decide(two, ILL, [0.5]), "a file", with_rows=True) is not None


def of_command(capsys: pytest.CaptureFixture[str], file: Path, *words: str) -> dict[str, object]:
    out = file.with_name("report.json")
    code, _, err = run(capsys, "report", file, "--out", out, "--date", "2026-11-23", "--decisions", *words)
    assert code == 0, err
    document: dict[str, object] = json.loads(out.read_text())["decisions"]
    return document


@pytest.mark.slow
def test_the_command_puts_them_into_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Through the first lens of two outcomes; without one, all of two classes or the confidence of more."""
    p = patients(200)
    file = written(p, tmp_path)
    found = of_command(capsys, file, "--thresholds", "0.25,0.4", "--seed", "3")
    spec = DiagnosisSpec(seed=3)
    decided = decide(p, spec, [0.25, 0.4], target=TARGET)
    bare = decided.without_cases()
    assert bare is not None
    assert found == bare.to_document()
    made = json.loads(file.with_name("report.json").read_text())["report"]
    said = next(plate for plate in made["figures"] if plate["name"] == "decisions")["says"]
    for one in decided.thresholds:
        assert deciding.threshold_sentence(decided, one) in said
    assert "--thresholds 0.25,0.4" in made["repeat_decisions"]["command"]
    three = Predictions.from_arrays(
        np.random.default_rng(1).dirichlet(np.ones(3), 150), [0, 1, 2] * 50, ["a", "b", "c"]
    )
    file = written(three, tmp_path)
    assert of_command(capsys, file)["spec"]["lens"] == {"kind": "top-k", "k": 1}
    lenses = ("--lens", "canonical", "--lens", "set:0.8", "--lens", "class:b")
    of_sets = of_command(capsys, file, *lenses)
    assert of_sets["spec"]["lens"]["kind"] == "set"
    assert "The sets hold " in file.with_name("report.json").read_text()


def test_a_target_its_groups_and_another_prevalence_are_in_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As 'decide' finds them, with the command that finds them again."""
    p = patients(200)
    site = np.array(["north", "south"])[np.arange(p.n) % 2]
    rows = [f"{a},{b},{p.class_names[k]},{s}" for (a, b), k, s in zip(p.probs, p.labels, site, strict=True)]
    file = tmp_path / "sites.csv"
    file.write_text("\n".join([f"{','.join(p.class_names)},truth,site", *rows]))
    read = Predictions.from_arrays(p.probs, p.labels, p.class_names, metadata={"site": site})
    for lens, words, asked in (
        (
            TopKLens(1),
            "--target 0.7 --risk 0.2 --target-by site",
            {"target": 0.7, "risk": 0.2, "groups": "site"},
        ),
        (ILL.lens, "--target 0.8 --prevalence 0.1", {"target": 0.8, "prevalence": 0.1}),
    ):
        look = ("--lens", lens_to_words(lens), "--resamples", "199")
        document = of_command(capsys, file, *look, *words.split())
        found = Decisions.from_document(document)
        expected = decide(read, found.spec, **asked).without_cases()
        assert expected is not None
        assert expected.spec.lens == lens
        for key in ("guarantee", "by_group", "guarantee_at_prevalence", "rule_out_at_prevalence"):
            assert getattr(found, key) == getattr(expected, key)
        made = json.loads(file.with_name("report.json").read_text())["report"]
        assert words.replace("--target-by", "--by").split(" --")[-1] in made["repeat_decisions"]["command"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--thresholds", "0.2"), "ask for them by --decisions"),
        (("--target", "0.9"), "--target is of decisions; ask for them by --decisions"),
        (("--target-by", "site"), "--target-by is of decisions"),
        (("--decisions", "--risk", "0.1"), "--risk is of a target; say which by --target 0.95"),
        (("--decisions", "--target-by", "site"), "--target-by is of a target; say which by --target 0.95"),
        (("--decisions", "--thresholds", "a"), "expected numbers as in 0.2,0.5"),
        (("--decisions", "--thresholds", "1"), "expected a number above 0 and below 1"),
        (("--decisions", "--lens", "canonical"), "no --lens has two. Name one more: --lens class:a or"),
    ],
)
def test_what_no_report_can_decide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    file = written(
        Predictions.from_arrays(np.full((30, 3), 1 / 3), [0, 1, 2] * 10, ["a", "b", "c"]), tmp_path
    )
    out = tmp_path / "report.html"
    code, printed, err = run(capsys, "report", file, "--out", out, *words)
    assert (code, printed) == (2, "")
    assert sentence in err
    assert not out.exists()


def test_a_report_that_can_hold_none_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(
        Predictions.from_arrays([[0.9, 0.1], *[[0.2, 0.8]] * 29], [0] * 10 + [1] * 20, ["ill", "well"]),
        tmp_path,
    )
    words = ("report", file, "--out", tmp_path / "r.json", "--decisions", "--thresholds", "0.5")
    code, printed, _ = run(capsys, *words)
    assert code == 0
    assert "The report holds no decisions" in printed
    assert json.loads((tmp_path / "r.json").read_text()).get("decisions") is None
    assert "holds no decisions" not in run(capsys, *words, "--with-rows")[1]
    assert len(json.loads((tmp_path / "r.json").read_text())["decisions"]["thresholds"]) == 1
