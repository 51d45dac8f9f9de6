"""What Hypothesis draws: predictions as files hold them, with zeros, ones, ties and duplicates."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibcore.data.predictions import Predictions

FEW = settings(max_examples=settings.default.max_examples // 2)  # type: ignore[union-attr]


@st.composite
def tenths(draw: st.DrawFn, m: int) -> tuple[float, ...]:
    """One row of multiples of 0.1 that sum to 1, zeros and ones among them."""
    cuts = sorted(draw(st.lists(st.integers(0, 10), min_size=m - 1, max_size=m - 1)))
    return tuple((b - a) / 10 for a, b in zip([0, *cuts], [*cuts, 10], strict=True))


@st.composite
def smooth(draw: st.DrawFn, m: int) -> tuple[float, ...]:
    """One row of any positive weights and zeros, divided by their sum."""
    weights = draw(st.lists(st.integers(0, 1000), min_size=m, max_size=m).filter(any))
    return tuple(w / sum(weights) for w in weights)


def onehot(m: int) -> st.SearchStrategy[tuple[float, ...]]:
    """One row that is certain."""
    return st.integers(0, m - 1).map(lambda k: tuple(float(j == k) for j in range(m)))


@st.composite
def probabilities(
    draw: st.DrawFn,
    classes: tuple[int, int] = (2, 12),
    cases: tuple[int, int] = (1, 20),
    rounded: bool = False,
) -> NDArray[np.float64]:
    """(n, m) rows from a small pool, so that equal rows are common; only tenths if ``rounded``."""
    m = draw(st.integers(*classes))
    row = st.one_of(tenths(m), onehot(m)) if rounded else st.one_of(tenths(m), smooth(m), onehot(m))
    pool = draw(st.lists(row, min_size=1, max_size=cases[1]))
    return np.array(draw(st.lists(st.sampled_from(pool), min_size=cases[0], max_size=cases[1])))


@st.composite
def predictions(
    draw: st.DrawFn,
    classes: tuple[int, int] = (2, 12),
    cases: tuple[int, int] = (1, 20),
    rounded: bool = False,
) -> Predictions:
    """Any predictions with any labels, impossible ones too."""
    g = draw(probabilities(classes, cases, rounded))
    n, m = g.shape
    labels = draw(st.lists(st.integers(0, m - 1), min_size=n, max_size=n))
    return Predictions.from_arrays(g, labels, [f"class {k}" for k in range(m)])
