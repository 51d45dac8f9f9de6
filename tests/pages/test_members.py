"""The Reliability page: two ways to draw it, and the cases behind a cross."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from calibcore.data.examples import load_example
from calibcore.diagnose import reliability_for
from pages.ui.reliability.members import CHOSEN, MOST_SHOWN
from tests.pages.harness import START, choose, displayed, opened, said, settled, upload

BOX = "The cases behind a cross"


def picked(app: AppTest, *bins: int) -> AppTest:
    next(box for box in app.multiselect if box.label == BOX).set_value(list(bins)).run()
    assert not app.exception, app.exception
    return app


def cases(app: AppTest) -> Any:
    """The table of the cases behind a cross, which stands right below the figure, before that of the bins."""
    return next(table for table in app.dataframe if "Row" in table.value.columns)


def test_a_chosen_bin_shows_its_cases() -> None:
    app = opened("reliability", in_use="digits-forest")
    tables = len(app.dataframe)
    found = reliability_for(load_example("digits-forest"), START)
    app = picked(app, 2)
    n = int(found.counts[2])
    assert f"({round(found.counts[2] * found.observed[2, 0])} of {n} images)" in said(app)
    assert len(app.dataframe) == tables + 1
    shown = displayed(cases(app))
    assert len(shown) == min(n, MOST_SHOWN)
    assert {"Row", "Confidence", "Top class", "Happened"} <= set(shown.columns)


def test_several_bins_are_taken_together_and_a_table_is_cut() -> None:
    app = picked(opened("reliability"), 3, 4, 5)
    assert len(displayed(cases(app))) == MOST_SHOWN
    assert f"The first {MOST_SHOWN} of" in said(app)


def test_another_setting_or_other_data_choose_no_bin() -> None:
    app = settled(choose(picked(opened("reliability", in_use="wine"), 1), "Look at", "class"))
    assert app.session_state[CHOSEN] == []
    app = choose(picked(app, 1), "Predictions", "breast-cancer")
    assert app.session_state[CHOSEN] == []


def test_the_other_columns_of_a_file_stand_beside_its_cases() -> None:
    app = upload(opened("data", in_use="wine"))
    app = picked(app.switch_page("../reliability.py").run(), 0)
    assert "patient" in displayed(cases(app)).columns


def test_many_classes_have_members_and_no_switch() -> None:
    app = choose(opened("reliability", in_use="wine"), "Look at", "canonical")
    assert "Diagram" not in [control.label for control in app.segmented_control]
    assert "Predicted on average" in said(picked(app, 0))


def test_the_switch_is_a_look_that_survives_pages_and_is_no_setting() -> None:
    app = opened("reliability", in_use="wine")
    app.segmented_control(key="look-view").set_value("classical").run()
    assert app.session_state["look-view"] == "classical"
    assert "settings" not in app.session_state
    assert "On the diagonal" in said(app)
    app.switch_page("../learn.py").run()
    app.switch_page("../reliability.py").run()
    assert "On the diagonal" in said(app)


def test_on_return_from_another_page_no_bin_is_chosen() -> None:
    app = picked(opened("reliability", in_use="wine"), 1)
    app.switch_page("../learn.py").run()
    app.switch_page("../reliability.py").run()
    assert not app.exception, app.exception
    assert next(box for box in app.multiselect if box.label == BOX).value == []


def test_a_bin_clicked_in_the_figure_need_not_be_one_of_the_fullest() -> None:
    app = opened("reliability", in_use="wine")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pages.ui.reliability.members.MOST_OFFERED", 1)
        found = reliability_for(load_example("wine"), START)
        emptiest = int(found.counts.argmin())
        app.session_state[CHOSEN] = [emptiest]  # as a click leaves it
        app.run()
    assert not app.exception, app.exception
    assert f"{found.counts[emptiest]}" in said(app)
