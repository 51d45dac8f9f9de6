"""A setting that is changed before the page has answered to a change of the data: the data hold."""

import pytest
from streamlit.testing.v1 import AppTest

from calibcore.data.examples import load_example
from calibcore.settings import ESTIMATES
from calibcore.transforms.lenses import ClassLens, RegionLens, TopKLens
from pages.work.costs import classes_through
from tests.pages.harness import START, choose, opened, settled
from tests.pages.test_settings import on_reliability, spec_of


def together(app: AppTest, data: str, kind: str, label: str, value: object) -> AppTest:
    """Change a setting when the choice of other data has come but is not drawn yet; nothing is refused."""
    app.session_state["in-use"] = data
    next(c for c in getattr(app, kind) if c.label == label).set_value(value)
    app.run()
    assert not app.exception
    assert not app.error
    assert next(box for box in app.selectbox if box.label == "Predictions").value == data
    return app


def test_a_class_of_other_data_does_not_survive_their_change() -> None:
    app = together(choose(on_reliability(), "Look at", "class"), "diabetes", "selectbox", "Class", "grower 3")
    assert spec_of(app).lens == START.lens
    assert "Class" not in [box.label for box in app.selectbox]
    choose(app, "Look at", "class")
    assert not app.error
    names = load_example("diabetes").class_names
    assert next(box for box in app.selectbox if box.label == "Class").options == list(names)
    assert spec_of(app).lens == ClassLens(names[0])


@pytest.mark.parametrize("kind", ["class", "groups"])
@pytest.mark.slow
def test_the_lens_chosen_with_other_data_is_one_of_those(kind: str) -> None:
    app = choose(choose(choose(on_reliability(), "Look at", "class"), "Class", "grower 3"), "Look at", kind)
    app = together(choose(app, "Look at", "confidence"), "diabetes", "selectbox", "Look at", kind)
    assert spec_of(app).lens.kind == kind
    assert classes_through(spec_of(app).lens, load_example("diabetes")) == 2


def test_a_region_chosen_with_other_data_is_one_of_those() -> None:
    app = together(on_reliability(), "diabetes", "toggle", "Only a region of predictions", True)
    lens = spec_of(app).lens
    assert isinstance(lens, RegionLens)
    assert lens.class_name == load_example("diabetes").class_names[0]


def test_a_number_that_other_data_cannot_have_is_dropped() -> None:
    app = choose(opened("reliability", in_use="diabetes"), "Look at", "top-k")
    assert spec_of(together(app, "wine", "number_input", "How many", 3)).lens == TopKLens(2)


def test_a_choice_that_other_data_drop_is_no_step_and_loses_no_lens() -> None:
    app = choose(choose(on_reliability(), "Look at", "class"), "Class", "grower 2")
    steps = len(app.session_state["settings-before"])
    app = together(app, "diabetes", "selectbox", "Class", "grower 3")
    assert len(app.session_state["settings-before"]) == steps
    assert spec_of(choose(app, "Predictions", "wine")).lens == ClassLens("grower 2")


@pytest.mark.slow
def test_a_class_opened_below_the_diagram_is_dropped() -> None:
    app = on_reliability()
    app.session_state["fold-multiples"] = True
    app = together(settled(app.run()), "diabetes", "selectbox", "Look at one class", "grower 2")
    assert spec_of(app).lens == START.lens


def test_corners_of_other_data_are_dropped() -> None:
    app = opened("simplex", in_use="digits-naive-bayes")
    label = next(button.label for button in app.button if button.label.startswith("Most confused"))
    assert spec_of(together(app, "wine", "button", label, True)).lens == START.lens


@pytest.mark.slow
def test_other_estimates_are_asked_for_through_a_lens_of_the_new_data() -> None:
    app = choose(choose(opened("tests", in_use="wine"), "Look at", "class"), "Class", "grower 2")
    app = together(settled(app), "diabetes", "button", "Make them", True)
    assert spec_of(app).lens == START.lens
    assert spec_of(app).estimates == ESTIMATES
