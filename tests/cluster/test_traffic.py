"""What travels, and how often."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from calibcore.cluster import data as held
from calibcore.cluster.packing import LARGE, digest, packed, unpacked
from calibcore.estimators import _low_rank, _redraws
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ExactTest
from calibcore.kernels import ExponentialKernel
from calibcore.numerics import engine
from calibcore.transforms.redraws import redrawn_labels
from tests.cluster.test_same_numbers import calibrated
from tests.cluster.work import total


@dataclass(frozen=True)
class Inner:
    array: np.ndarray
    name: str


@dataclass(frozen=True)
class Outer:
    inner: Inner
    again: np.ndarray
    small: np.ndarray


def big(n: int = LARGE) -> np.ndarray:
    return np.arange(n, dtype=np.float64)


def test_a_large_array_travels_once_however_often_it_is_named() -> None:
    array = big()
    content, arrays = packed(partial(Outer, Inner(array, "x"), array, np.ones(3)))
    assert len(content) < 2000
    assert len(arrays) == 1
    assert arrays[0] is array
    outer = unpacked(content, arrays)()
    assert outer.inner.array is array
    assert outer.again is array
    np.testing.assert_array_equal(outer.small, np.ones(3))


def test_what_is_small_or_no_numbers_goes_along() -> None:
    words = np.array(["a" * 50] * LARGE)
    content, arrays = packed([big(LARGE // 8 - 1), words])
    assert arrays == []
    assert len(content) > words.nbytes


def variants() -> dict[str, np.ndarray]:
    read_only = big(40_000).reshape(200, 200)
    read_only.flags.writeable = False
    return {
        "plain": big(40_000).reshape(200, 200),
        "read-only": read_only,
        "columns": np.asfortranarray(big(40_000).reshape(200, 200)),
        "every-second": big(80_000)[::2].reshape(200, 200),
        "repeated": np.broadcast_to(np.arange(200.0), (200, 200)),
        "small-numbers": np.ones((1000, 1000), np.int8),
        "single": np.ones((200, 200), np.float32),
        "yes-or-no": np.ones(LARGE, bool),
    }


def _seen(array: np.ndarray, number: int) -> tuple[object, ...]:
    return array, array.flags.writeable, array.flags.c_contiguous, array.flags.f_contiguous


@pytest.mark.parametrize("name", variants())
def test_arrays_arrive_as_they_are(name, cluster) -> None:
    array = variants()[name]
    with engine.using(cluster):
        seen = list(engine.in_order(partial(_seen, array), range(2), cost=1e9))
    for arrived, *flags in seen:
        assert arrived.dtype == array.dtype
        np.testing.assert_array_equal(arrived, array)
        if array.flags.contiguous or array.flags.f_contiguous:
            assert flags == list(_seen(array, 0)[1:])


def test_what_differs_has_another_digest() -> None:
    every = list(variants().values())
    assert len({digest(array) for array in every}) == len(every)
    assert digest(every[0]) == digest(every[0].copy())
    changed = every[0].copy()
    changed[0, 0] += 1
    assert digest(changed) != digest(every[0])


def test_a_second_test_of_the_same_data_sends_what_is_new(cluster) -> None:
    p = calibrated(5000)
    with engine.using(cluster):
        ExactTest(SKCE(ExponentialKernel(0.4)), 99)(p, np.random.default_rng(0))
        first = cluster.traffic.sent
        ExactTest(SKCE(ExponentialKernel(0.4)), 99)(p, np.random.default_rng(0))
        assert cluster.traffic.sent == first
        ExactTest(SKCE(ExponentialKernel(0.4)), 99)(p, np.random.default_rng(1))
        labels = 2 * 100 * 5000  # to two workers
        assert cluster.traffic.sent == first + labels


def test_low_rank_labels_are_drawn_there_or_travel_as_small_as_drawn(cluster, monkeypatch) -> None:
    monkeypatch.setattr(_redraws, "FROM", 100)
    monkeypatch.setattr(_low_rank, "ROWS", 128)
    p = calibrated(2000)
    with engine.using(cluster):
        ExactTest(SKCE(ExponentialKernel(0.4)), 99)(p, np.random.default_rng(0))
        first = cluster.traffic.sent
        ExactTest(SKCE(ExponentialKernel(0.4)), 99)(p, np.random.default_rng(1))
        assert cluster.traffic.sent == first
        labels = np.concatenate(list(redrawn_labels(p, 100, np.random.default_rng(2))))
        SKCE(ExponentialKernel(0.4)).prepared(p)(labels)
    assert cluster.traffic.sent == first + 2 * 100 * 2000


def test_received_and_tasks_are_counted(cluster) -> None:
    assert total(cluster, items=8, seconds=0)
    assert (cluster.traffic.tasks, cluster.traffic.received) == (8, 8 * 16)


def test_what_is_no_longer_used_is_dropped(cluster, monkeypatch) -> None:
    monkeypatch.setattr(held, "_KEPT", 5_000_000)
    arrays = [np.full(250_000, k, float) for k in range(5)]  # 2 MB each
    for array in arrays:
        assert total(cluster, items=2, seconds=0, data=array)
    assert cluster.traffic.sent == 2 * sum(array.nbytes for array in arrays)
    for array in reversed(arrays[2:]):  # in use, and two that are kept
        assert total(cluster, items=2, seconds=0, data=array)
    assert cluster.traffic.sent == 2 * sum(array.nbytes for array in arrays)
    assert total(cluster, items=2, seconds=0, data=arrays[0])
    assert cluster.traffic.sent == 2 * (sum(array.nbytes for array in arrays) + arrays[0].nbytes)
