"""Work that the app sends to a cluster: one connection, what is said when it fails, and how to go on."""

import logging
import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pytest

from calibcore import InputError
from calibcore.cluster import Cluster
from calibcore.cluster.connection import SMALLEST
from calibcore.numerics.engine import EngineError, using
from calibcore.numerics.engine import summed as engine_summed
from pages.server import logs, upkeep
from pages.work import cluster, costs, job, jobs
from pages.work.job import Job, line_up
from tests.pages.harness import opened, press, said, settled

LOST = "All workers of the cluster at tcp://there:1 are gone. Nothing is lost: start it again."


class Pretended:
    """What a cluster is to the app, in this process; fails while ``trouble`` says so."""

    def __init__(self) -> None:
        self.alive, self.closed, self.asked, self.trouble = True, False, 0, ""

    def close(self) -> None:
        self.closed = True

    def workers(self) -> dict[str, object]:
        return {"a": {}, "b": {}}

    def parts(self, cost: float) -> int:
        return 4

    def each(self, work: Any, items: Sequence[Any], progress: Any, cost: float) -> Iterator[Any]:
        self.asked += 1
        if self.trouble:
            raise EngineError(self.trouble)
        return map(work, items)

    sums = each


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Pretended]:
    """The connections that were made, to a cluster that takes all work."""
    found: list[Pretended] = []

    def at(address: str) -> Pretended:
        assert address == "tcp://there:1"
        found.append(Pretended())
        return found[-1]

    monkeypatch.setattr(Cluster, "at", at)
    monkeypatch.setattr(cluster, "SMALLEST", 0.0)
    monkeypatch.setattr(cluster, "CONNECTION", cluster.Connection("tcp://there:1"))
    return found


def sent(numbers: Sequence[int]) -> int:
    told: list[int] = []
    with using(cluster.engine(told.append)):
        found: int = engine_summed(partial(int), numbers, cost=1.0)
    assert told == [2, 0]
    return found


def test_without_a_setting_there_is_no_engine() -> None:
    assert cluster.engine(lambda _: None) is None
    assert not cluster.named()


def test_small_work_stays_and_needs_no_connection(
    made: list[Pretended], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "SMALLEST", SMALLEST)
    engine = cluster.engine(lambda _: None)
    assert engine is not None
    assert not engine.worth(SMALLEST * 0.99)
    assert engine.worth(SMALLEST)
    assert made == []


def test_one_connection_serves_all_and_is_made_anew_when_it_has_died(made: list[Pretended]) -> None:
    assert [sent([1, 2]), sent([3, 4])] == [3, 7]
    (first,) = made
    assert first.asked == 2
    first.alive = False
    assert sent([5, 6]) == 11
    assert [one.closed for one in made] == [True, False]
    cluster.CONNECTION.close()
    assert [one.closed for one in made] == [True, True]


def test_one_that_died_is_closed_by_its_last_user(made: list[Pretended]) -> None:
    with cluster.CONNECTION.lent() as first:
        made[0].alive = False
        with cluster.CONNECTION.lent() as second:
            assert second is not first
            assert not made[0].closed
        assert not made[0].closed
    assert made[0].closed
    assert not made[1].closed


def test_what_was_sent_stays_there_only_while_somebody_works(
    made: list[Pretended], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent([1, 2])
    monkeypatch.setattr(job, "under_way", lambda: 1)
    upkeep.give_back(job)
    assert not made[0].closed
    monkeypatch.setattr(job, "under_way", lambda: 0)
    with cluster.CONNECTION.lent():  # begun this very moment
        upkeep.give_back(job)
        assert not made[0].closed
    assert made[0].closed
    assert sent([3, 4]) == 7
    assert len(made) == 2


def test_one_that_fails_to_be_made_is_tried_again(
    made: list[Pretended], monkeypatch: pytest.MonkeyPatch
) -> None:
    works, tried = Cluster.at, []

    def fails(address: str) -> Pretended:
        tried.append(address)
        raise EngineError(LOST)

    monkeypatch.setattr(Cluster, "at", fails)
    for _ in range(2):
        with pytest.raises(EngineError, match="Nothing is lost"):
            sent([1, 2])
    assert len(tried) == 1  # the second was known to fail
    monkeypatch.setattr(Cluster, "at", works)
    monkeypatch.setattr(cluster, "REMEMBERED", 0.0)
    assert sent([1, 2]) == 3


def test_progress_says_how_many_workers_are_at_it() -> None:
    job: Job[int] = Job()
    job.report(0.5, "redraws")
    assert job.doing == "redraws"
    job.on(1)
    assert job.doing == "redraws, on 1 worker of the cluster"
    job.on(2)
    assert job.doing == "redraws, on 2 workers of the cluster"
    job.on(0)
    assert job.doing == "redraws"


def test_a_cluster_that_fails_is_a_sentence_and_the_work_can_start_again(made: list[Pretended]) -> None:
    sent([1, 2])
    made[0].trouble = LOST
    app = opened("tests", in_use="wine")
    assert f"Testing could not go on. {LOST}" in said(app)
    assert "on our side" not in said(app)
    labels = [button.label for button in app.button]
    assert {"Start again", "Compute here instead"} <= set(labels)
    assert "Testing can be done here, without the cluster; it may take about 1 second." in said(app)
    made[0].trouble = ""
    app = settled(press(app, "Start again"))
    assert LOST not in said(app)
    assert "the observed one counted" in said(app)
    assert len(made) == 1


@pytest.mark.slow
def test_work_can_go_on_here_and_other_work_still_goes_to_the_cluster(made: list[Pretended]) -> None:
    sent([1, 2])
    made[0].trouble = LOST
    app = settled(press(opened("tests", in_use="wine"), "Compute here instead"))
    assert LOST not in said(app)
    assert "the observed one counted" in said(app)
    (job,) = app.session_state["jobs"]["diagnosis"].values()
    assert job.here
    asked = made[0].asked
    app = settled(press(app, "Make them"))  # the other estimates
    assert made[0].asked > asked
    assert f"Estimating could not go on. {LOST}" in said(app)


@pytest.mark.usefixtures("made")
def test_what_waits_to_be_asked_for_says_that_the_cluster_shortens_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(costs, "UNASKED", 0.0)
    words = said(opened("tests", in_use="wine"))
    assert "Testing may take about 1 second with so many cases, less on the cluster. It can" in words
    monkeypatch.setattr(cluster, "CONNECTION", cluster.Connection(""))
    words = said(opened("tests", in_use="wine"))
    assert "Testing may take about 1 second with so many cases. It can be stopped." in words


def test_what_may_take_long_is_not_asked_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, object] = {}
    monkeypatch.setattr(jobs.st, "session_state", state)
    times: list[float] = []

    def work(_job: Job[int]) -> int:
        times.append(time.monotonic())
        if len(times) == 1:
            raise EngineError(LOST)
        return 7

    def look() -> Job[int]:
        return jobs.start("kind", ("data",), work, costs.Estimate(1, lambda _: 1_000.0))

    assert look().waits
    look().start()
    assert isinstance(look().future.exception(20), EngineError)
    assert look().trouble == LOST
    jobs.restart(look(), here=True)
    assert look().future.result(20) == 7
    assert look().here
    assert look().trouble == ""
    jobs.restart(look())
    assert not look().here


def test_the_log_says_what_failed_and_nothing_of_the_data() -> None:
    lines: list[str] = []

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(logs.Quiet(as_json=False).format(record))

    def ended(error: Exception) -> None:
        def work(_job: Job[int]) -> int:
            raise error

        job: Job[int] = Job()
        line_up(job, work)
        assert job.future.exception(20) is error

    handler = Lines()
    logging.getLogger("caliblens").addHandler(handler)
    try:
        for error in (EngineError(LOST), ValueError("a patient"), InputError("too few cases")):
            ended(error)
    finally:
        logging.getLogger("caliblens").removeHandler(handler)
    assert [LOST in line for line in lines] == [True, False]
    assert "[ValueError at " in lines[1]
    assert "a patient" not in lines[1]
