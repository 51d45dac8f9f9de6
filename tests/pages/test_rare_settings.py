"""Settings that most people leave alone: what they need shows, and the rest of the app takes them."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from calibcore import DiagnosisSpec
from calibcore.diagram.binning import MeanVarianceBinning
from calibcore.kernels import ExponentialKernel, GaussianKernel, Matern52Kernel
from calibcore.transforms.lenses import CanonicalLens, PooledLens, RegionLens, TopKLens
from calibcore.transforms.nulls import Identity, Mixture, Temperature
from pages.ui.settings import Settings
from tests.pages.harness import START, begun, choose, opened, press, said


def spec_of(app: AppTest) -> DiagnosisSpec:
    asked: Settings = app.session_state["settings"]
    return asked.spec


def number(app: AppTest, label: str, value: float) -> AppTest:
    return next(box for box in app.number_input if box.label == label).set_value(value).run()


@pytest.mark.slow
def test_a_hypothesis_and_its_numbers() -> None:
    app = choose(opened("tests", in_use="wine"), "What the exact tests test", "temperature")
    assert spec_of(app).null == Temperature(1.5)
    assert spec_of(number(app, "Temperature", 2.5)).null == Temperature(2.5)
    assert "tested: outcomes from the lens's predictions at temperature 2.5" in said(app)
    app = choose(app, "What the exact tests test", "mixture")
    assert spec_of(app).null == Mixture(0.1)
    app = next(s for s in app.slider if s.label == "Moved by").set_value(0.3).run()
    app = choose(app, "towards", "hit")
    assert spec_of(app).null == Mixture(0.3, "hit")
    app = choose(app, "Look at", "canonical")  # the class that is not there any more can be seen and changed
    assert not app.exception
    towards = next(box for box in app.selectbox if box.label == "towards")
    assert towards.value == "hit"
    assert spec_of(choose(app, "towards", "grower 2")).null == Mixture(0.3, "grower 2")
    assert spec_of(choose(app, "What the exact tests test", "identity")).null == Identity()


def test_a_survey_tests_calibration_whatever_is_tested_through_one_lens() -> None:
    app = opened("learn", in_use="wine", settings=Settings(DiagnosisSpec(null=Temperature(2.0))))
    app.switch_page("../overview.py").run()
    (key,) = app.session_state["jobs"]["survey"]
    assert DiagnosisSpec.from_json(key[1]).null == START.null
    app.switch_page("../tests.py").run()
    (key,) = app.session_state["jobs"]["diagnosis"]
    assert DiagnosisSpec.from_json(key[1]).null == Temperature(2.0)


@pytest.mark.slow
def test_numbers_that_show_when_they_are_needed() -> None:
    app = opened("tests", in_use="wine")
    labels = [box.label for box in app.number_input]
    assert "Bootstrap samples" not in labels
    assert "Redraws as extreme" not in labels
    for toggle in ("Interval of the average gap", "Stop exact tests early"):
        app = next(t for t in app.toggle if t.label == toggle).set_value(True).run()
    assert (spec_of(app).bootstrap, spec_of(app).stop_at) == (1_000, 10)
    assert spec_of(number(app, "Bootstrap samples", 200)).bootstrap == 200
    assert spec_of(number(app, "Redraws as extreme", 20)).stop_at == 20
    app = next(t for t in app.toggle if t.label == "Interval of the average gap").set_value(False).run()
    assert spec_of(app).bootstrap == 0


@pytest.mark.parametrize(
    ("towards", "words"), [("nobody", "there is no class"), ("mean", "at least as large")]
)
def test_a_hypothesis_that_does_not_fit_withholds_the_exact_tests(towards: str, words: str) -> None:
    spec = DiagnosisSpec(lens=START.lens, tests=("exact",), estimates=(), null=Mixture(0.1, towards))
    app = opened("tests", in_use="wine", settings=Settings(spec))
    assert not app.exception
    assert words in said(app).lower()


def test_undo_takes_a_rare_setting_back() -> None:
    app = number(opened("reliability", in_use="wine"), "Level of the tests", 0.01)
    assert spec_of(app).alpha == 0.01
    assert spec_of(press(app, "Undo")) == START


@pytest.mark.slow
@pytest.mark.parametrize(
    ("adjustment", "words"),
    [
        ("holm", "The adjusted p-values are exact for independent wines. "),
        (
            "benjamini-hochberg",
            "are valid for independent wines and tests that do not speak against each other. ",
        ),
    ],
)
def test_the_survey_says_what_its_adjusted_p_values_promise(adjustment: str, words: str) -> None:
    app = opened("overview", in_use="wine", settings=Settings(DiagnosisSpec(adjustment=adjustment)))
    assert words in said(app)


RARE = {
    "large": DiagnosisSpec(
        resamples=19_999, seed=2**70, alpha=0.7, tolerance=0.995, kernel=ExponentialKernel(1e5),
        stop_at=20_000, block_size=10**6, bootstrap=200_000, null=Temperature(500.0), interval=(1 / 3, 0.999),
    ),
    "small": DiagnosisSpec(
        resamples=9, alpha=1e-5, tolerance=1e-4, kernel=ExponentialKernel(1e-5), null=Temperature(0.001)
    ),
    "regions": DiagnosisSpec(
        lens=RegionLens(RegionLens(CanonicalLens(), "grower 1", 0.123, 0.9), "grower 2", 0.01, 0.9)
    ),
    "pooled": DiagnosisSpec(lens=PooledLens()),
}  # fmt: skip


@pytest.mark.some(2)
@pytest.mark.parametrize("spec", RARE.values(), ids=RARE)
@pytest.mark.slow
def test_values_that_only_a_report_brings_are_shown_and_kept(spec: DiagnosisSpec) -> None:
    app = begun().switch_page("../tests.py")  # whose tests need not be there
    for key, value in {"in-use": "wine", "settings": Settings(spec, MeanVarianceBinning(10**6))}.items():
        app.session_state[key] = value
    for fold in ("more", "more-tests", "more-estimates"):
        app.session_state[f"fold-{fold}-open"] = True
    app.run()
    assert spec_of(number(app, "Cases in a block", 12)) == replace(spec, block_size=12, binning=START.binning)
    assert ("Seed: 1,180,591,620,717,411,303,424, too large to be changed here" in said(app)) == (
        spec.seed == 2**70
    )


@pytest.mark.slow
def test_another_kernel_keeps_bandwidth_metric_and_class_matrix() -> None:
    matrix = ((2.0, -1.0, 0.0), (-1.0, 2.0, 0.0), (0.0, 0.0, 1.0))
    spec = DiagnosisSpec(lens=CanonicalLens(), kernel=GaussianKernel(0.3, "euclidean", matrix))
    app = choose(opened("tests", in_use="wine", settings=Settings(spec)), "Kernel", "matern-5/2")
    assert spec_of(app).kernel == Matern52Kernel(0.3, "euclidean", matrix)
    app = choose(app, "Bandwidth", "mean")
    assert spec_of(app).kernel == Matern52Kernel("mean", "euclidean", matrix)


def test_a_region_that_is_switched_off_and_on_is_the_same_region() -> None:
    region = RegionLens(TopKLens(1), "grower 2", 0.1, 0.6)
    app = opened("monitor", in_use="wine", settings=Settings(DiagnosisSpec(lens=region)))
    for on, lens in ((False, TopKLens(1)), (True, region)):
        toggle = next(t for t in app.toggle if t.label == "Only a region of predictions")
        app = toggle.set_value(on).run()
        assert spec_of(app).lens == lens
