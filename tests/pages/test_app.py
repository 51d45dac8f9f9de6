"""Every page in Streamlit's own test harness: what is shown, and that nothing fails."""

import pytest

from calibcore.data.examples import EXAMPLES
from calibcore.transforms.lenses import CanonicalLens, ClassLens, Lens
from tests.pages.harness import (
    AS_PEOPLE_GET_IT,
    choose,
    lens_table,
    numbers,
    on_page,
    opened,
    press,
    said,
    settled,
)


def test_the_first_look_is_an_answer_without_a_click() -> None:
    app = opened(begin=AS_PEOPLE_GET_IT)
    assert app.title[0].value == "Can these probabilities be believed?"
    assert "## Too unsure, clearest where it says " in said(app)
    assert " to 100\N{NO-BREAK SPACE}%." in said(app)
    assert "There it was right in 168 of 168 images. If calibrated," in said(app)
    assert ":red-badge[:material/close: Miscalibrated]" in said(app)
    assert "All probabilities together are typically 21.2 points off" in said(app)
    assert len(lens_table(app)) == 12
    assert "All 12 checks found a problem" in said(app)
    assert not app.error


@pytest.mark.some(1)
@pytest.mark.parametrize("key", [example.key for example in EXAMPLES])
def test_every_example_can_be_looked_at(key: str) -> None:
    app = opened("reliability", in_use=key)
    assert not app.error
    assert not on_page(app, "simplex").error


@pytest.mark.some(1)
@pytest.mark.parametrize("key", ["wine", "breast-cancer", "w19-m2"])
def test_the_overview_surveys_two_three_and_ten_classes(key: str) -> None:
    app = opened(in_use=key)
    assert len(lens_table(app)) == {"wine": 5, "breast-cancer": 2, "w19-m2": 12}[key]


def test_two_classes_are_a_line_and_an_example_with_a_triangle_is_one_click_away() -> None:
    app = opened("simplex", in_use="breast-cancer")
    assert "With two classes the triangle is a line, and this diagram shows all of it." in said(app)
    assert len(app.get("plotly_chart")) == 1
    app = press(app, "Wines of three growers")
    assert app.session_state["in-use"] == "wine"
    assert "stand out, adjusted for their number" in said(app)


def test_of_many_classes_first_and_second_choice_stand_there_at_once() -> None:
    app = settled(opened("simplex"))
    assert "This page shows the 2 most likely classes. Other pages look at confidence" in said(app)
    assert "'1st' happens 25.1 points more often than predicted" in said(app)


def test_another_lens_shows_other_numbers() -> None:
    app = opened("tests")
    before = numbers(app)
    assert set(before) == {"Typical gap", "Bins outside", "Omnibus test"}
    assert numbers(settled(choose(app, "Look at", "class"))) != before


@pytest.mark.some(1)
@pytest.mark.parametrize("kind", ["equal-mass", "median-variance", "mean-variance"])
def test_every_binning_can_be_chosen(kind: str) -> None:
    app = opened("tests")
    before = numbers(app)["Bins outside"]
    assert numbers(settled(choose(app, "Bins", kind)))["Bins outside"] != before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "lens", "page", "questions"),
    [
        ("w19-m2", ClassLens("1"), "Where do the probabilities hold?", set()),
        ("v19-table-1", CanonicalLens(), "Which way do the probabilities lean?", set()),
        ("clinic", CanonicalLens(), "Where do the probabilities hold?", {"For whom?", "Since when?"}),
    ],
)
def test_every_question_after_the_verdict_is_one_click_away_and_keeps_the_lens(
    key: str, lens: Lens, page: str, questions: set[str]
) -> None:
    app = opened(in_use=key)
    always = {"Where is it off?", "Could it be chance?", "Would recalibration help?"}
    worth = {"Is it worth acting on?", "Is another model better?"}
    asked = {b.label: b for b in app.button if str(b.key).startswith("next-")}
    assert set(asked) == always | worth | questions
    app = asked["Where is it off?"].click().run()
    assert app.title[0].value == page
    assert app.session_state["settings"].spec.lens == lens
    titles = {
        "Would recalibration help?": "What would recalibration do?",
        "Since when?": "Is it still calibrated?",
    }
    for words in titles.keys() & asked.keys():
        on_tests = on_page(app, "tests")
        app = press(on_tests, words)
        assert app.title[0].value == titles[words]
        assert app.session_state["settings"].spec.lens == lens


@pytest.mark.slow
def test_a_class_found_by_its_name_opens_its_diagram() -> None:
    app = opened(in_use="w19-m2")
    box = next(box for box in app.selectbox if box.label == "Look at one class")
    assert box.options == [str(k + 1) for k in range(10)]
    app = box.set_value("7").run()
    assert app.title[0].value == "Where do the probabilities hold?"
    assert app.session_state["settings"].spec.lens == ClassLens("7")
    back = on_page(app, "overview")
    assert back.title[0].value == "Can these probabilities be believed?"


def test_predictions_all_alike_are_tested_whatever_the_bandwidth() -> None:
    app = opened("tests", in_use="v19-table-1")
    assert float(numbers(app)["Omnibus test"].split()[-1]) > 0.05
    assert not app.info


@pytest.mark.slow
def test_a_narrow_bandwidth_is_said_beside_the_test() -> None:
    app = opened("tests", in_use="breast-cancer")
    assert "nearly alike" in app.warning[0].value
    assert not settled(choose(app, "Bandwidth", "mean")).warning


def test_the_welcome_is_said_once() -> None:
    app = opened(in_use="wine")
    assert "New here?" in said(app)
    app = press(app, "Got it")
    assert "New here?" not in said(app)
    assert "New here?" not in said(app.switch_page("../tests.py").run().switch_page("../overview.py").run())


def test_three_classes_open_at_once() -> None:
    app = opened("simplex", in_use="wine")
    assert "Strongest arrow: in its " in said(app)
    assert not any(button.label == "All three classes" for button in app.button)
