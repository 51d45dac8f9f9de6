"""Two controls changed before the server has answered the first: the choice of what is looked at holds."""

import pytest
from streamlit.testing.v1 import AppTest

from calibcore.transforms.lenses import CanonicalLens, ClassLens, TopKLens
from tests.pages.harness import choose, opened
from tests.pages.test_settings import spec_of


def _number(app: AppTest, label: str, value: int) -> None:
    next(box for box in app.number_input if box.label == label).set_value(value)


def _select(app: AppTest, label: str, value: str) -> None:
    next(box for box in app.selectbox if box.label == label).select(value)


def test_bins_of_a_lens_that_was_left_change_nothing() -> None:
    app = opened("reliability", in_use="wine")
    _number(app, "Bins from 0 to 100 %", 7)
    _select(app, "Look at", "canonical")
    app.run()
    assert not app.exception
    assert spec_of(app).lens == CanonicalLens()


@pytest.mark.parametrize(("kind", "other"), [("class", "top-k"), ("top-k", "class")])
def test_what_belongs_to_another_kind_of_lens_does_not_bring_it_back(kind: str, other: str) -> None:
    app = choose(opened("reliability", in_use="wine"), "Look at", kind)
    if kind == "class":
        _select(app, "Class", "grower 2")
    _select(app, "Look at", other)
    app.run()
    assert not app.exception
    assert spec_of(app).lens == (ClassLens("grower 1") if other == "class" else TopKLens(2))


def test_a_region_that_was_switched_off_cannot_be_moved() -> None:
    app = opened("reliability", in_use="wine")
    app.session_state["fold-more-open"] = True
    switch = next(one for one in app.toggle if one.label == "Only a region of predictions")
    switch.set_value(True).run()
    _select(app, "Where the model's probability of", "grower 3")
    next(one for one in app.toggle if one.label == "Only a region of predictions").set_value(False)
    app.run()
    assert not app.exception
    assert spec_of(app).lens == TopKLens(1)
