"""Verdicts on the pages: each answer, under way and done, weighted, refused, two classes, one case."""

import threading
import time
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from calibcore.transforms.lenses import CanonicalLens, ClassLens, RegionLens, TopKLens
from pages.ui import settings
from pages.ui.overview import survey_table
from pages.ui.settings import Settings
from pages.work import studies
from tests.pages.harness import (
    AS_PEOPLE_GET_IT,
    CSV,
    QUICK,
    START,
    choose,
    lens_table,
    on_page,
    opened,
    said,
    settled,
    upload,
)

SAID = {"cannot-tell": "orange-badge[:material/question_mark: Cannot tell]"}
SAID["consistent"] = "green-badge[:material/check: Consistent with calibration]"
SAID["miscalibrated"] = "red-badge[:material/close: Miscalibrated]"
FAIR = [(0.8, "well")] * 16 + [(0.8, "ill")] * 4 + [(0.2, "well")] * 4 + [(0.2, "ill")] * 16
WRONG = [(0.9, "well")] * 20 + [(0.9, "ill")] * 20


def table(cases: list[tuple[float, str]], more: str = "", of_each: str = "") -> str:
    rows = [f"{p:.2f},{1 - p:.2f},{label}{of_each}" for p, label in cases]
    return "\n".join([f"well,ill,label{more}", *rows]) + "\n"


def overview(text: str, tolerance: float = 0.05, begin: dict[str, object] = QUICK) -> AppTest:
    start = settings.START if begin is AS_PEOPLE_GET_IT else START
    app = opened("data", begin, in_use="wine", settings=Settings(replace(start, tolerance=tolerance)))
    return settled(upload(app, text=text).switch_page("../overview.py").run())


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("cases", "tolerance", "answer", "sentence"),
    [
        (FAIR, 0.05, "cannot-tell", "Too few cases to tell: errors of up to "),
        (
            FAIR,
            0.6,
            "consistent",
            "No sign of miscalibration. The typical gap of the class 'ill' is at most",
        ),
        (WRONG, 0.05, "miscalibrated", "Too sure, clearest where it says 90"),
    ],
)
def test_each_answer_stands_first_with_its_chip(
    cases: list[tuple[float, str]], tolerance: float, answer: str, sentence: str
) -> None:
    app = overview(table(cases), tolerance)
    words = said(app)
    assert SAID[answer] in words
    assert not any(other in words for name, other in SAID.items() if name != answer)
    first = next(m.value for m in app.markdown if m.value.startswith("## ")).replace("\\", "")
    assert sentence in first
    assert "subgroups of these cases" in words
    assert len(lens_table(app)) == 2
    assert not app.error


@pytest.mark.slow
def test_the_tolerance_is_a_setting_that_needs_no_new_survey() -> None:
    app = overview(table(FAIR))
    before = next(iter(app.session_state["jobs"]["survey"].values()))
    next(n for n in app.number_input if n.label == "Tolerance, in points").set_value(50.0).run()
    assert SAID["consistent"] in said(app)
    assert app.session_state["settings"].spec.tolerance == 0.5
    assert list(app.session_state["jobs"]["survey"].values()) == [before]
    next(b for b in app.button if b.label == "Undo").click().run()
    assert SAID["cannot-tell"] in said(app)


@pytest.mark.slow
def test_the_verdict_on_the_lens_in_use_follows_to_other_pages_and_begins_nothing() -> None:
    app = opened("reliability", in_use="breast-cancer")
    assert "badge[" not in said(app)
    assert "survey" not in app.session_state["jobs"]
    app = on_page(app, "overview")
    for page in ("reliability", "tests"):
        app = on_page(app, page)
        assert said(app).count("badge[") == 1
        assert any(f":{chip}" in said(app) for chip in SAID.values())
    verdicts = []
    for lens in ("canonical", "class"):
        next(box for box in app.selectbox if box.label == "Look at").select(lens).run()
        verdicts.append([line for line in said(settled(app)).splitlines() if "badge[" in line])
    assert verdicts[0] == verdicts[1] != []  # of two classes, one says all about the other


@pytest.mark.slow
def test_repeated_cases_are_said_beside_a_verdict_once() -> None:
    patients = table(WRONG, ",patient", ",p1")
    app = overview(patients)
    warning = "come from 1 different value of 'patient'"
    assert said(app).count(warning) == 1
    for page in ("reliability", "tests"):
        app = on_page(app, page)
        assert "badge[" in said(app)
        assert said(app).count(warning) == 1


@pytest.mark.slow
def test_rows_come_before_the_verdicts_and_the_work_has_words(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, original = threading.Event(), studies.assess

    def slow(*args: object) -> object:
        assert go_on.wait(30)
        return original(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(studies, "assess", slow)
    app = upload(opened("data", in_use="wine"), text=table(FAIR)).switch_page("../overview.py").run()
    job = next(iter(app.session_state["jobs"]["survey"].values()))
    until = time.monotonic() + 30
    while len(job.parts) < 2 and time.monotonic() < until:
        time.sleep(0.02)
    app.run()
    assert "badge[" not in said(app)
    assert [list(cell) for cell in lens_table(app)["Verdict"]] == [["…"], ["…"]]
    assert "right 80.0\N{NO-BREAK SPACE}% of the time (32 of 40 cases, 95" in said(app)
    assert any(button.label == "Stop" for button in app.button)
    go_on.set()
    app = settled(app)
    assert SAID["cannot-tell"] in said(app)
    assert "…" not in str(lens_table(app)["Verdict"].tolist())


def test_weighted_cases_have_no_verdict_and_are_told_why() -> None:
    text = "well,ill,label,weight\n" + "0.8,0.2,well,1\n0.3,0.7,ill,2\n0.6,0.4,ill,3\n" * 8
    app = upload(opened("data", in_use="wine"), text=text)
    choose(app, "Column with weights", "weight")
    for page in ("reliability", "tests", "overview"):
        app = on_page(app, page)
        assert "badge[" not in said(app)
        assert "By weight, the model is " in said(app)
    assert "no tests and no verdict" in said(app)


@pytest.mark.parametrize(("name", "first"), [("cat", "Check"), ("x" * 28, "Verdict")])
@pytest.mark.slow
def test_a_long_name_does_not_hide_the_verdict_on_a_phone(name: str, first: str) -> None:
    app = overview(CSV.replace("cat", name))
    survey = next(table for table in app.dataframe if "Check" in table.value)
    assert survey.proto.column_order[0] == first


def test_where_one_cannot_tell_the_interval_how_many_cases_and_what_not_to_conclude_stand_first() -> None:
    app = overview(table(FAIR), begin=AS_PEOPLE_GET_IT)
    assert "## Too few cases to tell: errors of up to " in said(app)
    assert "classes · 2 checks" in said(app)
    assert "confidence in the answer, " not in said(app)
    assert [box.label for box in app.selectbox if box.label == "Look at"] == []
    folds = [fold.label for fold in app.main.expander]
    assert "How many cases would tell?" not in folds
    (plan,) = (b for b in app.button if b.label == "How many cases would tell?")
    assert plan.proto.type == "primary"  # one step is recommended
    assert {b.proto.type for b in app.button if str(b.key).startswith("next-")} == {"tertiary"}
    assert "Not that the model is calibrated." in said(app)
    assert "Until then take the percentages as unchecked, neither right nor wrong." in said(app)
    assert "Valid only if the model was not trained, tuned or recalibrated on these cases" in said(app)
    sure = overview(table(WRONG), begin=AS_PEOPLE_GET_IT)
    (plan,) = (b for b in sure.button if b.label == "How many cases would tell?")
    assert plan.proto.type == "secondary"
    first, *others = (b for b in sure.button if str(b.key).startswith("next-"))
    assert first.label == "Would recalibration help?"
    assert first.proto.type == "primary"
    assert {b.proto.type for b in others} == {"tertiary"}
    assert "Not that the model is useless." in said(sure)
    assert "Do not take the percentages at face value as long as this is not mended." in said(sure)


def test_two_cases_cannot_tell() -> None:
    app = overview(table(FAIR[:2]))
    assert SAID["cannot-tell"] in said(app)
    assert "## Too few cases to tell." in said(app)
    assert "In 2 cases even the largest uneven error (" in said(app)
    assert "Collect more cases with known outcomes." in said(app)
    assert "in all to see" not in said(app)
    assert not app.error


def test_one_case_is_no_verdict_but_everything_else_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    one = RegionLens(TopKLens(1), "well", 0.95, 1.0)
    monkeypatch.setattr(survey_table, "lenses", lambda data: (one,))
    app = overview(table([*FAIR, (0.99, "well")]))
    assert "badge[" not in said(app)
    assert "Working through every check is not possible" in said(app)
    assert not app.error


def test_a_lens_that_was_refused_is_named_and_the_others_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    one = [*FAIR, (0.99, "well")]
    region = RegionLens(CanonicalLens(), "well", 0.95, 1.0)
    monkeypatch.setattr(survey_table, "lenses", lambda data: (TopKLens(1), region, ClassLens("well")))
    app = overview(table(one))
    assert len(lens_table(app)) == 2
    assert "region:well:0.95:1" in said(app)
    assert SAID["cannot-tell"] in said(app)


def test_classes_are_told_in_natural_frequencies() -> None:
    app = overview(table(FAIR))
    assert (
        "Of 20 cases that the model calls 'well', 16 are. It was 80\N{NO-BREAK SPACE}% sure on average."
        in said(app)
    )
    assert "Of 20 cases that are 'ill', it calls 16 'ill'." in said(app)
    frames = [list(found.value.columns) for found in app.dataframe]
    assert [
        "Class",
        "Model's answer",
        "Of these right",
        "Sure on average",
        "Happened",
        "Of these found",
    ] in frames
