"""Long work: one bounded pool for everybody, each piece with progress and a way to stop it."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

import streamlit as st

from calibcore import Diagnosis, DiagnosisSpec, InputError, Predictions, diagnose, survey
from calibcore.binning import Binning
from calibcore.diagnose import Cancelled
from calibcore.judged import Judged, judged
from calibcore.lenses import Lens
from calibcore.limits import LIMITS
from calibcore.survey import resamples_needed
from pages.ui import patience, settings

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

T = TypeVar("T")


@st.cache_resource
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(LIMITS.jobs, thread_name_prefix="work")


class Crowded(Exception):
    """The line is full; the work was not begun."""


@dataclass(eq=False)
class Job(Generic[T]):
    """Work under way. ``fraction``, ``words`` and ``parts`` are written by the worker, ``seen`` by the page.

    ``parts`` are results that are there before the whole is. Work that is ``expected`` to take
    long, in seconds, waits for somebody to call ``begin``.
    """

    future: "Future[T]" = field(default_factory=Future)
    stop: threading.Event = field(default_factory=threading.Event)
    begun: float = field(default_factory=time.monotonic)
    seen: float = field(default_factory=time.monotonic)
    fraction: float = 0.0
    words: str = ""
    parts: list[Any] = field(default_factory=list)
    expected: float = 0.0
    begin: Callable[[], None] | None = None
    worked: float | None = None

    def report(self, fraction: float, words: str) -> None:
        """The worker's progress callback; a job that nobody looks at any more stops by itself."""
        if time.monotonic() - self.seen > ABANDONED:
            self.stop.set()
        if self.worked is not None and time.monotonic() - self.worked > LIMITS.job_seconds:
            raise InputError(
                f"it took more than {LIMITS.job_seconds:,} seconds, the most that this server allows. "
                "Take fewer redraws, fewer lenses or a sample of the cases."
            )
        if self.stop.is_set() or _closing.is_set():
            raise Cancelled
        self.fraction, self.words = fraction, words

    @property
    def doing(self) -> str:
        """What is being done, or how many others come first."""
        with _lock:
            before = _line.index(self) if self in _line else None
        if before is None:
            return self.words
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
    def stopped(self) -> bool:
        """Whether it was stopped before it was done."""
        return self.stop.is_set() and not (self.future.done() and self._finished())

    @property
    def ready(self) -> bool:
        """Whether the result is there."""
        return self.future.done() and not self.stopped and self._finished()

    def _finished(self) -> bool:
        return not self.future.cancelled() and self.future.exception() is None

    @property
    def crowded(self) -> bool:
        """Whether it was not begun, as too many others wait."""
        done = self.future.done() and not self.future.cancelled()
        return done and isinstance(self.future.exception(), Crowded)

    def failed(self) -> bool:
        """Whether it ended in an error that is not about the data; such a job is worth another try."""
        done = self.future.done() and not self.future.cancelled()
        return done and not isinstance(self.future.exception(), InputError | Cancelled | None)

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
    expected: float = 0.0,
    only_asked: bool = False,
) -> Job[T]:
    """The session's job of that kind for ``key``, begun in the pool if need be.

    It is not begun if it is ``expected`` to take more than :data:`.patience.UNASKED` seconds, nor if it
    is begun ``only_asked`` for.

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
        job = kept[key] = Job(expected=expected)

        def begin() -> None:
            job.begin, job.begun = None, time.monotonic()
            _line_up(job, work)

        if only_asked or expected > patience.UNASKED:
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
            return work(job)
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
        job.future = _pool().submit(run)


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


def diagnosis(p: Predictions, spec: DiagnosisSpec) -> Job[Diagnosis]:
    """The diagnosis of these predictions with these settings, without the other estimates."""
    first = replace(spec, estimates=())
    expected = patience.seconds(p.n, settings.classes_through(spec.lens, p), first)
    key = (p.fingerprint, first.to_json())
    return started("diagnosis", key, lambda job: diagnose(p, first, job.report), expected)


def estimates(p: Predictions, spec: DiagnosisSpec) -> Job[Diagnosis]:
    """The other estimates that the settings ask for, without its tests: the p-values come first."""
    other = replace(spec, tests=())
    expected = patience.seconds(p.n, settings.classes_through(spec.lens, p), other)
    key = (p.fingerprint, other.to_json())
    return started("estimates", key, lambda job: diagnose(p, other, job.report), expected)


def together(tested: Diagnosis, estimated: Diagnosis) -> Diagnosis:
    """The whole out of :func:`diagnosis` and :func:`estimates`: each part draws from a stream of its own."""
    spec = replace(tested.spec, estimates=estimated.spec.estimates)
    return replace(tested, spec=spec, estimates=estimated.estimates)


LOOKING = 0.5
"""Share of the work that is looking through the lenses; the rest is what could have been seen."""


def surveyed(p: Predictions, spec: DiagnosisSpec, lenses: tuple[Lens, ...], many: Binning) -> Job[Judged]:
    """The survey of these predictions and its verdicts; its diagnoses arrive one by one as ``parts``."""
    total = len(lenses)

    def work(job: Job[Judged]) -> Judged:
        def report(part: float, share: float, what: str) -> Callable[[float, str], None]:
            return lambda fraction, _words: job.report(
                part + share * fraction, f"{what}{min(total, int(fraction * total) + 1)} of {total}"
            )

        found = survey(
            p, spec, lenses, report(0.0, LOOKING, "lens "), binning_of_many=many, found=job.parts.append
        )
        return judged(p, found, report(LOOKING, 1 - LOOKING, "what could have been seen, lens "))

    asked = replace(spec, resamples=max(spec.resamples, resamples_needed(total, spec.alpha)))
    classes = [settings.classes_through(lens, p) for lens in lenses]
    expected = patience.seconds_of_survey(p.n, classes, asked)
    return started("survey", _of_survey(p, spec, lenses, many), work, expected)


def survey_there(
    p: Predictions, spec: DiagnosisSpec, lenses: tuple[Lens, ...], many: Binning
) -> Judged | None:
    """What :func:`surveyed` found, if it is there; nothing is begun."""
    job = _kept().get("survey", {}).get(_of_survey(p, spec, lenses, many))
    return job.future.result() if job is not None and job.ready else None


def _of_survey(
    p: Predictions, spec: DiagnosisSpec, lenses: tuple[Lens, ...], many: Binning
) -> tuple[str, ...]:
    return p.fingerprint, spec.to_json(), repr(lenses), repr(many)


def restart(job: Job[Any]) -> None:
    """Forget a job that stopped or failed, so that the next look starts it again."""
    for kept in _kept().values():
        for key in [key for key, other in kept.items() if other is job]:
            del kept[key]


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
