"""Long work: one bounded pool for everybody, each piece with progress and a way to stop it."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import streamlit as st

from calibcore import InputError
from calibcore.diagnose import Cancelled
from calibcore.engine import EngineError, using
from calibcore.limits import LIMITS
from calibcore.words import count
from pages.ui import elsewhere, patience

MOST_KEPT = 12
"""Results kept of each kind of work."""
PATIENCE = 0.3
"""Seconds before progress is shown: what is faster just appears."""
ABANDONED = 120.0
"""Seconds after which a job that no page has asked about gives its place to others."""
_closing = threading.Event()
_line: "list[Job[Any]]" = []
"""Jobs that wait for a free place, in the order in which they will have it."""
_at_work: "set[Job[Any]]" = set()
_lock = threading.Lock()
_log = logging.getLogger("caliblens")

T = TypeVar("T")


_pool = ThreadPoolExecutor(LIMITS.jobs, thread_name_prefix="work")


class Crowded(Exception):
    """The line is full; the work was not begun."""


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
    estimate: patience.Estimate = patience.A_MOMENT
    begin: Callable[[], None] | None = None
    worked: float | None = None
    workers: int = 0
    here: bool = False

    def report(self, fraction: float, words: str) -> None:
        """The worker's progress callback; a job that nobody looks at any more stops by itself."""
        if time.monotonic() - self.seen > ABANDONED:
            self.stop.set()
        if self.worked is not None and time.monotonic() - self.worked > LIMITS.job_seconds:
            raise TooLong(
                f"it took more than {LIMITS.job_seconds:,} seconds, the most that this server allows. "
                "Take fewer redraws, fewer lenses or a sample of the cases."
            )
        if self.stop.is_set() or _closing.is_set():
            raise Cancelled
        self.fraction, self.words = fraction, words

    def on(self, workers: int) -> None:
        """The engine's callback: so many workers are at it."""
        self.workers = workers

    @property
    def doing(self) -> str:
        """What is being done, or how many others come first."""
        with _lock:
            before = _line.index(self) if self in _line else None
        if before is None:
            on = f", on {count(self.workers, 'worker')} of the cluster" if self.workers else ""
            return self.words + on
        return "waiting for a free place" + (f", {before:,} before it" if before else ", the next in line")

    @property
    def in_line(self) -> bool:
        """Whether others come first."""
        with _lock:
            return self in _line

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
        return self.waits and self.estimate.too_long and not elsewhere.named()

    @property
    def sample(self) -> int:
        """How many cases, drawn at random, could be looked at in place of all; 0 if that does not help."""
        return self.estimate.sample_after(self.fraction) if self.too_long else self.estimate.sample()

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

    def failed(self) -> bool:
        """Whether it ended in an error that is not about the data; such a job is worth another try."""
        return not isinstance(self._error, InputError | Cancelled | None)

    def cancel(self) -> None:
        """Stop at the next report, or before it begins."""
        self.begin = None  # it holds the data
        self.stop.set()
        self.future.cancel()

    def wait_a_moment(self) -> None:
        """Until it is done or :data:`PATIENCE` is over since it was begun."""
        self.seen = time.monotonic()
        if not self.future.done() and not self.waits:
            wait([self.future], timeout=max(0.0, self.begun + PATIENCE - time.monotonic()))


def started(
    kind: str,
    key: tuple[str, ...],
    work: Callable[[Job[T]], T],
    estimate: patience.Estimate = patience.A_MOMENT,
    only_asked: bool = False,
) -> Job[T]:
    """The session's job of that kind for ``key``, begun in the pool if need be.

    It is not begun if by its ``estimate`` it takes more than :data:`.patience.UNASKED` seconds or more than
    the server allows, nor if it is begun ``only_asked`` for.

    ``work`` is given the job, for its ``report`` and ``parts``. A session does one job of
    a kind at a time: another key stops the one before. The last results are kept, so that
    going back costs nothing. ``key`` begins with the fingerprint of the predictions.
    """
    kept = _kept().setdefault(kind, {})
    if key not in kept:
        for other in [k for k, job in kept.items() if not job.future.done() or job.failed()]:
            kept.pop(other).cancel()
        while len(kept) >= MOST_KEPT:
            kept.pop(next(iter(kept)))
        again = _again().pop((kind, key), None)
        job = kept[key] = Job(estimate=estimate, here=bool(again))

        def begin() -> None:
            job.begin, job.begun = None, time.monotonic()
            _line_up(job, work)

        if again is None and (only_asked or estimate.seconds > patience.UNASKED or estimate.too_long):
            job.begin = begin
        else:
            begin()
    kept[key].seen = time.monotonic()
    return kept[key]


def _line_up(job: Job[T], work: Callable[[Job[T]], T]) -> None:
    def run() -> T:
        _leave_line(job)
        job.worked = time.monotonic()
        try:
            with using(None if job.here else elsewhere.engine(job.on)):
                return work(job)
        except (InputError, Cancelled, TooLong):
            raise
        except EngineError as trouble:
            _log.warning("%s", trouble)
            raise
        except Exception:
            _log.exception("Work failed.")
            raise
        finally:
            with _lock:
                _at_work.discard(job)

    with _lock:
        _line[:] = [other for other in _line if not other.future.done()]
        full = len(_line) >= LIMITS.most_waiting
        if not full:
            _line.append(job)
    if full:
        job.future.set_exception(Crowded())
    else:
        job.future = _pool.submit(run)


def _leave_line(job: Job[Any]) -> None:
    with _lock:
        if job in _line:
            _line.remove(job)
        _at_work.add(job)


def under_way() -> int:
    """How many jobs are at work or wait in line, of everybody."""
    with _lock:
        return len(_at_work) + sum(not job.future.done() for job in _line)


def _kept() -> dict[str, dict[tuple[str, ...], Job[Any]]]:
    kept: dict[str, dict[tuple[str, ...], Job[Any]]] = st.session_state.setdefault("jobs", {})
    return kept


def _again() -> dict[tuple[str, tuple[str, ...]], bool]:
    """What is to begin again at the next look, and whether here."""
    again: dict[tuple[str, tuple[str, ...]], bool] = st.session_state.setdefault("jobs-again", {})
    return again


def there(kind: str, key: tuple[str, ...]) -> Job[Any] | None:
    """The job of that kind for ``key`` if its result is there; nothing is begun."""
    job = _kept().get(kind, {}).get(key)
    return job if job is not None and job.ready else None


def restart(job: Job[Any], here: bool = False) -> None:
    """Forget a job that stopped or failed: the next look starts it again, without a cluster if ``here``."""
    for kind, kept in _kept().items():
        for key in [key for key, other in kept.items() if other is job]:
            del kept[key]
            _again()[kind, key] = here


def leave_others(fingerprint: str) -> None:
    """Stop diagnoses and the like of other data, so that those in use have the cores."""
    for kind in ("diagnosis", "survey", "report", "bandwidths"):
        kept = _kept().get(kind, {})
        for key in [key for key, job in kept.items() if key[0] != fingerprint and not job.future.done()]:
            kept.pop(key).cancel()


def forget(fingerprint: str) -> None:
    """Stop and forget all work on these predictions."""
    for kept in _kept().values():
        for key in [key for key in kept if key[0] == fingerprint]:
            kept.pop(key).cancel()


def close() -> None:
    """The server stops: so does all work, at its next report, as Python waits for the pool before it ends."""
    _closing.set()
    elsewhere.CONNECTION.close()
