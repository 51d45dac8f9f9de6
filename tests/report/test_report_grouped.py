"""Groups and time in a report: what is said, the commands that say it again, and no single case."""

import json
import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibcore import DiagnosisSpec, GroupSurvey, InputError, Monitoring, Predictions, monitor
from calibcore.answers.nouns import head_of
from calibcore.assessment.assess import assess
from calibcore.io import read
from calibcore.questions.groups import words as grouping
from calibcore.questions.monitor import words as monitoring
from calibcore.questions.monitor.says import MOST_ROWS
from calibcore.questions.monitor.words import UNNUMBERED
from calibcore.report import Report, report_of, to_html, to_json, to_pdf
from calibcore.report.parts import Part, answered
from tests.cli.commands import run
from tests.quick import survey, survey_groups

FAST = DiagnosisSpec(resamples=199)


def visits(n: int = 600, seed: int = 0, alone: int = 3) -> Predictions:
    """Sites A and B, the second off, and ``alone`` cases of a third; days, worse at the end."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(0.1, 0.9, n)
    site = np.where(np.arange(n) % 3 == 0, "B", "A").astype(object)
    site[5 : 5 + alone] = "ward-of-one-person"
    ill = rng.random(n) < q - 0.2 * (site == "B") - 0.15 * (np.arange(n) > n // 2)
    columns = {
        "site": site,
        "half": np.where(np.arange(n) < n // 2 + 1, "first", "second"),
        "day": np.array([f"{1 + i // 60 % 12:02}/{1 + i // 5 % 12:02}/2026" for i in range(n)], object),
        "number": np.arange(n),
    }
    probs = np.column_stack([q, 1 - q])
    return Predictions.from_arrays(probs, np.where(ill, 0, 1), ["ill", "well"], columns)


def report(p: Predictions, **more: Any) -> Report:
    assessment = assess(p, survey(p, FAST))
    return report_of(p, assessment, FAST, title="x", date="2026-11-21", noun="visit", **more)


def part_of(found: Any, origin: str = "a file", with_rows: bool = False) -> Part:
    part = answered(found, origin, with_rows=with_rows)
    assert part is not None
    return part


@pytest.mark.slow
def test_a_report_says_what_groups_and_time_come_to() -> None:
    p = visits()
    found = survey_groups(p, ["site", "half"], FAST, worst=True)
    watched = monitor(p, FAST, time="day", dates="month-first", window=60)
    assert watched.alarm is not None
    made = report(p, answers=[found, watched], dates="month-first")
    plates = {plate.name: plate for plate in made.plates}
    assert plates["groups"].says.startswith(grouping.headline(found.without_cases()))
    assert "Where it is worst: " in plates["groups"].says
    assert plates["monitoring"].says.startswith(monitoring.headline(watched, "visit"))
    document = json.loads(to_json(made))
    site = {entry["value"]: entry for entry in document["groups"]["groups"]}["B"]
    assert site["p_value"] == found.group("site", "B").pvalue
    assert document["monitoring"]["alarm"] == watched.alarm
    assert document["monitoring"]["p_value"] == watched.pvalue
    assert GroupSurvey.from_document(document["groups"]).global_pvalue == found.global_pvalue
    assert document["report"]["repeat_groups"]["command"] == (
        "caliblens groups PREDICTIONS --by site --by half --worst --dates month-first --lens canonical "
        "--binning uniform:10 --resamples 199 --seed 0"
    )
    assert document["report"]["repeat_monitoring"]["command"] == (
        "caliblens monitor PREDICTIONS --time day --window 60 --dates month-first --lens canonical "
        "--resamples 199 --seed 0"
    )
    assert "Group by group" in to_html(made)
    assert to_pdf(made).startswith(b"%PDF-")
    windows = next(table for table in made.tables if table.name == "windows")
    assert len(windows.rows) <= MOST_ROWS
    assert windows.rows[-1]["Visits"] == "541 to 600"


def test_what_is_of_other_predictions_is_refused() -> None:
    p, other = visits(), visits(seed=1)
    with pytest.raises(InputError, match="The groups are of other predictions"):
        report(p, answers=[survey_groups(other, ["half"], FAST)])
    with pytest.raises(InputError, match="The evidence in time is of other predictions"):
        report(p, answers=[monitor(other, FAST, time="number")])


@pytest.mark.slow
def test_the_command_line_writes_both_and_repeats_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    p = visits()
    file, out = tmp_path / "visits.csv", tmp_path / "report.json"
    names = ("site", "half", "day")
    rows = [
        f"{a!r},{b!r},{','.join(str(p.metadata[name][i]) for name in names)},{p.class_names[k]}"
        for i, ((a, b), k) in enumerate(zip(p.probs.tolist(), p.labels, strict=True))
    ]
    file.write_text("\n".join([f"ill,well,{','.join(names)},label", *rows]) + "\n")
    given = ("report", file, "--out", out, "--date", "2026-11-21", "--resamples", "199")
    asked = ("--by", "site", "--worst", "--time", "day", "--dates", "month-first")
    code, _, err = run(capsys, *given, *asked)
    assert (code, err.count("Traceback")) == (0, 0)
    document = json.loads(out.read_text())
    for part in ("groups", "monitoring"):
        words = document["report"][f"repeat_{part}"]["command"].split()[1:]
        code, said, _ = run(capsys, *(str(file) if word == file.name else word for word in words), "--json")
        assert code == 0
        again = json.loads(said)
        name = {"groups": "global_p_value", "monitoring": "last_log_evidence"}[part]
        assert again[name] == document[part][name]
    of_file = read(file).predictions
    assert (
        document["groups"]["worst"]["score"] == survey_groups(of_file, ["site"], FAST, worst=True).worst.score
    )  # type: ignore[union-attr]
    for words, sentence in (
        (("--worst",), "--worst searches the columns of --by"),
        (("--by", "ward"), "There is no column 'ward'"),
        (("--time", "day"), "Say so by --dates day-first or --dates month-first."),
    ):
        code, said, err = run(capsys, *given, *words)
        assert (code, said) == (2, "")
        assert sentence in err


@pytest.mark.some(1)
@pytest.mark.parametrize("alone", [1, 3])
def test_no_case_of_a_small_group_can_be_taken_from_it(alone: int) -> None:
    """Its name and number are left out, and of its column all counts, which tell of it by a difference."""
    p = visits(alone=alone)
    found = survey_groups(p, ["site", "half"], FAST)
    made = report(p, answers=[found])
    for text in (to_json(made), to_html(made)):
        assert "ward-of-one-person" not in text
        assert "1 group not tested: fewer than 20 visits." in text
        assert "what is left of it is fewer than 20 visits." in text
    document = json.loads(to_json(made))["groups"]
    shown = {entry["value"]: entry for entry in document["groups"]}
    assert set(shown) == {"A", "B", "first", "second"}
    for value in ("A", "B"):
        assert shown[value]["n"] is None
        assert "n" not in shown[value]["verdict"]
        assert shown[value]["verdict"]["frequencies"] == []
        assert shown[value]["verdict"]["typical_gap"] is not None
    assert shown["first"]["verdict"]["frequencies"]
    again = GroupSurvey.from_document(document)
    assert again.to_json() == json.dumps(document)
    (row,) = [row for row in next(t for t in made.tables if t.name == "groups").rows if row["Group"] == "B"]
    assert (row[grouping.NET_GAP], row[head_of("Cases", made.noun)]) == ("–", "–")
    assert row[grouping.TYPICAL_GAP] != "–"
    whole = json.loads(to_json(report(p, answers=[found], with_rows=True)))["groups"]["groups"]
    assert "ward-of-one-person" in {entry["value"] for entry in whole}


def test_of_sets_that_differ_by_few_cases_one_has_no_counts() -> None:
    p = visits(400, alone=0)
    for few, kept in ((1, ["other"]), (19, ["other"]), (20, [])):
        other = p.metadata["half"].copy()
        other[-few:] = "first"
        found = survey_groups(
            replace(p, metadata=dict(p.metadata) | {"other": other}), ["half", "other"], FAST
        )
        assert list(found.kept_back or {}) == kept
        told = {g.column for g in found.without_cases().groups if g.verdict and g.verdict.frequencies}
        assert told == {"half", "other"} - {*kept}
    months = survey_groups(p, ["half", "day"], FAST, dates="month-first")
    part = part_of(months.beside(["day"])).document
    assert {entry["column"]: entry["n"] is None for entry in part["groups"]} == {"half": False, "day": True}


@pytest.mark.parametrize("n", [201, 260, 402])
def test_no_step_of_the_evidence_tells_one_case(n: int) -> None:
    p = visits(n)
    found = monitor(p, FAST, time="number", window=40)
    shown = found.without_cases()
    cases = [0, *shown.evidence.cases, n]
    assert 1 not in np.diff(cases)
    assert min(np.diff(cases[:-2])) >= 20
    assert n - shown.windows.kept[-1].last not in range(1, 20)
    assert shown.pvalue == found.pvalue
    assert set(shown.point_times) == set(shown.evidence.cases)
    document = part_of(found, "a file").document
    assert document["case"] == shown.evidence.cases
    assert part_of(found, "a file", with_rows=True).document["case"] == list(range(1, n + 1))


@pytest.mark.parametrize(("n", "window"), [(201, 20), (230, 20), (205, 30), (245, 40), (260, 60)])
def test_no_windows_tell_of_few_cases_by_a_difference(n: int, window: int) -> None:
    """Whatever is added and subtracted of windows and all cases, stretches of 20 cases stay together."""
    found = monitor(visits(n), FAST, time="number", window=window)
    kept = found.without_cases().windows.kept
    assert kept
    edges = sorted({0, n, *(one.first - 1 for one in kept), *(one.last for one in kept)})
    assert min(np.diff(edges)) >= 20
    assert len(kept) < len(found.windows.kept) or window >= 40


def test_an_outcome_of_probability_0_has_no_number() -> None:
    p = visits(300)
    probs, labels = p.probs.copy(), p.labels.copy()
    probs[233], labels[233] = (0.0, 1.0), 0
    found = monitor(Predictions.from_arrays(probs, labels, p.class_names, p.metadata), FAST, window=40)
    assert found.stopped == 234
    part = part_of(found, "a file")
    assert part.plates[0].says.startswith(UNNUMBERED)
    assert (part.document["stopped"], part.document["data"]["n"]) == (None, None)
    assert not re.search(
        r"\b23[34]\b", json.dumps([part.document, part.plates[0].says, *map(asdict, part.tables)])
    )
    assert "case 234" in part_of(found, "a file", with_rows=True).plates[0].says


def test_what_goes_on_from_a_state_says_so() -> None:
    p = visits()
    first, second = (p.with_rows(np.arange(*ends)) for ends in ((0, 300), (300, 600)))
    found = monitor(second, FAST, time="number", state=monitor(first, FAST, time="number"))
    repeat = part_of(found, "a file").repeat
    assert repeat.words[-2:] == ("--seed", "0")
    assert "--state STATE" in repeat.command
    assert "STATE stands for the state after 1 earlier file." in repeat.notes
    order = Monitoring.from_state(monitor(p, FAST).to_state())
    assert "--time order" in part_of(order, "a file").repeat.command
    named = replace(p, metadata={"order": p.metadata["number"], "a\0b": p.metadata["half"]})
    assert "--time column:order" in part_of(monitor(named, FAST, time="order"), "").repeat.command
    untyped = part_of(survey_groups(named, ["a\0b"], FAST)).repeat
    assert "--by COLUMN" in untyped.command
    assert "COLUMN stands for a name that cannot be typed." in untyped.notes
