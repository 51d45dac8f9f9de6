"""Every page in Streamlit's own test harness: what is shown, and that nothing fails."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from calibcore.examples import EXAMPLES

MAIN = str(Path(__file__).parents[2] / "pages" / "ui" / "main.py")


def opened() -> AppTest:
    """A fresh session on the start page, its tests done."""
    return settled(AppTest.from_file(MAIN, default_timeout=60).run())


def settled(app: AppTest) -> AppTest:
    """Run until the background work is shown; fails on any exception on the way."""
    for job in app.session_state["diagnosis_jobs"].values():
        if not job.stop.is_set():
            job.future.exception(timeout=60)
    app.run()
    assert not app.exception, app.exception
    return app


def choose(app: AppTest, label: str, value: object) -> AppTest:
    """Choose an option by the label of its select box."""
    return next(box for box in app.selectbox if box.label == label).select(value).run()


def numbers(app: AppTest) -> dict[str, str]:
    """What the metrics say."""
    return {metric.label: metric.value for metric in app.metric}


def test_the_first_look_is_a_diagnosis_without_a_click() -> None:
    app = opened()
    assert app.title[0].value == "Can these probabilities be believed?"
    assert "1,047 of 1,079 images" in app.markdown[0].value.replace("\\", "")
    assert numbers(app)["Kernel test"] == "p = 0.001"
    assert not app.error


@pytest.mark.parametrize("lens", ["top-k", "top-more", "class", "canonical", "groups"])
def test_every_lens_can_be_looked_through(lens: str) -> None:
    app = settled(choose(opened(), "Look at", lens))
    assert set(numbers(app)) == {"Average gap (ECE)", "Bins outside", "Kernel test"}
    assert not app.error


def test_another_lens_shows_other_numbers() -> None:
    app = opened()
    before = numbers(app)
    assert numbers(settled(choose(app, "Look at", "class"))) != before


@pytest.mark.parametrize("kind", ["equal-mass", "median-variance", "mean-variance"])
def test_every_binning_can_be_chosen(kind: str) -> None:
    app = opened()
    before = numbers(app)["Bins outside"]
    assert numbers(settled(choose(app, "Bins", kind)))["Bins outside"] != before


@pytest.mark.parametrize("key", [example.key for example in EXAMPLES])
def test_every_example_can_be_looked_at(key: str) -> None:
    app = settled(choose(opened(), "Predictions", key))
    assert not app.error
    assert app.markdown[0].value


def test_a_setting_that_cannot_be_is_said_and_the_rest_stays() -> None:
    app = choose(opened(), "Look at", "groups")
    app.text_area[0].set_value("A = 0,1\nB = 2,3").run()
    assert "In no group" in app.error[0].value
    assert app.title
    assert not app.exception
    app.text_area[0].set_value("A = 0,1,2,3,4\nB = 5,6,7,8,9").run()
    assert not app.error


def test_predictions_all_alike_are_tested_whatever_the_bandwidth() -> None:
    app = settled(choose(opened(), "Predictions", "v19-table-1"))
    assert float(numbers(app)["Kernel test"].split()[-1]) > 0.05
    assert not app.info


def test_a_narrow_bandwidth_is_said_beside_the_test() -> None:
    app = settled(choose(opened(), "Predictions", "breast-cancer"))
    assert "nearly alike" in app.warning[0].value
    rule = next(box for box in app.selectbox if box.label == "Bandwidth")
    rule.select("mean").run()
    assert not settled(app).warning


def test_an_empty_region_is_said() -> None:
    app = opened()
    next(t for t in app.toggle if t.label == "Only a region of predictions").set_value(True).run()
    app.slider[0].set_value((0.0, 0.0)).run()
    assert not app.exception
    assert app.error or numbers(settled(app))


def test_the_same_settings_are_not_computed_twice() -> None:
    app = opened()
    first = next(iter(app.session_state["diagnosis_jobs"].values()))
    choose(app, "Look at", "class")
    settled(choose(app, "Look at", "top-k"))
    assert first in app.session_state["diagnosis_jobs"].values()


def test_the_data_page_says_what_belongs_there() -> None:
    app = AppTest.from_file(MAIN, default_timeout=60).run()
    app.switch_page("../data.py").run()
    assert not app.exception
    assert app.title[0].value == "Your own predictions"


def test_two_equal_levels_of_the_bars_are_said_and_the_page_stays() -> None:
    app = opened()
    next(s for s in app.select_slider if s.label.startswith("Consistency bars")).set_value((5, 5)).run()
    assert not app.exception
    assert "0 < low < high < 1" in app.error[0].value.replace("\\", "")
    assert app.title


def test_a_refused_lens_loses_no_other_setting() -> None:
    app = opened()
    next(n for n in app.number_input if n.label == "Seed").set_value(7).run()
    choose(app, "Look at", "groups")
    app.text_area[0].set_value("A = nothing").run()
    assert app.error
    settled(choose(app, "Look at", "top-k"))
    assert next(n for n in app.number_input if n.label == "Seed").value == 7
