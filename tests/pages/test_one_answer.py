"""App, command line and report say the same of the same file; only the user changes the lenses."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from calibcore import Diagnosis
from calibcore.__main__ import main
from calibcore.answers.survey import checks_table
from calibcore.assessment.assess import Assessment
from calibcore.assessment.defaults import default_lenses
from calibcore.assessment.rerun import repeatable
from calibcore.report.document import to_document
from calibcore.transforms.lenses import ClassLens, GroupsLens, TopKLens
from pages.ui import settings
from pages.ui.settings import Settings
from tests.pages.harness import (
    AS_PEOPLE_GET_IT,
    CSV,
    START,
    choose,
    displayed,
    lens_table,
    on_page,
    opened,
    press,
    said,
    settled,
    upload,
)

ADD, TAKE_OUT = "Add this lens to the survey", "Take it out again"
SEED = 3


def some_file(m: int, n: int = 160) -> str:
    """n cases of m classes, of which the first is said too often."""
    rng = np.random.default_rng(m)
    probs = rng.dirichlet(np.full(m, 0.8), size=n).round(4)
    probs[:, -1] = (1 - probs[:, :-1].sum(axis=1)).clip(0)
    truth = probs.copy()
    truth[:, 0] *= 0.5
    truth[:, -1] = 1 - truth[:, :-1].sum(axis=1)
    labels = (rng.random((n, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=m - 1)
    names = [f"c{k}" for k in range(m)]
    rows = [",".join([*(f"{p:.4f}" for p in row), names[y]]) for row, y in zip(probs, labels, strict=True)]
    return "\n".join([",".join([*names, "label"]), *rows]) + "\n"


def survey_of(app: AppTest) -> Assessment:
    (job,) = app.session_state["jobs"]["survey"].values()
    found: Assessment = job.future.result()
    return found


def numbers_of(document: dict[str, Any]) -> list[tuple[object, ...]]:
    """What a survey's document answers, lens by lens."""
    return [
        (
            entry["lens"], entry["p_value"], entry["adjusted_p_value"], entry["verdict"]["answer"],
            entry["verdict"]["small"], entry["verdict"]["typical_gap"]["value"],
            entry["verdict"]["smallest_detectable"], entry["diagnosis"]["calibration_error"]["ece"],
        )
        for entry in document["lenses"]
    ]  # fmt: skip


@pytest.mark.some(1)
@pytest.mark.parametrize("m", [2, 3, 10])
def test_app_command_line_and_report_give_the_same_answer(
    m: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some.csv"
    path.write_text(some_file(m), encoding="utf-8")
    assert main(["survey", str(path), "--seed", str(SEED), "--json"]) == 0
    surveyed = json.loads(capsys.readouterr().out)
    out = tmp_path / "report.json"
    assert main(["report", str(path), "--seed", str(SEED), "--date", "2026-11-21", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    reported = json.loads(out.read_text(encoding="utf-8"))

    asked = Settings(replace(settings.START, seed=SEED))
    session = opened("data", AS_PEOPLE_GET_IT, settings=asked)
    app = upload(session, "some.csv", path.read_text("utf-8"))
    app = on_page(app, "overview")
    found = survey_of(app)
    shared = on_page(app, "share")
    (job,) = shared.session_state["jobs"]["report"].values()

    expected = numbers_of(surveyed)
    assert len(expected) == {2: 2, 3: 5, 10: 12}[m]
    assert numbers_of(found.to_document()) == expected
    assert numbers_of(reported) == expected
    assert numbers_of(to_document(job.future.result())) == expected

    cells = checks_table(found.survey.diagnoses, found.verdicts).rows()
    names = ("Check", "Typical gap", "On balance", "Adjusted p", "Smallest detectable")
    app = on_page(shared, "overview")
    table = lens_table(app)
    rows = table[list(names)].to_dict("records")
    for row, cell, verdict in zip(rows, cells, table["Verdict"], strict=True):
        assert row == {name: cell[name] for name in names}
        assert list(verdict) == [cell["Verdict"]]
    said_in_report = next(t for t in reported["report"]["tables"] if t["name"] == "verdicts")["rows"]
    assert [{name: row[name] for name in names} for row in said_in_report] == rows
    assert reported["report"]["answer"] in said(app)
    assert reported["report"]["answer"] in printed
    assert reported["report"]["more"] in said(app)
    assert reported["report"]["more"] in printed


def on(page: str, app: AppTest) -> AppTest:
    return on_page(app, page)


def buttons(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


@pytest.mark.slow
def test_a_lens_outside_the_survey_has_no_verdict_until_the_user_adds_it() -> None:
    app = opened("overview", in_use="wine")
    before = survey_of(app)
    app = settled(choose(on("reliability", app), "Look at", "top-k"))
    assert survey_of(app) is before  # a page changes nothing
    for page in ("reliability", "tests"):
        app = on(page, app)
        assert "badge[" not in said(app)
        assert "The survey has no check of the 2 most likely classes" in said(app)
        assert "not adjusted" in said(app)
        assert ADD in buttons(app)
    app = settled(press(app, ADD))
    assert app.session_state["settings"].added == (TopKLens(2),)
    app = on("overview", app)
    assert len(lens_table(app)) == 6
    assert "The 2 most likely classes" in lens_table(app)["Check"].tolist()
    for page in ("reliability", "tests"):
        app = on(page, app)
        assert said(app).count("badge[") == 1
        assert ADD not in buttons(app)
    assert "You added this lens to the survey." in said(app)
    app = on("overview", settled(press(app, TAKE_OUT)))
    assert len(lens_table(app)) == 5
    app = on("overview", press(app, "Undo"))
    assert len(lens_table(app)) == 6


@pytest.mark.slow
def test_added_lenses_stay_in_the_report_and_are_repeated() -> None:
    app = opened("reliability", in_use="wine")
    app = settled(press(settled(choose(app, "Look at", "top-k")), ADD))
    app = on("share", app)
    (job,) = app.session_state["jobs"]["report"].values()
    document = to_document(job.future.result())
    lenses = repeatable(json.dumps(document)).lenses
    assert TopKLens(2) in lenses
    again = on("overview", opened("overview", in_use="wine", settings=Settings(START, lenses=lenses)))
    assert numbers_of(survey_of(again).to_document()) == numbers_of(document)


@pytest.mark.slow
def test_an_added_lens_is_looked_through_wherever_it_fits() -> None:
    pair = GroupsLens((("A", ("grower 1", "grower 2")), ("B", ("grower 3",))))
    app = opened("overview", in_use="wine", settings=Settings(START, added=(pair, TopKLens(2))))
    assert len(lens_table(app)) == 7
    app = settled(upload(on("data", app)))
    app = on("overview", app)
    parts = list(app.session_state["jobs"]["survey"].values())[-1].parts
    assert [part.spec.lens for part in parts if isinstance(part, Diagnosis)] == [
        *default_lenses(next(iter(app.session_state["models"].values())).predictions), TopKLens(2),
    ]  # fmt: skip


@pytest.mark.slow
def test_of_two_classes_one_class_is_the_whole() -> None:
    app = opened("overview", in_use="breast-cancer", settings=Settings(START, added=(ClassLens("benign"),)))
    assert len(lens_table(app)) == 2
    app = settled(choose(on("reliability", app), "Look at", "class"))
    assert said(app).count("badge[") == 1
    assert ADD not in buttons(app)


@pytest.mark.slow
def test_the_small_multiples_carry_the_surveys_p_and_verdicts() -> None:
    app = upload(opened("data", in_use="wine"), text=CSV)
    app = on("reliability", app)
    app.session_state["fold-multiples"] = True
    app = settled(settled(app.run()))
    of = survey_of(app)
    cells = {row["Check"]: row for row in checks_table(of.survey.diagnoses, of.verdicts).rows()}
    table = next(displayed(t) for t in app.dataframe if "Class" in t.value and "Adjusted p" in t.value)
    assert len(table) == 3
    for row in table.to_dict("records"):
        cell = cells[f"The class '{row['Class']}'"]
        assert row["Adjusted p"] == cell["Adjusted p"]
        assert row["Typical gap"] == cell["Typical gap"]
        assert row["Verdict"] in cell["Verdict"]
