"""Progress, stopping early, and two who use one connection."""

import threading
import time
from functools import partial

import numpy as np
import pytest

from calibcore.cluster import Cluster
from calibcore.errors import InputError
from calibcore.estimators.ece import ECE
from calibcore.estimators.skce import SKCE
from calibcore.hypothesis_tests import ExactTest
from calibcore.kernels import ExponentialKernel
from calibcore.numerics import engine
from calibcore.numerics.progress import Cancelled
from tests.cluster.machines import until
from tests.cluster.test_same_numbers import WORK, assert_same, calibrated
from tests.cluster.work import DATA, refused, running, slow, total


def idle(cluster: Cluster) -> bool:
    """Whether no thread of a worker is at work."""
    return not any(cluster.link.client.run(running).values())


def after(seconds: float) -> engine.Progress:
    start = time.monotonic()

    def progress(fraction: float) -> None:
        if time.monotonic() - start > seconds:
            raise Cancelled

    return progress


def test_progress_rises_to_one(cluster) -> None:
    seen: list[float] = []
    assert total(cluster, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert seen[-1] == 1
    assert len(set(seen)) > 4


@pytest.mark.parametrize("estimator", [ECE(), SKCE(ExponentialKernel(0.4))])
def test_progress_of_a_test_that_may_stop_rises_too(estimator, cluster) -> None:
    seen: list[float] = []
    with engine.using(cluster):
        found = ExactTest(estimator, 999, stop_at=30)(calibrated(650), np.random.default_rng(0), seen.append)
    assert found.n_resamples > 60  # more than the first batch
    assert seen == sorted(seen)
    assert seen[-1] == 1


def test_results_come_before_the_last_is_there(cluster) -> None:
    with engine.using(cluster):
        for find in (engine.taking(1e9).sums, engine.taking(1e9).each):
            before = cluster.traffic.tasks
            results = find(partial(slow, DATA, 0.2), range(8), None, 1e9)
            first, received = next(results), cluster.traffic.received
            assert first[1] == 0
            assert [part[1] for part in results] == list(range(1, 8))
            assert cluster.traffic.tasks == before + 8
            assert cluster.traffic.received > received + 4 * first.nbytes


def while_busy(cluster: Cluster, raised: list[float]) -> engine.Progress:
    """Stops the work once the workers are at it, and notes when."""

    def progress(fraction: float) -> None:
        if not idle(cluster):
            raised.append(time.monotonic())
            raise Cancelled

    return progress


def test_it_stops_and_the_workers_too_long_before_the_work_would_end(cluster) -> None:
    raised: list[float] = []
    with pytest.raises(Cancelled):
        total(cluster, seconds=60, progress=while_busy(cluster, raised))
    until(lambda: idle(cluster), 30)
    assert time.monotonic() - raised[0] < 60
    assert total(cluster, seconds=0.02)


def test_progress_is_asked_several_times_a_second(cluster) -> None:
    asked: list[float] = []
    assert total(cluster, items=2, seconds=2, progress=asked.append)
    assert len(asked) > 5  # two items, whose ends alone would be two


def test_redraws_of_one_item_end_early_too(cluster) -> None:
    test, raised = ExactTest(ECE(), 400_000), []
    with engine.using(cluster), pytest.raises(Cancelled):
        test(calibrated(5000), np.random.default_rng(0), while_busy(cluster, raised))
    assert raised
    until(lambda: idle(cluster), 60)


def test_an_error_in_the_middle_ends_the_rest(cluster) -> None:
    with engine.using(cluster), pytest.raises(InputError, match=r"There is \d"):
        engine.summed(partial(refused), range(16), cost=1e9)
    until(lambda: idle(cluster), 60)


def test_who_wants_no_more(cluster) -> None:
    with engine.using(cluster):
        results = engine.in_order(partial(slow, DATA, 0.02), range(16), cost=1e9)
        assert next(results)[1] == 0
        assert next(results)[1] == 1
        results.close()
    assert total(cluster, seconds=0.02)


def test_several_threads_share_a_connection(cluster) -> None:
    p, found = calibrated(), {}
    names = ["unbiased", "bootstrap", "ece"]

    def work(name: str) -> None:
        with engine.using(cluster):
            found[name] = WORK[name](p, np.random.default_rng(1))

    def stops() -> None:
        with pytest.raises(Cancelled):
            total(cluster, seconds=5, progress=after(0.5))
        found["stopped"] = []

    threads = [threading.Thread(target=work, args=[name]) for name in names] + [
        threading.Thread(target=stops)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert "stopped" in found
    for name in names:
        assert_same(WORK[name](p, np.random.default_rng(1)), found[name])


def test_threads_that_need_the_same_data_send_them_once(cluster) -> None:
    data, right = np.random.default_rng(0).integers(9, size=2_000_000).astype(float), []
    threads = [
        threading.Thread(target=lambda: right.append(total(cluster, seconds=0.01, data=data))) for _ in "abc"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert right == [True] * 3
    assert cluster.traffic.sent == 2 * data.nbytes
