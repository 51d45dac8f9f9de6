"""Whose work is next, who gives way where the line is full, and what is done once for everybody."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from calibcore import InputError
from calibcore.numerics.progress import Cancelled
from pages.server import visitors
from pages.work import job as module
from pages.work import jobs
from pages.work.costs import UNASKED, Estimate
from pages.work.job import Job
from pages.work.queue import SMALL, Crowded, Line, Ticket

LARGE = SMALL + 1


def lasting(seconds: float) -> Estimate:
    """Work on one case that takes so long."""
    return Estimate(1, lambda _: seconds)


@pytest.fixture
def one() -> Iterator[Line]:
    line = Line(1, 6)
    yield line
    line.close()


class Held:
    """Keeps one place busy until told otherwise, and notes who was served."""

    def __init__(self, line: Line, expected: float = LARGE) -> None:
        self.line, self.served, self.refused = line, list[str](), list[str]()
        self.go, self.began = threading.Event(), threading.Event()
        self.put("first", ("nobody", ""), expected, self._wait)
        assert self.began.wait(10)

    def _wait(self) -> None:
        self.began.set()
        assert self.go.wait(20)

    def put(
        self,
        name: str,
        visitor: tuple[str, str],
        expected: float = LARGE,
        act: Callable[[], None] = lambda: None,
    ) -> Ticket:
        def run() -> None:
            act()
            self.served.append(name)

        ticket = Ticket(run, lambda: self.refused.append(name), lambda: True, visitor, expected)
        self.line.put(ticket)
        return ticket

    def order(self) -> list[str]:
        self.go.set()
        until(lambda: len(self.line) == 0)
        return self.served


def until(true: Callable[[], bool]) -> None:
    begun = time.monotonic()
    while not true():
        assert time.monotonic() - begun < 20
        time.sleep(0.005)


def test_the_line_goes_round_by_visitor_then_by_tab(one: Line) -> None:
    held = Held(one)
    for name in ("a1", "a2", "a3"):
        held.put(name, ("a", "tab"))
    held.put("b1", ("b", "tab 1"))
    held.put("b2", ("b", "tab 1"))
    c = held.put("b3", ("b", "tab 2"))
    assert one.before(c) == 3  # a1, b1, a2
    assert held.order() == ["first", "a1", "b1", "a2", "b3", "a3", "b2"]
    assert one.before(c) is None


def test_where_the_line_is_full_who_has_most_in_it_gives_way(one: Line) -> None:
    held = Held(one)
    for i in range(4):
        held.put(f"a{i}", ("a", f"tab {i}"))
    for i in range(2):
        held.put(f"b{i}", ("b", "tab"))
    held.put("c", ("c", "tab"))
    assert held.refused == ["a3"]
    held.put("d", ("d", "tab"))
    assert held.refused == ["a3", "a2"]
    for name, visitor in (("a4", ("a", "tab 0")), ("b2", ("b", "tab"))):
        with pytest.raises(Crowded):  # nobody has more in it
            held.put(name, visitor)
    held.put("b2", ("b", "another tab"))  # which takes a place of the same address
    assert held.refused == ["a3", "a2", "b1"]
    assert sorted(held.order()) == ["a0", "a1", "b0", "b2", "c", "d", "first"]


def test_behind_one_address_the_tab_with_most_gives_way(one: Line) -> None:
    """As behind a proxy that passes no addresses on."""
    held = Held(one)
    for i in range(6):
        held.put(f"a{i}", ("proxy", "greedy"))
    held.put("b", ("proxy", "other"))
    assert held.refused == ["a5"]
    assert held.order()[:3] == ["first", "a0", "b"]


def test_small_work_waits_for_no_large(one: Line) -> None:
    held = Held(one)
    for i in range(3):
        held.put(f"large {i}", ("a", "tab"))
    held.put("small", ("b", "tab"), SMALL)
    until(lambda: "small" in held.served)
    assert held.served == ["small"]
    held.order()


def test_work_that_takes_minutes_leaves_a_place_free() -> None:
    line = Line(2, 9)
    held = Held(line, expected=UNASKED + 1)
    held.put("another long one", ("b", "tab"), UNASKED + 1)
    held.put("middle", ("c", "tab"), UNASKED - 1)
    until(lambda: "middle" in held.served)
    assert held.served == ["middle"]
    assert held.order() == ["middle", "first", "another long one"]
    line.close()


def test_what_nobody_wants_any_more_takes_no_room(one: Line) -> None:
    held, wanted = Held(one), [True]
    for _ in range(6):
        one.put(Ticket(lambda: None, lambda: None, lambda: wanted[0], ("a", "tab"), LARGE))
    wanted[0] = False
    held.put("b", ("b", "tab"))
    assert held.order() == ["first", "b"]


# What is done once for everybody ---------------------------------------------------------------------------


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Makes another session the one that runs."""
    states: dict[str, dict[str, object]] = {}
    line = Line(2, 9)
    monkeypatch.setattr(module, "_line", line)
    monkeypatch.setattr(module, "_shared", type(module._shared)())

    def enter(name: str) -> None:
        monkeypatch.setattr(jobs.st, "session_state", states.setdefault(name, {}))
        monkeypatch.setattr(visitors, "current", lambda: (name, ""))

    yield enter
    line.close()


def test_work_on_bundled_data_is_done_once(sessions: Callable[[str], None]) -> None:
    done: list[str] = []
    go = threading.Event()

    def work(job: Job[str]) -> str:
        job.report(0.5, "halfway")
        job.parts.append("a part")
        done.append("once")
        assert go.wait(20)
        return "result"

    found = []
    for name in ("one", "two", "three"):
        sessions(name)
        found.append(jobs.start("survey", ("digits", "spec"), work, lasting(LARGE), bundled=True))
    until(lambda: bool(done))
    assert len({id(job) for job in found}) == 3
    assert (found[0].fraction, found[0].words) == (0.5, "halfway")
    assert [list(job.parts) for job in found] == [["a part"]] * 3
    go.set()
    results = [job.future.result(20) for job in found]
    sessions("four")
    late = jobs.start("survey", ("digits", "spec"), work, lasting(10 * UNASKED), bundled=True)
    assert late.future.result(20) is results[0]  # it is there: nobody is asked whether to begin
    assert done == ["once"]
    sessions("five")
    other = jobs.start("survey", ("digits", "another spec"), work, bundled=True)
    assert other.future.result(20) == "result"
    assert done == ["once", "once"]


def test_nothing_of_an_upload_is_anybody_elses(sessions: Callable[[str], None]) -> None:
    """Not even where it is alike to the byte."""
    results = []
    for name in ("one", "two"):
        sessions(name)
        job = jobs.start("survey", ("digits", "spec"), lambda job, name=name: name, bundled=False)
        results.append(job.future.result(20))
    sessions("three")
    job = jobs.start("survey", ("digits", "spec"), lambda job: "three", bundled=True)
    assert [*results, job.future.result(20)] == ["one", "two", "three"]


def test_who_stops_stops_it_for_nobody_else(sessions: Callable[[str], None]) -> None:
    go, began = threading.Event(), threading.Event()

    def work(job: Job[str]) -> str:
        began.set()
        while not go.wait(0.01):
            job.report(0.5, "halfway")
        job.report(0.9, "nearly")
        return "result"

    def look() -> Job[str]:
        return jobs.start("survey", ("digits", "spec"), work, lasting(LARGE), bundled=True)

    sessions("one")
    first = look()
    sessions("two")
    second = look()
    assert began.wait(20)
    first.cancel()
    assert first.stopped
    time.sleep(0.1)
    assert not second.stopped
    sessions("one")
    jobs.restart(first)
    again = look()
    assert again is not first
    go.set()
    assert [job.future.result(20) for job in (second, again)] == ["result", "result"]


def test_what_nobody_looks_at_ends_and_can_be_begun_again(sessions: Callable[[str], None]) -> None:
    ended: list[BaseException] = []
    go = threading.Event()

    def work(job: Job[str]) -> str:
        try:
            while not go.is_set():
                job.report(0.5, "halfway")
                time.sleep(0.01)
        except Cancelled as error:
            ended.append(error)
            raise
        return "result"

    found = []
    for name in ("one", "two"):
        sessions(name)
        found.append(jobs.start("survey", ("digits", "spec"), work, lasting(LARGE), bundled=True))
    for job in found:
        job.cancel()
    until(lambda: bool(ended))
    go.set()
    sessions("three")
    job = jobs.start("survey", ("digits", "spec"), work, lasting(LARGE), bundled=True)
    assert job.future.result(20) == "result"


def test_what_failed_is_tried_again_and_what_the_data_do_not_allow_is_not(
    sessions: Callable[[str], None],
) -> None:
    tried: list[str] = []

    def work(error: Exception) -> Callable[[Job[str]], str]:
        def act(job: Job[str]) -> str:
            tried.append("once more")
            raise error

        return act

    for error, times in ((MemoryError(), 2), (InputError("no"), 1)):
        tried.clear()
        for name in ("one", "two"):
            sessions(name)
            job = jobs.start("survey", ("digits", repr(error)), work(error), lasting(LARGE), bundled=True)
            assert job.future.exception(20) is error
        assert len(tried) == times


def test_only_so_many_results_are_kept_for_everybody(
    sessions: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_SHARED", 3)
    sessions("one")
    for i in range(7):
        jobs.start("survey", ("digits", str(i)), lambda job: "x", bundled=True).future.result(20)
    assert [key[1] for _, key in module._shared] == ["4", "5", "6"]
