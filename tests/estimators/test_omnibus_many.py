"""Many cases: bins of a line and groups of neighbours against what they stand for, case by case."""

from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np
import pytest
from numpy.testing import assert_allclose

from calibcore.data.predictions import Predictions
from calibcore.estimators import _groups
from calibcore.estimators._cell_sums import FEW
from calibcore.estimators._cells import Cells
from calibcore.estimators._groups import Groups
from calibcore.estimators._groups import _draw as _draw_groups
from calibcore.estimators._label_blocks import RowByRow, drawn_block, thresholds
from calibcore.estimators._line import Line
from calibcore.estimators._line_bins import BINS, PART, Bins, Points, _draw
from calibcore.estimators._omnibus import POINTS_UP_TO, Statistics, statistics_of, temperature_score
from calibcore.estimators._omnibus_parts import Confidence, Others, bandwidths_of
from calibcore.hypothesis_tests import ExactOmnibusTest
from calibcore.kernels import ExponentialKernel, Kernel
from calibcore.numerics import engine
from calibcore.numerics.lanes import lanes
from calibcore.numerics.resampling import class_edges, draw_labels
from tests.numerics.test_lanes import _numbers, words_of

KERNEL = ExponentialKernel()


def made(n: int, m: int, concentration: float = 0.5, seed: int = 0) -> Predictions:
    rng = np.random.default_rng(seed)
    g = rng.dirichlet(np.full(m, concentration), size=n)
    return Predictions.from_arrays(g, draw_labels(g, rng), [str(k) for k in range(m)])


def lens_labels(p: Predictions, size: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.array([draw_labels(p.probs, rng) for _ in range(size)])


def by_case(p: Predictions, kernel: Kernel, monkeypatch: pytest.MonkeyPatch) -> Statistics:
    with monkeypatch.context() as patch:
        patch.setattr("calibcore.estimators._omnibus.POINTS_UP_TO", 10**9)
        patch.setattr(_groups, "FROM", 10**9)
        patch.setattr("calibcore.estimators._omnibus._prepared", WeakKeyDictionary())
        return statistics_of(p, kernel)


# --- two classes: bins ----------------------------------------------------------------


def drawn(bins: Bins, probs: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    hits, sums = bins._empty()
    of = lanes(np.random.default_rng(seed))
    _draw(of, *bins.chances(probs), bins.bin, bins.columns, hits, sums)
    return hits, sums


def bins_of_two(probs: np.ndarray) -> Bins:
    kernels = [replace(KERNEL, bandwidth=nu) for nu in bandwidths_of(probs, KERNEL.metric)]
    return Bins.of(kernels, probs, Others.of(probs))


def test_labels_of_bins_are_drawn_as_their_definition_says() -> None:
    """A byte against the chance in steps of 2⁻⁸; where it is equal, another number against what is left."""
    p = made(2 * PART + 40, 2).probs
    bins = bins_of_two(p)
    of = lanes(np.random.default_rng(11))
    words, further = (np.empty((len(p), k), np.uint64) for k in (8, 1))
    by_lane = [words_of(lane, 2 * len(p)) for lane in of]
    for k in range(8):
        words[:, k] = by_lane[k % 4][k // 4 :: 2][: len(p)]
    further[:, 0] = by_lane[4][: len(p)]
    more = np.empty((len(p), 64))
    _numbers(further[:, 0].copy(), more)
    chance = 256 * p[bins.order, 0]
    whole = np.minimum(np.floor(chance), 255)
    places = words.view(np.uint8)
    labels = (places > whole[:, None]) | ((places == whole[:, None]) & (more >= (chance - whole)[:, None]))
    hits, sums = drawn(bins, p, 11)
    for b in range(len(hits)):
        np.testing.assert_array_equal(hits[b], labels[bins.bin == b].sum(axis=0))
    np.testing.assert_array_equal(
        sums, np.array([column @ labels for column in bins.columns.T.astype(np.int64)])
    )
    units = np.abs(bins.columns * bins.units - np.diff(Others.of(p).logs, axis=1)[bins.order])
    assert units.max() < 1e-5


def test_impossible_labels_are_counted_as_whole_numbers() -> None:
    """Of ten million cases that rule a class out, what is left of rounding would look like one of them."""
    first = np.concatenate([np.zeros(3_000), np.ones(2_000), np.linspace(0.1, 0.9, 500)])
    p = np.column_stack([first, 1 - first])
    bins = bins_of_two(p)
    assert bins.columns.shape[1] == 2
    np.testing.assert_array_equal(np.exp2(np.round(np.log2(bins.units))), bins.units)
    np.testing.assert_array_equal(np.unique(bins.columns[:, 1] * bins.units[1]), [-1, 0, 1])
    held = drawn(bins, p, 3)[1][1] * bins.units[1]
    np.testing.assert_array_equal(held + bins.fixed[1], np.zeros(64))


def test_labels_of_bins_happen_as_often_as_they_should() -> None:
    """With chances of 0, of 1 and on a step too; and more chance takes no label away."""
    steps = np.array([0.0, 1.0, 0.5, 0.25, 1 / 256, 255 / 256, 0.3, 0.0001, 0.9999])
    first = np.repeat(steps, 700)
    p = np.column_stack([first, 1 - first])
    bins = bins_of_two(p)
    counts = np.mean([drawn(bins, p, seed)[0] for seed in range(40)], axis=(0, 2))
    chances = np.bincount(bins.bin, p[bins.order, 1])
    spread = np.sqrt(np.bincount(bins.bin, (p[:, 0] * p[:, 1])[bins.order]) / (40 * 64))
    assert (np.abs(counts - chances) <= 4.5 * spread + 1e-9).all()
    more = np.column_stack([0.97 * first, 1 - 0.97 * first])
    assert (drawn(bins, more, 5)[0] >= drawn(bins, p, 5)[0]).all()


@pytest.mark.parametrize("matrix", [None, ((2.0, 0.5), (0.5, 1.0))])
def test_bins_are_points_at_their_means(matrix: tuple[tuple[float, ...], ...] | None) -> None:
    """Every kernel sum of bins is the one of cases that all lie at the mean of their bin.

    What a label adds to the squares of the residuals themselves is the mean of its bin, too.
    """
    p, kernel = made(6_000, 2), ExponentialKernel(class_matrix=matrix)
    kernels = [replace(kernel, bandwidth=nu) for nu in bandwidths_of(p.probs, kernel.metric)]
    statistics = statistics_of(p, kernel)
    bins = statistics.cells  # type: ignore[attr-defined]
    assert isinstance(bins, Bins)
    assert len(bins.lines.order) <= BINS
    moved = np.empty_like(p.probs)
    sizes = np.bincount(bins.bin)
    for k in range(2):
        moved[bins.order, k] = (np.bincount(bins.bin, p.probs[bins.order, k]) / sizes)[bins.bin]
    labels = lens_labels(p, 70)
    ours = statistics.evaluate(labels)
    factor = kernel.factor(2)
    L = np.eye(2) if factor is None else factor
    number = np.empty(p.n, int)
    number[bins.order] = bins.bin
    squares = [(((np.eye(2)[k] - p.probs) @ L) ** 2).sum(axis=1) for k in range(2)]
    means = np.bincount(number, squares[1] - squares[0]) / sizes
    for j, one in enumerate(kernels):
        line = Line.of(one, moved)
        for s in (0, 63, 64, 69):
            r = (np.eye(2)[labels[s]] - p.probs) @ L
            own = squares[0].sum() + means[number] @ labels[s]
            pairs = (line.pair_sum(r) + 0.5 * ((r**2).sum() - own)) / (p.n * (p.n - 1) / 2)
            assert ours[j, s] == pytest.approx(pairs, rel=1e-7, abs=1e-12)


def test_bins_stand_for_the_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    p = made(6_000, 2)
    labels = lens_labels(p, 200)
    ours, cases = statistics_of(p, KERNEL), by_case(p, KERNEL, monkeypatch)
    assert isinstance(ours.cells, Bins)  # type: ignore[attr-defined]
    assert isinstance(cases.cells, Points)  # type: ignore[attr-defined]
    mine, theirs = ours.evaluate(labels), cases.evaluate(labels)
    assert_allclose(mine[6:], theirs[6:], rtol=1e-9)
    assert_allclose(mine[5], theirs[5], rtol=0, atol=1e-4 * theirs[5].std())  # logarithms in whole units
    for j, least in enumerate((0.99999, 0.99999, 0.9999, 0.999, 0.99)):
        assert np.corrcoef(mine[j], theirs[j])[0, 1] >= least
        assert mine[j].std() == pytest.approx(theirs[j].std(), rel=0.05)


def test_draws_in_bins_follow_the_chances() -> None:
    """Also where a byte does not decide, and where the prediction is sure."""
    g = np.tile([[0.3, 0.7], [0.0, 1.0], [1.0, 0.0], [1e-6, 1 - 1e-6]], (2_000, 1))
    p = Predictions.from_arrays(g, np.ones(len(g), int) * (g[:, 0] < 0.5), ["a", "b"])
    statistics = statistics_of(p, KERNEL)
    assert isinstance(statistics.cells, Bins)  # type: ignore[attr-defined]
    drawn = statistics.draw(p.probs, 1_280, np.random.default_rng(2))
    mean, sd = drawn.mean(axis=1), drawn.std(axis=1)
    assert np.all(np.isfinite(drawn))  # nothing impossible was drawn
    assert np.all(np.abs(mean[:5]) <= 4 * sd[:5] / np.sqrt(1_280))
    assert mean[6] == pytest.approx(1.0, abs=0.2)  # χ² of one degree of freedom


# --- three and more: groups -----------------------------------------------------------


@pytest.mark.parametrize(("n", "m", "concentration"), [(40_000, 3, 0.1), (25_000, 4, 0.02)])
def test_groups_are_cases_that_share_their_cells(n: int, m: int, concentration: float) -> None:
    """Literally: cells of the groups' trees, all cases of a group in one."""
    p = made(n, m, concentration)
    statistics = statistics_of(p, KERNEL)
    groups = statistics.cells  # type: ignore[attr-defined]
    assert isinstance(groups, Groups)
    labels = lens_labels(p, 66)
    ours = statistics.evaluate(labels)
    for s in (0, 63, 65):
        r = (np.eye(m)[labels[s]] - p.probs)[groups.order]
        number = np.repeat(np.arange(len(groups.sizes)), groups.sizes)
        sums = np.column_stack([np.bincount(number, r[:, k]) for k in range(m)])
        own, total = (r**2).sum(), np.zeros(5)
        for order, opens in zip(groups.partitions.order, groups.partitions.opens, strict=True):
            for level in range(5):
                cell = np.cumsum(opens <= level) - 1
                squares = [np.bincount(cell, sums[order, k]) ** 2 for k in range(m)]
                total[level] += (np.sum(squares) - own) / 2 / groups.partitions.trees
        # What is linear in labels is added up in whole units, as in bins.
        assert_allclose(ours[:5, s], total / (n * (n - 1) / 2), rtol=1e-8, atol=1e-12)


def test_labels_of_groups_are_drawn_as_their_definition_says() -> None:
    """A byte against each edge in steps of 2⁻⁸; where it is equal, another number against what is left."""
    g = np.repeat(made(300, 4, 0.3).probs, 80, axis=0)
    g[:4_000, 0], g[4_000:8_000] = 0.0, [0.25, 0.5, 0.25, 0.0]
    g /= g.sum(axis=1, keepdims=True)
    groups = Groups.of(g, "euclidean", bandwidths_of(g, "euclidean"), Others.of(g))
    assert groups is not None
    of, ends = lanes(np.random.default_rng(11)), np.cumsum(groups.sizes)
    by_lane = [words_of(lane, 2 * len(g)) for lane in of]
    words = np.stack([by_lane[k % 4][k // 4 :: 2][: len(g)] for k in range(8)], axis=1)
    more = np.empty((len(g), 64))
    _numbers(by_lane[4][: len(g)], more)
    edges = 256 * class_edges(g[groups.order])
    whole = np.minimum(np.floor(edges), 255)
    places, left = np.ascontiguousarray(words).view(np.uint8), (edges - whole).astype(np.float32)
    labels = sum(
        ((places > whole[:, [k]]) | ((places == whole[:, [k]]) & (more >= left[:, [k]]))).astype(int)
        for k in range(3)
    )
    counts, added = groups._empty()
    _draw_groups(of, *groups.chances(g), groups.sizes, groups.columns, counts, added)
    for k in range(4):
        of_class = np.add.reduceat(labels == k, ends - groups.sizes, axis=0)
        np.testing.assert_array_equal(counts[:, k], of_class)
    columns = groups.columns.astype(np.int64)
    expected = sum(columns[:, :, k].T @ (labels > k) for k in range(3))
    np.testing.assert_array_equal(added, expected)
    possible = np.take_along_axis(g[groups.order], np.asarray(labels), axis=1)
    assert possible.min() > 0


def test_a_group_has_no_more_cases_than_a_byte_counts() -> None:
    """Larger ones are in parts, whose cases lie beside each other and are cut apart by no tree."""
    g = np.repeat(made(60, 3).probs, [FEW + 1, 2 * FEW, 300, 1_000, 1] * 12, axis=0)
    g[: FEW + 1] += np.linspace(0, 1e-7, FEW + 1)[:, None] * [1, -1, 0]
    p = Predictions.from_arrays(g, np.zeros(len(g), int), ["a", "b", "c"])
    cells = statistics_of(p, KERNEL).cells  # type: ignore[attr-defined]
    assert isinstance(cells, Groups)
    assert cells.sizes.sum() == len(g)
    number = np.repeat(np.arange(len(cells.sizes)), cells.sizes)
    assert cells.sizes.max() == FEW
    for group in range(len(cells.sizes)):
        cases = np.sort(cells.order[number == group])
        assert len(np.unique(g[cases].round(5), axis=0)) == 1


@pytest.mark.slow
def test_groups_stand_for_the_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    p = made(30_000, 3, 0.1)
    labels = lens_labels(p, 130)
    ours, cases = statistics_of(p, KERNEL), by_case(p, KERNEL, monkeypatch)
    assert isinstance(ours.cells, Groups)  # type: ignore[attr-defined]
    assert isinstance(cases.cells, Cells)  # type: ignore[attr-defined]
    mine, theirs = ours.evaluate(labels), cases.evaluate(labels)
    assert_allclose(mine[6], theirs[6], rtol=1e-9, atol=1e-7)
    # Logs are added up in whole units, as in bins.
    assert np.abs(mine[5] - theirs[5]).max() <= 2e-4 * theirs[5].std()
    assert np.corrcoef(mine[7], theirs[7])[0, 1] >= 0.999
    assert np.corrcoef(mine[8], theirs[8])[0, 1] >= 0.97
    for j in range(5):  # other trees: as near as random partitions are
        assert np.corrcoef(mine[j], theirs[j])[0, 1] >= 0.7


def test_draws_in_groups_follow_the_predictions() -> None:
    g = np.repeat([[0.2, 0.5, 0.3], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [1.0, 0.0, 0.0]], 8_000, axis=0)
    p = Predictions.from_arrays(g, g.argmax(axis=1), ["a", "b", "c"])
    groups = Groups.of(g, "euclidean", bandwidths_of(g, "euclidean"), Others.of(g))
    assert groups is not None
    drawn = statistics_of(p, KERNEL).draw(p.probs, 1_280, np.random.default_rng(2))
    mean, sd = drawn.mean(axis=1), drawn.std(axis=1)
    assert np.all(np.isfinite(drawn))
    for j in (0, 1, 2, 3, 4, 7, 8):
        assert abs(mean[j]) <= 4.5 * sd[j] / np.sqrt(1_280)
    assert mean[6] == pytest.approx(2.0, abs=0.25)


def test_cases_far_apart_are_no_groups() -> None:
    g = made(21_000, 10, 1.0).probs
    assert Groups.of(g, "euclidean", bandwidths_of(g, "euclidean"), Others.of(g)) is None
    few = made(500, 3).probs
    assert Groups.of(few, "euclidean", bandwidths_of(few, "euclidean"), Others.of(few)) is None


@pytest.mark.slow
@pytest.mark.parametrize(("n", "m"), [(5_000, 2), (21_000, 3)])
def test_threads_change_nothing_and_impossible_outcomes_are_seen(
    n: int, m: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    g = made(n, m, 0.1).probs.copy()
    g[:50] = np.eye(m)[0]
    rng = np.random.default_rng(3)
    y = draw_labels(g, rng)
    p = Predictions.from_arrays(g, y, [str(k) for k in range(m)])
    test = ExactOmnibusTest(n_resamples=199)
    found = test(p, np.random.default_rng(3))
    monkeypatch.setattr(engine, "threads", lambda: 1)
    anew = Predictions.from_arrays(g, y, p.class_names)
    again = test(anew, np.random.default_rng(3))
    assert found.pvalue == again.pvalue
    assert found.statistic == again.statistic
    assert found.pvalue > 0.01
    y[7] = 1
    refuted = test(Predictions.from_arrays(g, y, p.class_names), np.random.default_rng(3))
    assert refuted.pvalue == 1 / 200
    assert refuted.decided_by is not None
    assert refuted.decided_by.name == "temperature"


def test_bins_begin_where_said() -> None:
    assert isinstance(statistics_of(made(POINTS_UP_TO, 2), KERNEL).cells, Points)  # type: ignore[attr-defined]
    assert isinstance(statistics_of(made(POINTS_UP_TO + 1, 2), KERNEL).cells, Bins)  # type: ignore[attr-defined]


# --- many classes ---------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("concentration", [0.5, 0.01])
def test_over_many_classes_a_row_is_read_once_for_many_sets(concentration: float) -> None:
    """The labels are those of the thresholds, the sums those of their definitions."""
    p = made(700, 130, concentration)
    statistics = statistics_of(p, KERNEL)
    cells = statistics.cells  # type: ignore[attr-defined]
    assert isinstance(cells, Cells)
    assert cells.logs is None
    streams = np.random.default_rng(5).spawn(3)
    edges = thresholds(p.probs[cells.partitions.cases])
    labels = np.empty((3 * 64, p.n), np.int16)
    for b, rng in enumerate(np.random.default_rng(5).spawn(3)):
        labels[b * 64 : b * 64 + 64, cells.partitions.cases] = drawn_block(edges, rng).T
    assert_allclose(
        cells.of_draws(p.probs, streams)[0],
        np.hstack([cells.of_labels(labels[i : i + 64])[0] for i in (0, 64, 128)]),
    )
    ours, others = statistics.evaluate(labels), Others.of(p.probs)(labels)
    assert_allclose(ours[5:7], others, rtol=1e-9, atol=1e-9)
    drawn = statistics.draw(p.probs, 192, np.random.default_rng(5))
    assert_allclose(drawn, ours, rtol=1e-9, atol=1e-12)
    # Made when they are asked for, probabilities draw the same.
    made_later = RowByRow(lambda rows: p.probs[rows], p.probs.shape)
    np.testing.assert_array_equal(statistics.draw(made_later, 192, np.random.default_rng(5)), drawn)
    assert_allclose(ours[7:], Confidence.of(p.probs, "euclidean")(labels), rtol=1e-9, atol=1e-12)


@pytest.mark.slow
def test_the_temperature_score_is_that_of_the_component() -> None:
    for m in (2, 3, 40):
        p = made(800, m)
        component = statistics_of(p, KERNEL).evaluate(p.labels[None])[5, 0]
        assert abs(temperature_score(p)) == pytest.approx(component, rel=1e-9, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("m", [3, 40])
def test_what_takes_seconds_is_prepared_once_for_the_same_predictions(m: int) -> None:
    p = made(600, m)
    first = statistics_of(p, KERNEL)
    assert statistics_of(p, replace(KERNEL, bandwidth=0.3)) is first
    other = statistics_of(p, ExponentialKernel(metric="total-variation"))
    assert other is not first
    same = Predictions.from_arrays(p.probs, p.labels, p.class_names)
    assert statistics_of(same, KERNEL) is not first
