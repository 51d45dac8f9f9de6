"""ICI, E50 and E90: the smoother against its definition and statsmodels, and the summaries by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibcore.data.predictions import Predictions
from calibcore.estimators import ici as module
from calibcore.estimators.ici import E50, E90, ICI
from calibcore.numerics.lowess import ANCHORS
from tests.made import binary
from tests.oracles import literal_binary as literal
from tests.strategies import FEW

LAWS = {"round": (2, 2), "at the ends": (0.3, 0.6), "rare": (0.3, 8)}


def problem(n: int, law: str, seed: int = 0) -> Predictions:
    rng = np.random.default_rng(seed)
    x = rng.beta(*LAWS[law], size=n)
    return binary(x, rng.random(n) < x**1.4)


def smooth_curve(p: Predictions, span: float = 2 / 3) -> tuple[np.ndarray, np.ndarray]:
    """Predictions of the first class, rising, and the curve of what happened there."""
    smoother, cells = module._smoother(p.probs[:, 0], span)
    return smoother.values, smoother.curve(cells.sums(p.labels[None] == 0))[0]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("n", "span"), [(150, 2 / 3), (150, 0.3), (40, 1.0), (7, 0.5)])
def test_curve_against_the_definition(law, n, span) -> None:
    p = problem(n, law)
    x, hits = p.probs[:, 0].tolist(), (p.labels == 0).tolist()
    at, curve = smooth_curve(p, span)
    expected = [literal.lowess_at(x0, x, hits, span) for x0 in at]
    assert curve == pytest.approx(expected, abs=1e-9)
    distances = np.abs(np.array(expected) - at)
    assert ICI(span)(p) == pytest.approx(distances.mean(), abs=1e-9)
    assert E50(span)(p) == pytest.approx(np.median(distances), abs=1e-9)
    assert E90(span)(p) == pytest.approx(np.quantile(distances, 0.9), abs=1e-9)


@pytest.mark.some(2)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("n", [180, 3000])
def test_against_statsmodels(law, n) -> None:
    """Fitted at every case there and at 200 of them here: the ICI within 1e-5, the curve within 1e-3."""
    lowess = pytest.importorskip("statsmodels.nonparametric.smoothers_lowess").lowess
    p = problem(n, law, seed=1)
    x = p.probs[:, 0]
    curve = lowess(p.labels == 0, x, frac=2 / 3, it=0, delta=0.0, return_sorted=False)
    distances = np.abs(curve - x)
    tight = 1e-9 if n <= ANCHORS else 1e-5
    assert ICI()(p) == pytest.approx(distances.mean(), abs=tight)
    assert E50()(p) == pytest.approx(np.median(distances), abs=10 * tight)
    assert E90()(p) == pytest.approx(np.quantile(distances, 0.9), abs=30 * tight)
    at, found = smooth_curve(p)
    assert np.interp(x, at, found) == pytest.approx(curve, abs=100 * tight)


@given(st.integers(2, 30), st.integers(0, 2**32 - 1))
@FEW
def test_ties_against_the_definition(n, seed) -> None:
    """Tenths: many cases at one prediction, more than the span at times."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.beta(0.5, 0.8, size=n), 1)
    hits = rng.random(n) < 0.5
    at, curve = smooth_curve(binary(x, hits))
    assert np.all(np.diff(at) > 0)
    for x0, found in zip(at, curve, strict=True):
        try:
            expected = literal.lowess_at(x0, x.tolist(), hits.tolist(), 2 / 3)
        except np.linalg.LinAlgError:  # one value only within reach: its mean
            expected = float(hits[x == x0].mean())
        assert found == pytest.approx(expected, abs=1e-7)


def test_a_line_is_found_as_a_line() -> None:
    """Outcomes whose frequency is 0.2 + 0.5·p at every prediction: distance |0.2 − 0.5·p|."""
    values = np.arange(1, 10) / 10
    x = np.repeat(values, 100)
    hits = np.concatenate([np.arange(100) < round(100 * (0.2 + 0.5 * v)) for v in values])
    at, curve = smooth_curve(binary(x, hits))
    assert curve == pytest.approx(0.2 + 0.5 * at, abs=1e-10)
    distances = np.sort(np.abs(0.2 - 0.5 * x))
    p = binary(x, hits)
    assert ICI()(p) == pytest.approx(distances.mean(), abs=1e-10)
    assert E50()(p) == pytest.approx(np.median(distances), abs=1e-10)
    assert E90()(p) == pytest.approx(np.quantile(distances, 0.9), abs=1e-10)


def test_quantiles_of_values_that_stand_for_several_cases() -> None:
    rng = np.random.default_rng(2)
    distances, counts = rng.random((6, 9)), rng.integers(1, 6, size=9)
    for level in (0.0, 0.5, 0.9, 1.0):
        expected = [np.quantile(np.repeat(row, counts), level) for row in distances]
        assert module._quantile(distances, counts, level) == pytest.approx(expected, rel=1e-14)


def test_equal_predictions_and_one_case() -> None:
    alike = binary([0.3] * 10, [1] * 4 + [0] * 6)
    one = binary([0.3], [1])
    for e in (ICI(), E50(), E90()):
        assert e(alike) == pytest.approx(0.1, rel=1e-13)
        assert e(one) == pytest.approx(0.7, rel=1e-14)


@pytest.mark.parametrize("law", LAWS)
def test_neighbours_are_pooled_in_large_files(law, monkeypatch) -> None:
    """Measured, 6,000 cases in 2,000 groups: ICI off by up to 1.3e-5, E90 by 9e-5; 60,000 in 20,000: 2e-6."""
    p = problem(6000, law, seed=3)
    exact = [e(p) for e in (ICI(), E50(), E90())]
    monkeypatch.setattr(module, "MOST_VALUES", 2000)
    assert 1990 < len(smooth_curve(p)[0]) <= 2000
    assert [e(p) for e in (ICI(), E50(), E90())] == pytest.approx(exact, abs=2e-4)
    assert ICI()(p) == pytest.approx(exact[0], abs=3e-5)
