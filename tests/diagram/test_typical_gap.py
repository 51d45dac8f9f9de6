"""The typical gap: its definition, what it never contradicts, and how often its interval holds the truth."""

import math
from collections.abc import Callable
from dataclasses import asdict

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from calibcore import DiagnosisSpec, Predictions, diagnose
from calibcore.diagnose import typical_gap_for
from calibcore.diagram.binning import EqualMassBinning, UniformBinning
from calibcore.diagram.gap_bins import bins_along, number_of_bins, parts_by_mass
from calibcore.diagram.gap_sizes import frequencies
from calibcore.diagram.linear_gap import linear_square
from calibcore.diagram.squares import Square
from calibcore.diagram.typical_gap import FEW_CLASSES, _in_proportion, gaps_of, squares_in, typical_gap
from calibcore.numerics.resampling import draw_labels
from calibcore.numerics.types import Float
from calibcore.transforms.lenses import CanonicalLens, ClassLens, PooledLens, TopKLens
from tests.oracles import literal_typical_gap as literal

Rng = np.random.Generator


def made(n: int, m: int, seed: int, decimals: int | None = None) -> Predictions:
    """Predictions with labels from others; rounded, there are ties."""
    rng = np.random.default_rng([n, m, seed])
    g = rng.dirichlet(np.full(m, 0.7), n)
    q = rng.dirichlet(np.full(m, 0.7), n) * 0.4 + 0.6 * g
    if decimals is not None:
        g = np.round(g, decimals) + 10.0**-decimals
        g /= g.sum(axis=1, keepdims=True)
    return Predictions.from_arrays(g, draw_labels(q, rng), [f"c{k}" for k in range(m)])


# --- the definition ---------------------------------------------------------------------


@pytest.mark.parametrize("decimals", [None, 1])
@pytest.mark.parametrize("by_cases", [0.5, 1.0])
def test_bins_are_those_of_the_definition(by_cases: float, decimals: int | None) -> None:
    for seed in range(4):
        p = made(70, 2, seed, decimals).probs[:, 0] ** (seed + 1)
        order, starts = bins_along(p, 7, by_cases)
        found = sorted(sorted(rows.tolist()) for rows in np.split(order, starts[1:-1]))
        assert found == sorted(sorted(rows) for rows in literal.bins_of(p, 7, by_cases))


@pytest.mark.parametrize("decimals", [None, 1])
@pytest.mark.parametrize(("n", "m"), [(30, 3), (90, 3), (140, 5)])
def test_parts_are_those_of_the_definition(n: int, m: int, decimals: int | None) -> None:
    for seed in range(3):
        g = made(n, m, seed, decimals).probs ** (2 * seed + 1)  # sure and surer
        g /= g.sum(axis=1, keepdims=True)
        found = sorted(sorted(rows.tolist()) for rows in parts_by_mass(g))
        assert found == sorted(sorted(rows) for rows in literal.parts_of(g))


def test_parts_are_finer_where_a_sure_model_is_unsure() -> None:
    rng = np.random.default_rng(3)
    sure = rng.random(2_000) < 0.9
    g = np.where(sure[:, None], rng.dirichlet([500.0, 1.0, 1.0], 2_000), rng.dirichlet(np.ones(3) * 5, 2_000))
    sizes = np.empty(2_000)
    for rows in parts_by_mass(g):
        sizes[rows] = len(rows)
    assert np.median(sizes[~sure]) < 8 < 20 < np.median(sizes[sure])


@pytest.mark.parametrize(("n", "bins"), [(10, 5), (100, 13), (300, 25), (1_000, 50), (10_000, 201)])
def test_the_number_of_bins(n: int, bins: int) -> None:
    assert number_of_bins(n) == bins


@pytest.mark.parametrize("decimals", [None, 1])
def test_two_classes_follow_the_definition(decimals: int | None) -> None:
    p = made(90, 2, 1, decimals)
    residuals = (p.labels == 0)[:, None] - p.probs[:, :1]
    expected = literal.square_of(residuals, literal.bins_of(p.probs[:, 0], number_of_bins(90), 0.5))
    (square,) = squares_in(p)[0]
    assert square.value == pytest.approx(expected, abs=1e-14)
    found = typical_gap(p, frequencies(p))
    net = abs(frequencies(p)[0].gap.value)
    assert found.value == pytest.approx(max(net, math.sqrt(max(0.0, expected))), abs=1e-12)


def in_proportion(p: Predictions, c: int) -> Float:
    """Residuals along the direction in which class c takes from the others in proportion to them."""
    found = []
    for g, r in zip(p.probs, p.onehot() - p.probs, strict=True):
        v = np.array([1.0 if k == c else -g[k] / (1 - g[c]) for k in range(p.m)])
        found.append(float(v @ r) / math.sqrt(float(v @ v)))
    return np.array(found)


def test_the_variance_along_a_direction_is_that_of_calibrated_models() -> None:
    p = made(30, 4, 6)
    everything = [p.with_cases(np.arange(30), np.full(30, k)) for k in range(4)]
    off = np.array([in_proportion(one, 2) for one in everything])  # (labels, cases)
    mean = (p.probs.T * off).sum(axis=0)
    found, claimed = _in_proportion(p.probs, p.labels, 2)
    assert found == pytest.approx(in_proportion(p, 2), abs=1e-12)
    assert mean == pytest.approx(np.zeros(30), abs=1e-12)
    assert claimed == pytest.approx((p.probs.T * np.square(off)).sum(axis=0), abs=1e-12)


@pytest.mark.parametrize(("m", "decimals"), [(3, None), (3, 1), (5, None)])
def test_more_classes_follow_the_definition(m: int, decimals: int | None) -> None:
    p = made(80, m, 2, decimals)
    r, k = p.onehot() - p.probs, number_of_bins(80)
    top = TopKLens(1)(p)
    share = m / (2 * (m - 1))

    def along(x: Float, off: Float, by_cases: float) -> float:
        return literal.square_of(off[:, None], literal.bins_of(x, k, by_cases))

    expected = [
        literal.square_of(r, literal.parts_of(p.probs)) / 2,
        sum(along(p.probs[:, c], r[:, c], 1.0) for c in range(m)) / 2,
        share * along(top.probs[:, 0], (top.labels == 0) - top.probs[:, 0], 0.5),
        *(along(p.probs[:, c], in_proportion(p, c), 0.5) / 2 for c in range(m)),
        literal.linear_square(p.probs, p.labels) / 2,
    ]
    squares, _ = squares_in(p)
    assert [one.value for one in squares] == pytest.approx(expected, rel=1e-6, abs=1e-10)
    found, low, high, limit = typical_gap(p), 0.0, 0.0, 0.0
    wider = float(ndtri(1 - 0.025 / len(squares)))
    for one in squares:
        low = max(low, math.sqrt(max(0.0, one.value - wider * math.sqrt(one.variance))))
        high = max(high, math.sqrt(max(0.0, one.value + one.half)))
        limit = max(limit, math.sqrt(max(0.0, one.value + float(ndtri(0.9)) * math.sqrt(one.variance))))
    assert found.limit == (pytest.approx(max(found.value, limit), abs=1e-12) if m == 3 else None)
    assert found.low >= low - 1e-12
    assert found.high >= high - 1e-12
    best = squares[0]
    for one in (*squares[1:3], max(squares[3:-1], key=lambda s: s.value), squares[-1]):
        weight = float(ndtr((best.value - one.value) / math.sqrt(best.variance + one.variance)))
        best = Square(*(weight * a + (1 - weight) * b for a, b in zip(
            (best.value, best.variance), (one.value, one.variance), strict=True)))  # fmt: skip
    own = frequencies(top)[0].gap.value
    assert found.value == pytest.approx(max(math.sqrt(share) * abs(own), math.sqrt(max(0, best.value))))


def test_units_count_pairs_of_different_ones() -> None:
    p, unit = made(60, 3, 3), np.random.default_rng(1).integers(25, size=60)
    unit = np.unique(unit, return_inverse=True)[1]
    squares, _ = squares_in(p, unit)
    r = p.onehot() - p.probs
    parts = literal.parts_of(p.probs)
    assert squares[0].value == pytest.approx(literal.square_of(r, parts, unit) / 2, abs=1e-12)
    bins = literal.bins_of(p.probs[:, 1], number_of_bins(60), 0.5)
    expected = 0.5 * literal.square_of(in_proportion(p, 1)[:, None], bins, unit)
    assert squares[4].value == pytest.approx(expected, abs=1e-12)
    alone, _ = squares_in(p, np.arange(60))
    for one, other in zip(alone, squares_in(p)[0], strict=True):
        assert one.value == pytest.approx(other.value, abs=1e-12)
        assert one.variance >= other.variance


def test_what_linear_errors_leave_to_see_is_all_of_a_rotation() -> None:
    """Classes that take from each other in turn: no bins along one class see it."""
    rng = np.random.default_rng(8)
    g = rng.dirichlet(np.full(6, 1.0), 6_000)
    q = g * (1 + 0.8 * (np.roll(g, 1, axis=1) - np.roll(g, -1, axis=1)))
    q /= q.sum(axis=1, keepdims=True)
    truth = math.sqrt(np.square(q - g).sum(axis=1).mean() / 2)
    p = Predictions.from_arrays(g, draw_labels(q, rng))
    linear, ratio = linear_square(p)
    assert math.sqrt(linear.value) == pytest.approx(truth, rel=0.1)
    size = 0.5 * np.abs(q - g).sum(axis=1).mean()
    assert ratio == pytest.approx(size / truth, rel=0.2)
    found = typical_gap(p)
    assert found.low <= truth <= found.high
    assert found.total_variation is not None
    assert found.total_variation >= size


# --- one number everywhere ----------------------------------------------------------------


def test_the_diagram_s_bins_change_nothing() -> None:
    p = made(200, 2, 4)
    spec = DiagnosisSpec(resamples=19, tests=(), estimates=())
    seen = {
        asdict(d.typical_gap)["value"]
        for binning in (UniformBinning(2), UniformBinning(40), EqualMassBinning(7))
        if (
            d := diagnose(p, DiagnosisSpec(binning=binning, resamples=19, tests=(), estimates=()))
        ).typical_gap
    }
    assert seen == {typical_gap_for(p, spec).value}


def test_a_class_and_its_complement_have_one_number() -> None:
    for seed in range(5):
        p = made(150, 2, seed, decimals=2 if seed % 2 else None)
        one, other = (typical_gap_for(p, DiagnosisSpec(lens=ClassLens(name))) for name in ("c0", "c1"))
        assert asdict(one) == pytest.approx(asdict(other), abs=1e-9)
        assert asdict(typical_gap_for(p, DiagnosisSpec(lens=CanonicalLens()))) == pytest.approx(
            asdict(one), abs=1e-9
        )


@pytest.mark.parametrize("m", [2, 3, 12])
def test_the_order_of_cases_changes_nothing(m: int) -> None:
    p = made(150, m, 5, decimals=2)
    rows = np.random.default_rng(1).permutation(150)
    one, other = (typical_gap(x, frequencies(x)) for x in (p, p.with_rows(rows)))
    assert (one.value, one.low, one.high) == pytest.approx((other.value, other.low, other.high), rel=1e-9)


# --- what it never contradicts --------------------------------------------------------------


@pytest.mark.some(1)
@pytest.mark.parametrize("m", [2, 3, 7, 12])
def test_no_size_lies_below_a_bound_beside_it(m: int) -> None:
    """Of random files, few and many cases, certain, tied or all alike: low ≤ estimate ≤ high, and no root
    mean square is below its own mean."""
    rng = np.random.default_rng(m)
    for i in range(60):
        n = int(rng.integers(2, 120))
        g = rng.dirichlet(np.full(m, rng.choice([0.02, 0.3, 3.0])), n)
        if i % 4 == 1:
            g = np.eye(m)[rng.integers(m, size=n)]
        elif i % 4 == 2:
            g = np.tile(rng.dirichlet(np.ones(m)), (n, 1))
        g = g / g.sum(axis=1, keepdims=True)
        p = Predictions.from_arrays(g, rng.integers(m, size=n))
        unit = None
        if i % 3 == 0 and n > 4:
            unit = np.unique(rng.integers(n // 2, size=n), return_inverse=True)[1]
        found, classes = gaps_of(p, unit)
        assert 0 <= found.low <= found.value <= found.high <= 1
        assert (found.limit is None) == (m > 3)
        assert found.limit is None or found.value <= found.limit <= found.high
        share = math.sqrt(m / (2 * (m - 1)))
        assert (
            found.value >= math.sqrt(sum(one.gap.value**2 for one in classes) / (1 if m == 2 else 2)) - 1e-12
        )
        assert found.high >= share * max(max(-one.gap.low, one.gap.high) for one in classes) - 1e-12
        assert (found.total_variation is None) == (not 2 < m <= FEW_CLASSES)
        top = TopKLens(1)(p)
        own, (net,) = gaps_of(top, unit)
        assert own.value >= abs(net.gap.value)
        assert m == 2 or found.value >= share * abs(net.gap.value) - 1e-12


def test_pairs_of_one_case_are_not_taken_for_pairs_of_cases() -> None:
    """Of pooled pairs those of one case are negatively correlated: counted, they would hide what is off."""
    rng = np.random.default_rng(2)
    found = []
    for _ in range(60):
        g = rng.dirichlet(np.ones(10), 60)
        p = Predictions.from_arrays(g, draw_labels(g, rng))
        (square,) = squares_in(PooledLens()(p))[0]
        found.append(square.value)
    assert abs(np.mean(found)) <= 3 * np.std(found) / math.sqrt(60) + 1e-12


# --- coverage -------------------------------------------------------------------------------


def softmax(x: Float) -> Float:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return np.asarray(e / e.sum(axis=1, keepdims=True))


def log(g: Float) -> Float:
    return np.log(np.clip(g, 1e-12, None))


def ranks(x: Float) -> Float:
    return np.argsort(np.argsort(x, kind="stable"), kind="stable") / len(x)


def moved(g: Float, by: Float) -> Float:
    """With the log-odds of the first class moved."""
    logs = log(g)
    logs[:, 0] += by
    return softmax(logs)


def traded(g: Float, by: Float, one: int, other: int) -> Float:
    """With the log-odds of one class moved, and those of another the other way."""
    logs = log(g)
    logs[:, one] += by
    logs[:, other] -= by
    return softmax(logs)


def surest(g: Float, s: float) -> Float:
    sure = g.max(axis=1) >= np.quantile(g.max(axis=1), 0.9)
    return np.where(sure[:, None], softmax(log(g) / (1 + s)), g)


SHAPES: dict[str, Callable[[Float, float], Float]] = {
    "too sure": lambda g, s: softmax(log(g) / (1 + s)),
    "shift": lambda g, s: moved(g, np.full(len(g), s)),
    "4 waves": lambda g, s: moved(g, s * np.sin(8 * np.pi * g[:, 0])),
    "12 waves": lambda g, s: moved(g, s * np.sin(24 * np.pi * g[:, 0])),
    "pocket of 5 %": lambda g, s: moved(g, -s * ((r := ranks(g[:, 0])) >= 0.9) * (r < 0.95)),
    "surest tenth": surest,
    "step at one half": lambda g, s: moved(g, s * np.sign(g[:, 0] - 0.5)),
    "only above 30 %": lambda g, s: moved(g, s * (g[:, 0] > 0.3)),
    "bumps": lambda g, s: moved(g, s * np.sign(np.sin(10 * np.pi * ranks(g[:, 0])))),
    "far tails": lambda g, s: moved(g, s * (np.abs(ranks(g[:, 0]) - 0.5) > 0.42)),
    "growing": lambda g, s: moved(g, s * ranks(g[:, 0]) ** 2),
}
"""The last five are in no definition."""
SHAPES_OF_MORE = SHAPES | {
    "checkerboard": lambda g, s: traded(
        g, s / 2 * np.sign(np.sin(3 * np.pi * g[:, 0]) * np.sin(3 * np.pi * g[:, 1])), 0, 1
    ),
    "rings": lambda g, s: traded(
        g, s / 2 * np.sign(np.sin(6 * np.pi * np.sqrt(np.square(g - 1 / g.shape[1]).sum(axis=1)))), -1, -2
    ),
}
LAWS: dict[str, Callable[[Rng, int, int], Float]] = {
    "broad": lambda rng, n, m: rng.dirichlet(np.full(m, 0.5), n),
    "sure": lambda rng, n, m: softmax(
        rng.normal(size=(n, m))
        + rng.choice([3.0, 7.0, 11.0], n)[:, None] * np.eye(m)[rng.integers(m, size=n)]
    ),
    "rare": lambda rng, n, m: softmax(1.2 * rng.normal(size=(n, m)) - 4.0 * np.eye(m)[0]),
    "rounded": lambda rng, n, m: _rounded(rng.dirichlet(np.full(m, 0.5), n)),
    "few leaves": lambda rng, n, m: rng.dirichlet(np.full(m, 0.7), 8)[rng.integers(8, size=n)],
}


def _rounded(g: Float) -> Float:
    g = np.round(g, 2)
    g[:, -1] = 1 - g[:, :-1].sum(axis=1)
    return np.clip(g, 0, 1) / np.clip(g, 0, 1).sum(axis=1, keepdims=True)


def rms(g: Float, q: Float) -> float:
    return math.sqrt(np.square(q - g).sum(axis=1).mean() / 2)


def off_by(shape: str, g: Float, size: float = 0.07) -> Float | None:
    """Chances from which ``g`` is off by so much as a root mean square; None where it cannot be.

    A function of the prediction: cases with the same one have the same.
    """
    _, one = np.unique(g, axis=0, return_inverse=True)
    one = one.ravel()

    def chances(s: float) -> Float:
        q = SHAPES_OF_MORE[shape](g, s)
        sums = np.column_stack([np.bincount(one, column) for column in q.T])
        return np.asarray((sums / np.bincount(one)[:, None])[one])

    low, high = 0.0, 60.0
    if rms(g, chances(high)) < size:
        return None
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if rms(g, chances(middle)) < size else (low, middle)
    return chances(high)


def covered(law: str, shape: str, n: int, m: int, sets: int, files: int = 4) -> float | None:
    """How often the interval holds the full root mean square; None where no file can be so far off."""
    rng, held, done = np.random.default_rng([n, m, *law.encode(), *shape.encode()]), 0, 0
    for _ in range(files):
        g = LAWS[law](rng, n, m)
        q = g if shape == "calibrated" else off_by(shape, g)
        if q is None:
            continue
        truth = rms(g, q)
        for _ in range(sets // files):
            found, _ = gaps_of(Predictions.from_arrays(g, draw_labels(q, rng)))
            held += found.low <= truth + 1e-12 and truth <= found.high
            done += 1
    return held / done if done else None


PROMISED = 0.85
"""How often the interval of three and more classes holds the whole error: docs/statistics/typical-gap.md."""


def least(sets: int, share: float = 0.9) -> float:
    return share - 3 * math.sqrt(share * (1 - share) / sets)


@pytest.mark.some(1)
@pytest.mark.parametrize("shape", ["calibrated", "surest tenth", "pocket of 5 %", "4 waves"])
def test_the_interval_holds_the_whole_error(shape: str) -> None:
    """In ten equally wide bins these covered .00 to .20 at 3,000 cases."""
    found = covered("broad", shape, 3_000, 2, 40)
    assert found is not None
    assert found >= least(40)


@pytest.mark.slow
@pytest.mark.parametrize("n", [100, 300, 1_000, 3_000, 10_000])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("shape", ["calibrated", *SHAPES])
def test_coverage_of_two_classes(shape: str, law: str, n: int) -> None:
    found = covered(law, shape, n, 2, 200)
    print(f"{law}, {shape}, {n}: {found}")
    assert found is None or found >= least(200)


SIZES_OF_MORE = ((3, 300), (3, 3_000), (5, 1_000), (5, 3_000), (10, 3_000))
ONE_CLASS = ("calibrated", "too sure", "shift", "4 waves", "12 waves", "surest tenth", "growing")


@pytest.mark.slow
@pytest.mark.parametrize("law", ["broad", "sure"])
@pytest.mark.parametrize(
    ("shape", "m", "n"),
    [(shape, *size) for shape in ONE_CLASS for size in SIZES_OF_MORE]
    + [("checkerboard", 3, 300), ("checkerboard", 3, 3_000)],
)
def test_coverage_of_more_classes(shape: str, m: int, n: int, law: str) -> None:
    """Checkerboards of more than three classes may stay hidden, see docs/statistics/typical-gap.md."""
    found = covered(law, shape, n, m, 40, files=2)
    print(f"{law}, {shape}, m = {m}, {n}: {found}")
    assert found is None or found >= least(40, PROMISED)


@pytest.mark.slow
def test_rings_that_averaged_out_where_a_sure_model_is_unsure() -> None:
    """In bins that go by cases alone the interval held these in .20."""
    found = covered("sure", "rings", 3_000, 3, 80)
    assert found is not None
    assert found >= least(80, 0.8)


@pytest.mark.parametrize("runs", [40, pytest.param(300, marks=pytest.mark.slow)])
@pytest.mark.parametrize("m", [2, 3])
def test_coverage_over_units(m: int, runs: int) -> None:
    """40 patients with 5 rows each that share what pushes their outcomes; the model is too sure."""
    held, unit = 0, np.repeat(np.arange(40), 5)
    for k in range(runs):
        rng = np.random.default_rng([k, 7, m])
        g = softmax(1.5 * rng.normal(size=(200, m)))
        chances = softmax(log(g) / 1.5)
        shared = 0.7 * rng.normal(size=40)[unit] + math.sqrt(1 - 0.49) * rng.normal(size=200)
        y = (ndtr(shared)[:, None] > chances.cumsum(axis=1)[:, :-1]).sum(axis=1)
        found, _ = gaps_of(Predictions.from_arrays(g, y), unit)
        held += found.low <= rms(g, chances) <= found.high
    print(f"units, m = {m}: {held / runs}")
    assert held / runs >= least(runs)
