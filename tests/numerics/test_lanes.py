"""Random numbers side by side: NumPy's, lane by lane, and the numbers of a word."""

import numpy as np
from scipy import stats

from calibcore.numerics.lanes import Lanes, lanes, next_words, number_at
from calibcore.numerics.loops import compiled, row_sums


@compiled
def _filled(of: Lanes, out: np.ndarray, further: np.ndarray) -> None:
    next_words(of, out, further)


@compiled
def _numbers(words: np.ndarray, out: np.ndarray) -> None:
    for i in range(len(words)):
        for s in range(out.shape[1]):
            out[i, s] = number_at(words[i], s)


def words_of(lane: np.ndarray, size: int) -> np.ndarray:
    """What NumPy's generator gives from that state."""
    high, low, inc_high, inc_low = map(int, lane)
    bits = np.random.PCG64()
    bits.state = bits.state | {"state": {"state": high << 64 | low, "inc": inc_high << 64 | inc_low}}
    return bits.random_raw(size)


def test_each_lane_is_a_generator_of_numpy() -> None:
    """Through several calls, each of which goes on where the one before ended."""
    of = lanes(np.random.default_rng(3))
    expected = [words_of(lane, 3 * 40) for lane in of]
    rows, further = [], []
    for size in (7, 1, 52):
        out, more = np.empty((size, 8), np.uint64), np.empty(size, np.uint64)
        _filled(of, out, more)
        rows.append(out)
        further.append(more)
    by_lane = np.concatenate(rows).reshape(-1, 4)  # two words of each lane a row
    for k in range(4):
        np.testing.assert_array_equal(by_lane[:, k], expected[k][:120])
    np.testing.assert_array_equal(np.concatenate(further), expected[4][:60])


def test_numbers_of_words_are_even_and_independent_of_place() -> None:
    words = np.arange(4_000, dtype=np.uint64)  # near each other
    out = np.empty((len(words), 64))
    _numbers(words, out)
    assert 0 <= out.min() <= out.max() < 1
    assert stats.kstest(out.ravel(), "uniform").pvalue > 1e-3
    correlation = np.corrcoef(out.T) - np.eye(64)
    assert np.abs(correlation).max() < 5 / np.sqrt(len(words))
    assert np.abs(np.corrcoef(out[:-1, 0], out[1:, 0])[0, 1]) < 5 / np.sqrt(len(words))


def test_sums_of_rows_are_those_of_numpy() -> None:
    for m in (1, 2, 3, 7, 8, 9, 40):
        g = np.random.default_rng(m).dirichlet(np.full(m, 0.4), size=501) * 3.1
        np.testing.assert_array_equal(row_sums(g), g.sum(axis=1))
        part = g[:, :2]
        np.testing.assert_array_equal(row_sums(part), part.sum(axis=1))
