"""Two classes without bins: a curve, its band, its words and its figure."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from calibcore import DiagnosisSpec, GaussianKernel, InputError, Predictions, average_without_bins
from calibcore.answers.without_bins import places_table
from calibcore.charts.smooth_curve import band_name, band_of, stretches
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows, smooth_arrows
from calibcore.numerics.types import Float
from calibcore.painters.paper import saved, smooth_curve_print
from calibcore.painters.screen.smooth_curve import smooth_curve_figure
from calibcore.words import smooth

NARROW = GaussianKernel(0.1)


def two(p: Float, rng: np.random.Generator, truth: Float | None = None) -> Predictions:
    hit = rng.random(len(p)) < (p if truth is None else truth)
    return Predictions.from_arrays(np.column_stack([p, 1 - p]), 1 - hit.astype(int), ["ill", "well"])


def overconfident(n: int = 2_000, seed: int = 0) -> Predictions:
    rng = np.random.default_rng(seed)
    p = rng.beta(0.8, 0.8, n)
    return two(p, rng, 0.5 + 0.7 * (p - 0.5))


def test_the_curve_is_a_weighted_mean_of_what_is_off() -> None:
    p = overconfident(300)
    found = smooth_arrows(p, NARROW, 199)
    said, hit = p.probs[:, 0], 1 - p.labels
    near = np.empty(len(found.places))
    for j, place in enumerate(found.places[:, 0].tolist()):
        kappa = [math.exp(-0.5 * (math.sqrt(2) * abs(place - q) / 0.1) ** 2) for q in said]
        off = sum(k * (y - q) for k, y, q in zip(kappa, hit, said, strict=True)) / sum(kappa)
        varies = sum(k * k * q * (1 - q) for k, q in zip(kappa, said, strict=True)) / sum(kappa) ** 2
        assert found.curve[j] == pytest.approx(off, abs=1e-9)
        near[j] = sum(k * abs(place - q) for k, q in zip(kappa, said, strict=True)) / sum(kappa)
        assert found.band[j] == pytest.approx(found.critical * math.sqrt(varies), abs=1e-9)
    assert found.reach == pytest.approx(float(found.shares @ near), abs=1e-9)
    assert smooth.sentence(found).endswith(
        f"The curve averages over predictions {100 * found.reach:.1f} points away on average."
    )


def test_words_say_where_the_curve_leaves_its_band() -> None:
    found = average_without_bins(overconfident(), DiagnosisSpec(kernel=NARROW))
    said = smooth.sentence(found).replace("\N{NO-BREAK SPACE}", " ")
    assert "it happened more often, by up to" in said
    assert "it happened less often, by up to" in said
    assert (
        "That is more than chance allows (p = 0.001, the smallest possible for the whole curve, of this lens "
        "alone, not adjusted)."
    ) in said
    low = found.predicted[found.strong & (found.curve > 0), 0]
    assert f"about {100 * low.min():.0f} % to {100 * low.max():.0f} %" in said
    rows = places_table(found).rows()
    assert [row["Outside"] == "yes" for row in rows] == found.strong.tolist()
    exact = places_table(found).rows(exact=True)
    assert [row["happened less predicted"] for row in exact] == found.curve.tolist()
    rng = np.random.default_rng(1)
    calm = average_without_bins(two(rng.beta(2, 5, 400), rng))
    assert smooth.sentence(calm).startswith("Nowhere does the curve leave what chance allows (p = 0.")
    assert "95" in smooth.method(calm)
    assert "90" in smooth.method(replace(calm, alpha=0.1))


def test_stretches_that_are_apart() -> None:
    """Neighbours on one side of 0 are one stretch; the largest deviation comes first, two are told."""
    at = np.linspace(0.1, 0.9, 9)
    off = np.array([0.3, 0.3, 0.0, 0.5, -0.5, 0.0, 0.2, 0.0, 0.2])
    one = average_without_bins(overconfident(200), DiagnosisSpec(resamples=199))
    found = replace(
        one, places=np.column_stack([at, 1 - at]), predicted=np.column_stack([at, 1 - at]),
        observed=np.column_stack([at + off, 1 - at - off]),
        deviation=np.full(9, 0.05), cases=np.ones(9), shares=np.full(9, 1 / 9), critical=2.0,
    )  # fmt: skip
    said = smooth.sentence(found).replace("\N{NO-BREAK SPACE}", "")
    assert said.startswith(
        "Where the model said about 40%, it happened more often, by up to 50.0 points. "
        "Where the model said about 50%, it happened less often, by up to 50.0 points. That is more"
    )
    assert ". So it is in 3 further stretches. The curve averages over" in said.replace(").", ".")


@pytest.mark.some(1)
@pytest.mark.parametrize(
    "p",
    [overconfident(), overconfident(150), two(np.full(50, 0.3), np.random.default_rng(0))],
    ids=["strong", "few", "one prediction"],
)
def test_the_figure_draws_the_band_and_the_parts_outside(p: Predictions) -> None:
    found: SmoothArrows = average_without_bins(p, DiagnosisSpec(resamples=199, kernel=NARROW))
    figure = smooth_curve_figure(found, "<b>patient</b>", "dark")
    assert "<b>patient</b>" not in figure.to_json()
    traces = {trace.name: trace for trace in figure.data}
    band = traces[band_name(found)]
    edges = [[*low, *high[::-1], np.nan] for _, low, high in (band_of(found, p) for p in stretches(found))]
    drawn = [np.nan if end is None else end for end in band.y]
    np.testing.assert_allclose(drawn, np.concatenate(edges)[:-1])
    assert json.loads(figure.to_json())
    strong = [trace for trace in figure.data if trace.name == "observed, more than chance allows"]
    assert len(strong) == int(found.strong.any())
    if strong:
        x, y = (np.array(strong[0][along], float) for along in "xy")
        np.testing.assert_array_equal(~np.isnan(y[~np.isnan(x)]), found.strong)
    np.testing.assert_allclose(traces["predicted"].y, found.shares)
    assert saved(smooth_curve_print(found, "patient"), "svg")


def test_no_line_or_band_crosses_a_gap_without_predictions() -> None:
    one = average_without_bins(overconfident(200), DiagnosisSpec(resamples=199))
    at = np.array([0.1, 0.12, 0.5, 0.8, 0.82])
    found = replace(
        one, places=np.column_stack([at, 1 - at]), predicted=np.column_stack([at, 1 - at]),
        observed=np.column_stack([at + 0.05, 0.95 - at]), deviation=np.full(5, 0.03), cases=np.ones(5),
        shares=np.full(5, 0.2), critical=3.0,
    )  # fmt: skip
    region, line, bars = smooth_curve_figure(found).data
    assert bars.name == "predicted"
    assert [place is None for place in region.x].count(True) == 2
    for trace in (region, line):
        x = np.array([np.nan if place is None else place for place in trace.x], float)
        assert np.nanmax(np.abs(np.diff(x))) < 0.1
        assert (np.abs(x - 0.5) < 0.01).any()
    assert list(line.marker.size) == [0, 0, 0, 6, 0, 0, 0]  # a place alone is a dot
    above = smooth_curve_print(found).axes[0]
    curves = [curve for curve in above.lines if curve.get_label() == "observed"]
    assert [len(curve.get_xdata()) for curve in curves] == [2, 1, 2]


def test_three_classes_have_no_curve() -> None:
    p = Predictions.from_arrays(np.full((30, 3), 1 / 3), [0, 1, 2] * 10)
    with pytest.raises(InputError, match="There are 3 classes; a band around a curve needs 2"):
        smooth_curve_figure(average_without_bins(p, DiagnosisSpec(resamples=99)))


SHAPES = {"even": (1.0, 1.0), "rare": (0.5, 10.0), "sure": (0.3, 0.3)}


@pytest.mark.parametrize("runs", [40, pytest.param(1_500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_whole_curve_of_a_calibrated_model_lies_in_its_band(shape: str, runs: int) -> None:
    """In .95 of all runs, whatever the predictions, also in small data."""
    inside = 0
    for run in range(runs):
        rng = np.random.default_rng([run, runs])
        p = two(np.clip(rng.beta(*SHAPES[shape], 80), 1e-6, 1 - 1e-6), rng)
        found = smooth_arrows(p, n_resamples=199, rng=rng)
        inside += bool((np.abs(found.curve) <= found.band * (1 + 1e-9)).all())
    print(shape, inside / runs)
    assert abs(inside / runs - 0.95) <= 3 * math.sqrt(0.05 * 0.95 / runs)
