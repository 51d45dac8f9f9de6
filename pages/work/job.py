"""A piece of long work: its progress, a way to stop it, and one in the place of many that are the same."""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar
from weakref import WeakSet

from calibcore import InputError
from calibcore.limits import LIMITS
from calibcore.numerics.engine import EngineError, using
from calibcore.numerics.progress import Cancelled
from calibcore.wording import count
from pages.server import metrics, visitors
from pages.work import cluster, costs
from pages.work.queue import Crowded, Line, Ticket

PATIENCE = 0.3
"""Seconds before progress is shown: what is faster just appears."""
ABANDONED = 120.0
"""Seconds after which a job that no page has asked about gives its place to others."""
_TELLING, _TELLING_SECONDS = 0.05, 2.0
"""A share of the work and the seconds that it took, from which how much is left can be told."""
MOST_SHARED = 200
"""Results on bundled data that are kept for everybody."""
Name = tuple[str, tuple[str, ...]]
"""Kind and key of work."""
_begun: "WeakSet[Job[Any]]" = WeakSet()
"""All that anybody refers to."""
_closing = threading.Event()
_line = Line(LIMITS.jobs, LIMITS.most_waiting)
_shared: "OrderedDict[Name, Job[Any]]" = OrderedDict()
"""Work on bundled data, which is the same for everybody, the last that was asked for last."""
_lock = threading.Lock()
_log = logging.getLogger("caliblens")

T = TypeVar("T")


class TooLong(Exception):
    """The work took more than the server allows, in a sentence. No fault of the data: what withholds a number
    for such a fault lets this pass."""


@dataclass(eq=False)
class Job(Generic[T]):
    """Work under way. ``fraction``, ``words`` and ``parts`` are written by the worker, ``seen`` by the page.

    ``parts`` are results that are there before the whole is. Work that takes long by its ``estimate`` waits
    for somebody to call ``begin``. So many ``workers`` of a cluster are at it, unless it is done ``here``.
    """

    future: "Future[T]" = field(default_factory=Future)
    stop: threading.Event = field(default_factory=threading.Event)
    begun: float = field(default_factory=time.monotonic)
    seen: float = field(default_factory=time.monotonic)
    fraction: float = 0.0
    words: str = ""
    parts: list[Any] = field(default_factory=list)
    estimate: costs.Estimate = costs.A_MOMENT
    begin: Callable[[], None] | None = None
    worked: float | None = None
    workers: int = 0
    here: bool = False
    ticket: Ticket | None = None
    followers: "list[Job[T]]" = field(default_factory=list)
    """Of work for everybody: the jobs of those who look at it. It has no session of its own."""
    leader: "Job[T] | None" = None
    kind: str = ""
    """What it is: "survey", say."""

    def report(self, fraction: float, words: str) -> None:
        """The worker's progress callback; a job that nobody looks at any more stops by itself."""
        with _lock:
            looking = [job for job in self.followers if not job.stop.is_set()]
            if self.followers and not looking:
                self.stop.set()
            self.seen = max([self.seen, *(job.seen for job in looking)])
        if time.monotonic() - self.seen > ABANDONED:
            self.stop.set()
        if self.worked is not None and time.monotonic() - self.worked > LIMITS.job_seconds:
            raise TooLong(
                f"it took more than {LIMITS.job_seconds:,} seconds, the most that this server allows. "
                "Take fewer redraws, fewer checks or a sample of the cases."
            )
        if self.stop.is_set() or _closing.is_set():
            raise Cancelled
        for job in (self, *looking):
            job.fraction, job.words = fraction, words

    def on(self, workers: int) -> None:
        """The engine's callback: so many workers are at it."""
        for job in (self, *self.followers):
            job.workers = workers

    @property
    def doing(self) -> str:
        """What is being done, or how many others come first."""
        before = self._before
        if before is None:
            on = f", on {count(self.workers, 'worker')} of the cluster" if self.workers else ""
            return self.words + on
        return "waiting for a free place" + (f", {before:,} before it" if before else ", the next in line")

    @property
    def left(self) -> float | None:
        """Seconds that it may still take, by how far it has come; None as long as that says little."""
        worked = (self.leader or self).worked
        if worked is None or not _TELLING <= self.fraction < 1:
            return None
        took = time.monotonic() - worked
        return took * (1 / self.fraction - 1) if took > _TELLING_SECONDS else None

    @property
    def onlookers(self) -> int:
        """How many sessions look at the same work."""
        return max(1, len((self.leader or self).followers))

    @property
    def in_line(self) -> bool:
        """Whether others come first."""
        return self._before is not None

    @property
    def _before(self) -> int | None:
        ticket = (self.leader or self).ticket
        return _line.before(ticket) if ticket is not None and not self.future.done() else None

    def start(self) -> None:
        """Begin what waits to be asked for."""
        if self.begin is not None:
            self.begin()

    @property
    def waits(self) -> bool:
        """Whether nobody has asked for it yet."""
        return self.begin is not None

    @property
    def expected(self) -> float:
        """Seconds that it may take."""
        return self.estimate.seconds

    @property
    def cut(self) -> bool:
        """Whether the server would end it before it is done, so that it is not offered."""
        return self.waits and self.estimate.too_long and not cluster.named()

    @property
    def sample(self) -> int:
        """How many cases, drawn at random, could be looked at in place of all; 0 if that does not help."""
        return self.estimate.sample_after(self.fraction) if self.too_long else self.estimate.sample()

    @property
    def quick_sample(self) -> int:
        """How many cases can be looked at in :data:`.costs.UNASKED`, where all take longer; else 0."""
        return self.estimate.sample(within=costs.UNASKED) if self.expected > costs.UNASKED else 0

    @property
    def stopped(self) -> bool:
        """Whether it was stopped before it was done."""
        return self.stop.is_set() and not self._finished

    @property
    def ready(self) -> bool:
        """Whether the result is there."""
        return self._finished and not self.stopped

    @property
    def _finished(self) -> bool:
        return self.future.done() and not self.future.cancelled() and self.future.exception() is None

    @property
    def _error(self) -> BaseException | None:
        """What it ended in, if that is an error."""
        ended = self.future.done() and not self.future.cancelled()
        return self.future.exception() if ended else None

    @property
    def crowded(self) -> bool:
        """Whether it was not begun, as too many others wait."""
        return isinstance(self._error, Crowded)

    @property
    def trouble(self) -> str:
        """What the cluster failed by, in a sentence; empty if it did not."""
        return str(self._error) if isinstance(self._error, EngineError) else ""

    @property
    def too_long(self) -> str:
        """That it took too long, in a sentence; empty if it did not."""
        return str(self._error) if isinstance(self._error, TooLong) else ""

    @property
    def too_large(self) -> bool:
        """Whether memory ran out."""
        return isinstance(self._error, MemoryError)

    @property
    def refused(self) -> InputError | None:
        """What is wrong with the data, if that is what it ended in."""
        return self._error if isinstance(self._error, InputError) else None

    def failed(self) -> bool:
        """Whether it ended in an error that is not about the data; such a job is worth another try."""
        return not isinstance(self._error, InputError | Cancelled | None)

    def cancel(self) -> None:
        """Stop at the next report, or before it begins."""
        self.begin = self.ticket = None  # they hold the data
        self.stop.set()
        self.future.cancel()

    def wait_a_moment(self) -> None:
        """Until it is done or :data:`PATIENCE` is over since it was begun."""
        self.seen = time.monotonic()
        if not self.future.done() and not self.waits:
            wait([self.future], timeout=max(0.0, self.begun + PATIENCE - time.monotonic()))


def line_up(job: Job[T], work: Callable[[Job[T]], T], visitor: visitors.Visitor | None = None) -> None:
    """Have the work done when its turn has come; it may be refused at once. Of a ``visitor``, by default the
    one who looks at the page that runs now."""
    with _lock:
        _begun.add(job)
    job.ticket = Ticket(
        lambda: _run(job, work),
        lambda: _ended(job, error=Crowded()),
        lambda: not job.future.done(),
        visitor or visitors.current(),
        job.expected,
    )
    try:
        _line.put(job.ticket)
    except Crowded as full:
        _ended(job, error=full)


def _run(job: Job[T], work: Callable[[Job[T]], T]) -> None:
    if not job.future.set_running_or_notify_cancel():
        return
    job.worked = time.monotonic()
    try:
        with using(None if job.here else cluster.engine(job.on)):
            _ended(job, work(job))
    except BaseException as error:
        if isinstance(error, EngineError):
            _log.warning("%s", error)
        elif not isinstance(error, InputError | Cancelled | TooLong) and not _closing.is_set():
            _log.exception("Work failed.")
        _ended(job, error=error)


def subscribe(job: Job[T], name: Name, work: Callable[[Job[T]], T]) -> None:
    """Have the work done for everybody, if it is not done or under way."""
    with _lock:
        leader = cached(name)
        new = leader is None
        if leader is None:
            leader = Job(estimate=job.estimate, kind=name[0])
        job.leader, job.parts = leader, leader.parts
        leader.followers.append(job)
        _shared[name] = leader
        _shared.move_to_end(name)
        done = [old for old, other in _shared.items() if other.future.done()]
        for old in done[: max(0, len(_shared) - MOST_SHARED)]:
            del _shared[old]
    if new:
        line_up(leader, work)
    elif leader.future.done():
        _ended(leader)


def cached(name: Name) -> "Job[Any] | None":
    """What is done for everybody or under way."""
    leader = _shared.get(name)
    return None if leader is None or leader.stop.is_set() or leader.failed() else leader


def _ended(job: Job[T], result: Any = None, error: BaseException | None = None) -> None:
    """The job is over, and for all who look at it."""
    job.ticket = None
    if not job.future.done():
        worked = None if job.worked is None else time.monotonic() - job.worked
        metrics.ended(job.kind, _state(error), worked)
        if error is None:
            job.future.set_result(result)
        else:
            job.future.set_exception(error)
    with _lock:
        followers, job.followers = job.followers, []
    for other in followers:
        if isinstance(job._error, Cancelled):
            other.stop.set()
        with suppress(InvalidStateError):  # stopped by its session
            if job._error is None:
                other.future.set_result(job.future.result())
            else:
                other.future.set_exception(job._error)


def _state(error: BaseException | None) -> str:
    """How a job ended, in a word."""
    kinds = {
        InputError: "refused", Cancelled: "stopped", TooLong: "too-long", Crowded: "crowded",
        MemoryError: "no-memory",
    }  # fmt: skip
    if error is None:
        return "done"
    return next((word for kind, word in kinds.items() if isinstance(error, kind)), "failed")


def under_way() -> int:
    """How many jobs are at work or wait in line, of everybody."""
    return len(_line)


def in_line() -> tuple[int, int]:
    """How many jobs are at work, and how many wait, of everybody."""
    return _line.counts()


@dataclass(frozen=True)
class Seen:
    """Work as who looks after the server sees it: no name and no data. ``seconds`` since it was begun to be
    worked at; None while it waits."""

    kind: str
    fraction: float
    seconds: float | None


def seen() -> tuple[Seen, ...]:
    """What is at work or waits, what has been at work for longest first."""
    with _lock:
        jobs = [job for job in _begun if job.ticket is not None and not job.future.done()]
    now = time.monotonic()
    made = [Seen(job.kind, job.fraction, None if job.worked is None else now - job.worked) for job in jobs]
    return tuple(sorted(made, key=lambda each: -1.0 if each.seconds is None else each.seconds, reverse=True))


def release() -> None:
    """A cluster that nobody works with is left, with what was sent there."""
    if not under_way():
        cluster.CONNECTION.close()


def close() -> None:
    """The server stops: so does all work, at its next report, as Python waits for the pool before it ends."""
    _closing.set()
    cluster.CONNECTION.close()
