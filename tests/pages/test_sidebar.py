"""The side bar of a page has the settings that change what the page shows, and no other."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from calibcore.diagram.binning import EqualMassBinning, MeanVarianceBinning
from calibcore.kernels import GaussianKernel
from calibcore.settings import ESTIMATES
from calibcore.transforms.lenses import CanonicalLens
from calibcore.transforms.nulls import Temperature
from pages.server import page_list
from pages.ui.settings import Settings
from pages.ui.sidebar.parts import SETTINGS
from tests.pages.harness import START, opened

BASE = replace(START, resamples=199)
CHANGES: Mapping[str, dict[str, Any]] = {
    "tolerance": {"tolerance": 0.4},
    "bars": {"interval": (0.25, 0.75)},
    "distance": {"distance": "euclidean"},
    "bin adjustment": {"bin_adjustment": "holm"},
    "kernel": {"kernel": GaussianKernel()},
    "bandwidth": {"kernel": replace(BASE.kernel, bandwidth=0.05)},
    "tests": {"tests": ("exact",)},
    "level": {"alpha": 0.4},
    "adjustment": {"adjustment": "benjamini-hochberg"},
    "redraws": {"resamples": 2_999},
    "stopping": {"stop_at": 2},
    "null": {"null": Temperature(2.0)},
    "estimates": {"estimates": ESTIMATES},
    "bootstrap": {"bootstrap": 100},
    "blocks": {"block_size": 5},
    "locations": {"locations": 2},
    "shuffling": {"shuffle": True},
    "precision": {"precision": "float32"},
    "seed": {"seed": 5},
}
"""Part of the side bar -> what it changes. Lens, region and unit decide everywhere which cases are seen."""
CLINIC = {"in_use": "clinic", "groups_by": ("site", "sex")}
STATES: Mapping[str, dict[str, Any]] = {
    "compare": {"in_use": "digits-forest"},
    "groups": CLINIC,
    "monitor": CLINIC,
    "decisions": {"in_use": "breast-cancer"},
}
"""Page -> data that it can do something with, if not with those of most pages."""
ALL_CLASSES = ("simplex", "groups", "monitor", "decisions")
LATER: Mapping[str, set[str]] = {
    "reliability": {"level", "redraws", "seed"},
    "compare": {"bars", "level", "redraws", "stopping", "seed"},
    "training": {"redraws"},
    "tests": {"adjustment", "tolerance", "locations"},
    "share": {"bars", "distance", "kernel", "redraws", "stopping", "seed", "bins"},
}
"""Page -> parts that change what is not there at once: the verdict of a survey that was made on another page,
a figure behind a switch, a fold that begins work, a file. Or what these data have none of: a p between the
levels, as of models that differ clearly."""
ELSEWHERE: Mapping[str, set[str]] = {
    "overview": {"bins", "bars", "distance", "kernel"},
    "reliability": {"distance", "tolerance", "kernel", "bandwidth", "adjustment", "stopping"},
    "simplex": {"kernel", "bandwidth", "seed"},
    "compare": {"bars", "stopping"},
    "improve": {"bars", "kernel", "stopping"},
    "training": {"bars", "stopping"},
    "share": {"distance", "kernel", "stopping"},
}
"""Page -> parts that act there, too, and are chosen where their figure or test is: a page has few."""
NAMES = [page.name for page in page_list.pages() if page.sidebar != ("data",)]


def seen(page: str, settings: Settings) -> list[object]:
    """What the page shows, without its line of settings and without settings as code."""
    state = {"in_use": "wine"} | STATES.get(page, {})
    app = opened(page, settings=settings, **state)
    app.run()  # what was begun by what was unfolded
    shown: list[object] = []
    _walk(app.main, shown)
    return [one for one in shown if one]


def _walk(block: Any, shown: list[object]) -> None:
    for element in block.children.values():
        if getattr(element, "children", None):
            _walk(element, shown)
        elif element.type in ("markdown", "heading", "subheader", "metric", "alert", "info", "success"):
            shown.append(getattr(element, "value", ""))
        elif element.type == "plotly_chart":
            shown.append(element.proto.spec)
        elif element.type in ("arrow_data_frame", "dataframe", "table"):
            shown.append(element.value.to_csv())


def settings_of(page: str, **changes: Any) -> Settings:
    lens = CanonicalLens() if page in ALL_CLASSES else BASE.lens
    return Settings(replace(BASE, lens=lens, **changes))


def acting(page: str, parts: Mapping[str, dict[str, Any]]) -> set[str]:
    """Which of the parts change what the page shows."""
    before = seen(page, settings_of(page))
    assert before == seen(page, settings_of(page))  # else nothing could be told
    found = {part for part, changes in parts.items() if seen(page, settings_of(page, **changes)) != before}
    other = replace(settings_of(page), two=EqualMassBinning(7), many=MeanVarianceBinning(30))
    return found | ({"bins"} if seen(page, other) != before else set())


def listed(page: str) -> set[str]:
    one = page_list.page(page)
    return {*one.sidebar, *one.more} - {"data", "lens", "region", "unit"}


def test_every_part_has_its_change() -> None:
    assert {*CHANGES, "bins", "lens", "region", "unit"} == set(SETTINGS)
    assert all(replace(BASE, **change) != BASE for change in CHANGES.values())


def test_what_a_page_leaves_out_is_chosen_on_another() -> None:
    details = listed("reliability") | listed("tests")
    for page, parts in ELSEWHERE.items():
        assert parts <= details
        assert not parts & listed(page), page


@pytest.mark.slow
@pytest.mark.parametrize("page", NAMES)
def test_the_side_bar_has_what_acts_on_the_page_and_nothing_else(page: str) -> None:
    most = {part: change for part, change in CHANGES.items() if (page, part) != ("training", "redraws")}
    found = acting(page, most)  # 24 epochs with so many redraws take minutes
    assert found - listed(page) <= ELSEWHERE.get(page, set()), "acts and is not shown"
    assert listed(page) - found <= LATER.get(page, set()), "is shown and does not act"


@pytest.mark.slow
def test_on_decisions_the_bins_and_the_tolerance_do_nothing_and_are_not_shown() -> None:
    some = {part: CHANGES[part] for part in ("tolerance", "level")}
    assert acting("decisions", some) == {"level"}
    assert listed("decisions") & {*some, "bins"} == {"level"}


def labels(app: AppTest) -> list[str]:
    """Of the controls in the side bar."""
    kinds = (app.sidebar.selectbox, app.sidebar.multiselect, app.sidebar.number_input, app.sidebar.toggle)
    return [control.label for kind in kinds for control in kind]


def test_a_setting_that_is_not_shown_holds_all_the_same() -> None:
    app = opened("reliability", in_use="clinic")
    next(box for box in app.number_input if box.label == "Bins from 0 to 100 %").set_value(7).run()
    app = app.switch_page("../monitor.py").run()
    assert labels(app) == [
        *("Predictions", "Look at", "Rows that belong together"),
        "Only a region of predictions",
    ]
    app = app.switch_page("../reliability.py").run()
    assert next(box for box in app.number_input if box.label == "Bins from 0 to 100 %").value == 7


@pytest.mark.some(2)
@pytest.mark.parametrize("page", ["simplex", "reliability"])
@pytest.mark.parametrize("in_use", ["digits-forest", "wine", "breast-cancer"])
def test_the_side_bar_says_what_the_page_looks_at(page: str, in_use: str) -> None:
    """In the words under its title."""
    app = opened(page, in_use=in_use)
    (looks,) = [text.value for text in app.sidebar.markdown if text.value.startswith("**You look at** ")]
    assert looks.removeprefix("**You look at** ").removesuffix(".") in app.main.caption[0].value


def box(app: AppTest, label: str) -> Any:
    """A control of the side bar by its label."""
    kinds = (app.sidebar.selectbox, app.sidebar.number_input, app.sidebar.toggle, app.sidebar.text_area)
    return next(control for kind in kinds for control in kind if control.label == label)


def test_on_simplex_the_boxes_are_of_what_simplex_looks_at() -> None:
    """It begins with all classes, split at the median, beside ten equal bins of the confidence elsewhere."""
    app = opened("simplex", in_use="wine")
    assert box(app, "Look at").value == "canonical"
    assert box(app, "Bins").value == "median-variance"
    assert "median" in app.main.caption[0].value
    assert "Bars by redrawing outcomes" not in labels(app)  # three classes have no others
    smallest = box(app, "Fewest cases in a bin")
    app = smallest.set_value(25).run()
    assert "25 wines or more" in app.main.caption[0].value
    assert box(app, "Fewest cases in a bin").value == 25
    app = app.switch_page("../reliability.py").run()
    assert box(app, "Look at").value == "confidence"
    assert box(app, "Bins").value == "uniform"


def test_a_region_chosen_on_simplex_leaves_other_pages_their_lens() -> None:
    app = opened("simplex", in_use="wine")
    app = box(app, "Only a region of predictions").set_value(True).run()
    assert box(app, "Look at").value == "canonical"
    app = app.switch_page("../reliability.py").run()
    assert box(app, "Look at").value == "confidence"
    assert box(app, "Only a region of predictions").value


def test_simplex_offers_what_it_can_draw() -> None:
    app = opened("simplex", in_use="digits-forest")
    look = box(app, "Look at")
    assert look.value == "top-k"
    assert {"confidence", "class", "canonical"}.isdisjoint(look.options)
    assert box(app, "How many").max == 3
    app = box(app, "How many").set_value(3).run()
    assert "3 most likely" in app.main.caption[0].value or "three" in app.main.caption[0].value
    two = opened("simplex", in_use="breast-cancer")
    assert len(box(two, "Look at").options) > 1  # a line has every lens


def test_bins_that_are_chosen_take_the_place_of_those_of_crowded_predictions() -> None:
    """In log-odds Reliability begins with bins of its own, and the box says so."""
    app = opened("reliability", in_use="breast-cancer")
    assert box(app, "Bins").value != "uniform"
    app = box(app, "Bins").select("uniform").run()
    assert box(app, "Bins").value == "uniform"
    assert "10 equal\\-width bins" in app.main.caption[0].value
