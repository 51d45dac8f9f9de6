"""When waiting for a cluster is given up, with a clock and answers of our own."""

from concurrent.futures import Future

import pytest

from calibcore.cluster import link
from calibcore.numerics.engine import EngineError


class Clock:
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


class Machines:
    """A link to one worker that is well, unless it is frozen; ``silent``: its scheduler does not answer."""

    address = "tcp://machine:1"

    def __init__(self, clock: Clock) -> None:
        self.clock, self.silent, self.frozen = clock, False, 0.0

    def identity(self) -> None: ...

    def begin(self, _: object) -> "Future[link.Workers]":
        answer: Future[link.Workers] = Future()
        if not self.silent:
            frozen = self.clock.now - self.frozen if self.frozen else 0.0
            answer.set_result({"tcp://worker:1": {"status": "running", "silent": frozen}})
        return answer


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(link, "time", clock)
    return clock


def look(watch: link.Watch, clock: Clock, seconds: float, step: float = link.LOOK) -> None:
    for _ in range(round(seconds / step)):
        clock.now += step
        watch.look()


def watched(clock: Clock) -> tuple[Machines, link.Watch]:
    machines = Machines(clock)
    watch = link.Watch(machines)
    look(watch, clock, 10)
    return machines, watch


@pytest.mark.parametrize("step", [1.0, 3.0, link.GONE, 100 * link.GONE])
def test_who_does_much_between_two_looks_does_not_blame_the_cluster(clock, step) -> None:
    _, watch = watched(clock)
    look(watch, clock, 20 * step, step)


def test_after_a_pause_it_is_the_frozen_worker_that_is_named(clock) -> None:
    machines, watch = watched(clock)
    machines.frozen = clock.now
    clock.now += 3 * link.GONE
    with pytest.raises(EngineError, match="No worker of the cluster at tcp://machine:1 has answered"):
        look(watch, clock, 5)


def test_a_scheduler_that_is_silent_is_given_up_in_time(clock) -> None:
    machines, watch = watched(clock)
    machines.silent, begun = True, clock.now
    with pytest.raises(EngineError, match=r"The scheduler of the cluster .* has not answered for 20 seconds"):
        look(watch, clock, 60)
    assert abs(clock.now - begun - link.GONE) <= link.ASK
