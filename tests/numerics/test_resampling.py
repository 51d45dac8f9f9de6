"""Drawing labels, against SciPy and by the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from calibcore.data.predictions import Predictions
from calibcore.numerics import draws, picking
from calibcore.numerics.resampling import class_edges, draw_labels, redrawn_counts, redrawn_distances
from calibcore.transforms import redraws
from calibcore.transforms.redraws import redrawn_labels
from tests.numbers import BELOW_1, Numbers
from tests.strategies import FEW, predictions

RNG = np.random.default_rng


def made(probs) -> Predictions:
    return Predictions.from_arrays(probs, np.zeros(len(probs), int))


def all_draws(p: Predictions, n_resamples: int, rng) -> np.ndarray:
    return np.concatenate(list(redrawn_labels(p, n_resamples, rng)))


# Drawing labels.


def test_the_label_is_the_first_class_whose_cumulated_probability_exceeds_u():
    g = np.tile([0.25, 0.5, 0.25], (6, 1))
    u = (0.0, np.nextafter(0.25, 0), 0.25, np.nextafter(0.75, 0), 0.75, BELOW_1)
    assert all_draws(made(g), 1, Numbers(*u)).tolist() == [[0, 0, 1, 1, 2, 2]]
    assert draw_labels(g, Numbers(*u)).tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize("n_resamples", [1, 7, 64])
@pytest.mark.parametrize("rows_a_block", [1, 3, 7, 1000])
def test_draws_do_not_depend_on_the_size_of_the_blocks(monkeypatch, n_resamples: int, rows_a_block: int):
    p = made(RNG(0).dirichlet(np.ones(4), 33))
    expected = all_draws(p, n_resamples, RNG(1))
    monkeypatch.setattr(redraws, "_BLOCK_BYTES", 8 * 33 * rows_a_block)
    blocks = list(redrawn_labels(p, n_resamples, RNG(1)))
    assert all(len(block) <= rows_a_block for block in blocks)
    assert_array_equal(np.concatenate(blocks), expected)
    assert expected.shape == (n_resamples, 33)


def test_a_block_holds_at_least_one_draw(monkeypatch):
    monkeypatch.setattr(redraws, "_BLOCK_BYTES", 1)
    assert [block.shape for block in redrawn_labels(made([[0.5, 0.5]] * 9), 3, RNG(0))] == [(1, 9)] * 3


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.SFC64])
@pytest.mark.parametrize("numbers", [5, 100, 10**6])
def test_numbers_drawn_in_threads_are_those_of_the_generator(monkeypatch, bits, numbers: int):
    monkeypatch.setattr(draws, "_NUMBERS", numbers)
    ours, alone = (np.random.Generator(bits(7)) for _ in range(2))
    assert ours.integers(9, dtype=np.uint32) == alone.integers(9, dtype=np.uint32)  # half a number is left
    assert_array_equal(draws.uniform(ours, (31, 13)), alone.random((31, 13)))
    assert_array_equal(
        ours.integers(2**32, size=5, dtype=np.uint32), alone.integers(2**32, size=5, dtype=np.uint32)
    )


def test_frequencies_against_the_predictions():
    g = np.array([[0.1, 0.2, 0.3, 0.4], [0.97, 0.01, 0.01, 0.01], [0.0, 0.5, 0.0, 0.5], [0.25] * 4])
    p = Predictions.from_arrays(g, g.argmax(axis=1))
    drawn = all_draws(p, 40_000, RNG(2))
    for row, labels in zip(g, drawn.T, strict=True):
        counts = np.bincount(labels, minlength=4)
        assert counts[row == 0].sum() == 0
        assert stats.chisquare(counts[row > 0], 40_000 * row[row > 0]).pvalue > 0.001
    singly = np.bincount(draw_labels(np.tile(g[0], (40_000, 1)), RNG(3)), minlength=4)
    assert stats.chisquare(singly, 40_000 * g[0]).pvalue > 0.001


def test_cases_are_drawn_independently():
    drawn = all_draws(made([[0.5, 0.5], [0.5, 0.5]]), 20_000, RNG(4))
    table = np.histogram2d(drawn[:, 0], drawn[:, 1], bins=2)[0]
    assert stats.chisquare(table.ravel()).pvalue > 0.001
    assert stats.chisquare(np.unique(2 * drawn[1:, 0] + drawn[:-1, 0], return_counts=True)[1]).pvalue > 0.001


ZEROS = [
    [0.1] * 10 + [0.0],
    [0.0, 0.0, 0.1, 0.2, 0.7, 0.0, 0.0],
    [0.0, 1 / 3, 0.0, 1 / 3, 0.0, 1 / 3, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 1.00001, 0.0],
    [1e-300, 0.0, 1.0, 0.0],
    [0.3, 0.0, 0.699995, 0.0],
    [1 / 49] * 49 + [0.0],
]


@pytest.mark.parametrize("row", ZEROS)
def test_a_class_of_probability_zero_is_never_drawn(row: list[float]):
    p = made([row])
    edges = np.cumsum(p.probs[0]) / p.probs[0].sum()
    u = [0.0, 5e-324, BELOW_1, *edges, *np.nextafter(edges, 0), *np.nextafter(edges, 2), *RNG(5).random(500)]
    u = [value for value in u if 0 <= value < 1]
    drawn = all_draws(p, len(u), Numbers(*u)).ravel()
    assert (p.probs[0, drawn] > 0).all()
    assert (p.probs[0, [draw_labels(p.probs, Numbers(v))[0] for v in u]] > 0).all()


def test_cumulated_tenths_that_miss_1_leave_no_gap():
    assert np.cumsum([0.1] * 10)[-1] < 1
    assert draw_labels(np.array([[0.1] * 10 + [0.0]]), Numbers(BELOW_1)).tolist() == [9]


@FEW
@given(predictions(), st.floats(0, 1, exclude_max=True))
def test_whatever_is_drawn_was_possible(p: Predictions, u: float):
    for value in (u, 0.0, BELOW_1):
        drawn = all_draws(p, 2, Numbers(value))
        assert (p.chances[np.arange(p.n), drawn] > 0).all()


@pytest.mark.parametrize("by", [1e-5, -1e-5])
def test_rows_that_do_not_sum_to_1_draw_from_row_over_sum(by: float):
    half = 0.5 * (1 + by)
    p = made([[half, half]])
    assert_array_equal(p.probs, [[half, half]])
    assert all_draws(p, 3, Numbers(0.5 - 1e-12, 0.5 + 1e-12, BELOW_1)).ravel().tolist() == [0, 1, 1]
    assert draw_labels(np.array([[2.0, 6.0]]), Numbers(0.2499)).tolist() == [0]
    assert draw_labels(np.array([[2.0, 6.0]]), Numbers(0.2501)).tolist() == [1]


@pytest.mark.parametrize("m", [2, 126, 127, 128, 129, 256, 300, 1000])
def test_labels_fit_their_type_for_any_number_of_classes(m: int):
    g = np.eye(m)
    assert_array_equal(all_draws(made(g), 2, RNG(6)), [np.arange(m)] * 2)
    even = np.full((1, m), 1 / m)
    assert draw_labels(even, Numbers(BELOW_1)).tolist() == [m - 1]
    assert draw_labels(even, RNG(0)).dtype == np.int64


@pytest.mark.parametrize("concentration", [2.0, 0.02])
def test_guided_or_halved_a_label_is_the_same(concentration: float) -> None:
    rng = RNG(3)
    g = rng.dirichlet(np.full(40, concentration), 7)
    g[0], g[1] = np.eye(40)[0], np.eye(40)[39]
    edges = class_edges(g)
    u = rng.random((70, 7))
    u[0], u[1], u[2] = 0.0, BELOW_1, edges[:, 20].clip(max=BELOW_1)
    guided, halved = np.empty(u.shape, np.int16), np.empty(u.shape, np.int16)
    picking.pick_guided(picking.guided(edges), edges, u, guided)
    picking.pick(edges, u, halved)
    assert_array_equal(guided, halved)
    assert_array_equal(guided, (edges <= u[:, :, None]).sum(axis=2))


def test_distances_of_redraws_are_those_of_their_counts() -> None:
    """With few redraws and with many, whose labels are found in another way."""
    g = RNG(4).dirichlet(np.full(40, 0.2), 30)
    for n_resamples in (20, 90):
        counts = redrawn_counts(g, n_resamples, RNG(5))
        far = 0.5 * np.abs(counts / len(g) - g.mean(axis=0)).sum(axis=1)
        assert_allclose(redrawn_distances(g, g.mean(axis=0), n_resamples, RNG(5)), far, rtol=1e-12)
