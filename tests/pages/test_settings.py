"""The settings: one place, undone one by one, fitted to whatever data are in use."""

import pytest
from streamlit.testing.v1 import AppTest

from calibcore import DiagnosisSpec
from calibcore.data.examples import load_example
from calibcore.diagram.binning import EqualMassBinning, MedianVarianceBinning, SimplexBinning, UniformBinning
from calibcore.kernels import ExponentialKernel, GaussianKernel
from calibcore.transforms.lenses import CanonicalLens, ClassLens, RegionLens, TopKLens
from pages.ui import settings
from pages.ui.settings import Settings, fitted
from pages.work.costs import classes_through
from tests.cases import case
from tests.pages.harness import START, choose, opened, press, said

WINE = load_example("wine")


def spec_of(app: AppTest) -> DiagnosisSpec:
    """What the settings of the session come to on its data."""
    data = app.session_state["in-use"]
    asked = app.session_state["settings"] if "settings" in app.session_state else Settings(START)
    return fitted(asked, load_example(data))


def on_reliability() -> AppTest:
    return opened("reliability", in_use="wine")


# --- fitted -------------------------------------------------------------------


def test_at_the_start_confidence_in_ten_equally_wide_bins() -> None:
    assert fitted(Settings(), WINE) == settings.START


@pytest.mark.parametrize(
    ("lens", "classes"),
    [
        (TopKLens(1), 2),
        (TopKLens(2), 3),
        (CanonicalLens(), 3),
        (RegionLens(TopKLens(2), "grower 1", 0, 1), 3),
    ],
)
def test_the_classes_that_a_lens_shows(lens: TopKLens, classes: int) -> None:
    assert classes_through(lens, WINE) == classes == lens(WINE).m


@pytest.mark.parametrize(
    "lens",
    [
        ClassLens("cat"),
        TopKLens(5),
        RegionLens(TopKLens(1), "cat", 0, 1),
        RegionLens(TopKLens(1), "grower 1", 0, 0),
    ],
)
def test_a_lens_that_makes_no_sense_gives_way_to_the_start(lens: ClassLens) -> None:
    assert fitted(Settings(DiagnosisSpec(lens=lens)), WINE).lens == START.lens


def test_bins_of_two_and_of_more_classes_are_chosen_apart() -> None:
    chosen = Settings(START, two=EqualMassBinning(7), many=SimplexBinning(4))
    assert fitted(chosen, WINE).binning == EqualMassBinning(7)
    canonical = Settings(DiagnosisSpec(lens=CanonicalLens()), EqualMassBinning(7), SimplexBinning(4))
    assert fitted(canonical, WINE).binning == SimplexBinning(4)
    digits = load_example("digits-forest")
    assert fitted(canonical, digits).binning == MedianVarianceBinning(53)


def test_a_kernel_that_is_none_for_three_classes_takes_another_metric() -> None:
    asked = Settings(DiagnosisSpec(lens=CanonicalLens(), kernel=GaussianKernel(0.3, "total-variation")))
    assert fitted(asked, WINE).kernel == GaussianKernel(0.3, "euclidean")
    kept = Settings(DiagnosisSpec(lens=CanonicalLens(), kernel=ExponentialKernel(0.3, "total-variation")))
    assert fitted(kept, WINE).kernel.metric == "total-variation"
    weighted = ExponentialKernel(0.3, "total-variation", (1.0, 2.0))  # another metric would not help
    assert fitted(Settings(DiagnosisSpec(kernel=weighted)), WINE).kernel == weighted


# --- undo and reset -------------------------------------------------------------


CONTROLS = [
    ("selectbox", "Look at", "class"),
    ("selectbox", "Bins", "equal-mass"),
    ("number_input", "Bins from 0 to 100 %", 7),
    ("number_input", "Tolerance, in points", 2.5),
    ("select_slider", "Consistency bars from … to …", (10, 90)),
    ("toggle", "Bars by redrawing outcomes", True),
    ("selectbox", "Distance", "euclidean"),
    ("selectbox", "Kernel", "gaussian"),
    ("selectbox", "Metric", "total-variation"),
    ("selectbox", "Bandwidth", "mean"),
    ("multiselect", "Tests", ["exact"]),
    ("number_input", "Redraws", 299),
    ("number_input", "Seed", 7),
    ("toggle", "Shuffle the rows", True),
    ("toggle", "Only a region of predictions", True),
    ("number_input", "Level of the tests", 0.01),
    ("selectbox", "What the exact tests test", "temperature"),
    ("number_input", "Cases in a block", 4),
    ("number_input", "Test locations", 3),
    ("selectbox", "Precision of kernel sums", "float32"),
    ("toggle", "Interval of the average gap", True),
    ("selectbox", "Adjustment over checks", "benjamini-hochberg"),
    ("selectbox", "Adjustment over bins", "holm"),
]


@pytest.mark.some(1)
@pytest.mark.parametrize("page", ["simplex", "tests"])
def test_each_control_changes_one_setting_and_is_undone(page: str) -> None:
    """One after the other in one session, which each leaves as it was."""
    app = opened(page, in_use="wine")
    start = spec_of(app)
    there = [one for one in CONTROLS if (one[1] == "Adjustment over bins") == (page == "simplex")]
    for kind, label, value in there:
        with case(kind, label, value):
            control = next(c for c in getattr(app, kind) if c.label == label)
            shown = control.value
            control.set_value(value).run()
            assert not app.exception
            assert not app.error
            changed = spec_of(app)
            names = [name for name in vars(start) if getattr(start, name) != getattr(changed, name)]
            assert len(names) == 1, names
            app = press(app, "Undo")
            assert spec_of(app) == start
            again = next(c for c in getattr(app, kind) if c.label == label)
            assert again.value == shown
            assert "Undo" not in [b.label for b in app.button]


def test_reset_goes_back_to_the_start_and_can_be_undone() -> None:
    app = choose(choose(on_reliability(), "Look at", "class"), "Class", "grower 3")
    app = press(app, "Reset")
    assert spec_of(app) == START
    assert spec_of(press(app, "Undo")).lens == ClassLens("grower 3")


def test_steps_are_bounded() -> None:
    before = [Settings(two=UniformBinning(b)) for b in range(1, 60)]
    app = opened("reliability", in_use="wine", settings_before=before)
    choose(app, "Look at", "class")
    assert len(app.session_state["settings-before"]) == 50


@pytest.mark.slow
def test_settings_stay_on_other_pages_and_on_other_data_where_they_make_sense() -> None:
    app = choose(choose(on_reliability(), "Look at", "class"), "Class", "grower 3")
    next(n for n in app.number_input if n.label == "Seed").set_value(7).run()
    for page in ("data", "learn", "simplex", "reliability"):
        app.switch_page(f"../{page}.py").run()
    assert spec_of(app).lens == ClassLens("grower 3")
    assert next(n for n in app.number_input if n.label == "Seed").value == 7
    choose(app, "Predictions", "diabetes")
    assert spec_of(app).lens == START.lens
    assert "does not fit these data" in said(app)
    assert next(n for n in app.number_input if n.label == "Seed").value == 7
    choose(app, "Predictions", "wine")
    assert spec_of(app).lens == ClassLens("grower 3")
    assert "does not fit these data" not in said(app)


def test_what_is_looked_at_stands_in_the_side_bar_and_on_the_page() -> None:
    app = choose(on_reliability(), "Bins", "equal-mass")
    words = "confidence in the answer, 15 equal-mass bins"
    assert words in app.sidebar.markdown[0].value.replace("\\", "")
    assert words in app.main.caption[0].value.replace("\\", "")


# --- refused ----------------------------------------------------------------------


def test_what_is_refused_is_said_beside_its_control_and_stays_there() -> None:
    app = choose(on_reliability(), "Look at", "groups")
    before = spec_of(app)
    app.text_area[0].set_value("A = grower 1\nB = grower 2").run()
    assert "In no group" in app.error[0].value
    assert app.text_area[0].value == "A = grower 1\nB = grower 2"
    assert spec_of(app) == before
    app.text_area[0].set_value("A = grower 1\nB = grower 2, grower 3").run()
    assert not app.error
    assert spec_of(app).lens.groups[1] == ("B", ("grower 2", "grower 3"))  # type: ignore[attr-defined]


def test_two_equal_levels_of_the_bars_are_refused_and_undo_mends_it() -> None:
    app = choose(on_reliability(), "Look at", "class")
    next(s for s in app.select_slider if s.label.startswith("Consistency")).set_value((5, 5)).run()
    assert "0 < low < high < 1" in said(app)
    press(app, "Undo")
    assert not app.error


def test_an_empty_region_is_said() -> None:
    app = on_reliability()
    next(t for t in app.toggle if t.label == "Only a region of predictions").set_value(True).run()
    app.slider[0].set_value((0.0, 0.0)).run()
    assert not app.exception
    assert "The region is empty" in said(app)


def test_a_refused_lens_loses_no_other_setting() -> None:
    app = on_reliability()
    next(n for n in app.number_input if n.label == "Seed").set_value(7).run()
    choose(app, "Look at", "groups")
    app.text_area[0].set_value("A = nothing").run()
    assert app.error
    choose(app, "Look at", "confidence")
    assert not app.error
    assert spec_of(app).seed == 7


@pytest.mark.slow
def test_what_was_refused_is_forgotten_with_its_control() -> None:
    app = choose(on_reliability(), "Look at", "groups")
    app.text_area[0].set_value("A = nothing").run()
    assert app.error
    app = choose(choose(app, "Look at", "confidence"), "Look at", "groups")
    assert not app.error
    assert app.text_area[0].value == "A = grower 1\nB = grower 2, grower 3"
