"""Two figures to be held against each other have the same scales."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from calibcore.data.examples import load_example
from calibcore.data.predictions import Predictions
from calibcore.diagram.binning import SimplexBinning, UniformBinning
from calibcore.diagram.reliability import Reliability, reliability
from calibcore.painters.screen.pairs import reliability_figures
from calibcore.transforms.lenses import CanonicalLens, TopKLens

Pair = tuple[Reliability, Reliability]


@pytest.fixture(scope="module")
def pair() -> Pair:
    forest, bayes = (load_example(f"digits-{name}") for name in ("forest", "naive-bayes"))
    first, second = (reliability(TopKLens(1)(p), UniformBinning(10)) for p in (forest, bayes))
    return first, second


def test_golden(pair: Pair, golden: Callable[[str, Any], None]) -> None:
    for name, figure in zip(("left", "right"), reliability_figures(pair, ("image", "image")), strict=True):
        golden(f"pair-{name}", figure)


def test_both_have_one_range_that_holds_every_well_filled_bin_and_share(pair: Pair) -> None:
    one, other = reliability_figures(pair)
    assert one.layout.yaxis.range == other.layout.yaxis.range
    assert one.layout.yaxis2.range == other.layout.yaxis2.range
    low, high = one.layout.yaxis.range
    for found in pair:
        filled = found.only(found.fullest(found.fewest_well_filled))
        for ends in (filled.deviation, filled.low, filled.high, found.deviation):
            assert low < 100 * ends.min()
            assert high > 100 * ends.max()
        assert one.layout.yaxis2.range[1] > found.histogram.max() / found.n_cases
    swapped = reliability_figures((pair[1], pair[0]))
    assert swapped[0].layout.yaxis.range == one.layout.yaxis.range


def test_the_range_is_little_wider_than_needed(pair: Pair) -> None:
    low, high = reliability_figures(pair)[0].layout.yaxis.range
    filled = [f.only(f.fullest(f.fewest_well_filled)) for f in pair]
    needed = [*(f.low for f in filled), *(f.high for f in filled), *(f.deviation for f in pair)]
    needed = 100 * np.concatenate(needed)
    assert high - low == pytest.approx(1.12 * np.ptp(needed))


def test_many_classes_begin_at_zero() -> None:
    found = reliability(CanonicalLens()(load_example("wine")), SimplexBinning(4), n_resamples=19)
    for figure in reliability_figures((found, found)):
        assert figure.layout.yaxis.range[0] == 0
        filled = found.fullest(found.fewest_well_filled)
        assert figure.layout.yaxis.range[1] > 100 * found.deviation[filled].max()


def test_weighted_cases_and_a_single_case_can_stand_side_by_side() -> None:
    weighted = Predictions.from_arrays([[0.7, 0.3], [0.2, 0.8]], [0, 0], weights=[1.0, 2.5])
    one = Predictions.from_arrays([[1.0, 0.0]], [0])
    pair = (reliability(weighted, UniformBinning(3)), reliability(one, UniformBinning(3)))
    for figure in reliability_figures(pair):
        assert np.isfinite(figure.layout.yaxis.range).all()
        assert figure.layout.yaxis.range[1] > figure.layout.yaxis.range[0]
