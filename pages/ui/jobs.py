"""Long work: one bounded pool for everybody, each piece with progress and a way to stop it."""

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

import streamlit as st

from calibcore import Diagnosis, DiagnosisSpec, InputError, Predictions, diagnose
from calibcore.diagnose import Cancelled
from calibcore.limits import LIMITS

MOST_KEPT = 12
PATIENCE = 0.3
"""Seconds before progress is shown: what is faster just appears."""
ABANDONED = 120.0
"""Seconds after which a job that no page has asked about gives its place to others."""
_closing = threading.Event()


@st.cache_resource
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(LIMITS.jobs, thread_name_prefix="diagnosis")


@dataclass
class Job:
    """A diagnosis under way. ``fraction`` and ``words`` are written by the worker, ``seen`` by the page."""

    future: "Future[Diagnosis]" = field(default_factory=Future)
    stop: threading.Event = field(default_factory=threading.Event)
    seen: float = field(default_factory=time.monotonic)
    fraction: float = 0.0
    words: str = "waiting for a free place"

    def report(self, fraction: float, words: str) -> None:
        """The worker's progress callback; a job that nobody looks at any more stops by itself."""
        if time.monotonic() - self.seen > ABANDONED:
            self.stop.set()
        if self.stop.is_set() or _closing.is_set():
            raise Cancelled
        self.fraction, self.words = fraction, words

    @property
    def stopped(self) -> bool:
        """Whether it was stopped before it was done."""
        return self.stop.is_set() and not (self.future.done() and self._finished())

    def _finished(self) -> bool:
        return not self.future.cancelled() and self.future.exception() is None

    def failed(self) -> bool:
        """Whether it ended in an error that nobody foresaw; such a job is worth another try."""
        done = self.future.done() and not self.future.cancelled()
        return done and not isinstance(self.future.exception(), InputError | Cancelled | None)

    def cancel(self) -> None:
        """Stop at the next report, or before it begins."""
        self.stop.set()
        self.future.cancel()


def diagnosis_job(p: Predictions, spec: DiagnosisSpec) -> Job:
    """The session's job for these predictions and settings, started if need be.

    A session works on one diagnosis at a time: other settings stop the one before.
    The last results are kept, so that going back costs nothing.
    """
    kept: dict[tuple[str, str], Job] = st.session_state.setdefault("diagnosis_jobs", {})
    key = (p.fingerprint, spec.to_json())
    if key not in kept:
        for other in [k for k, job in kept.items() if not job.future.done() or job.failed()]:
            kept.pop(other).cancel()
        while len(kept) >= MOST_KEPT:
            kept.pop(next(iter(kept)))
        job = kept[key] = Job()
        job.future = _pool().submit(diagnose, p, spec, job.report)
        wait([job.future], timeout=PATIENCE)
    kept[key].seen = time.monotonic()
    return kept[key]


def restart(job: Job) -> None:
    """Forget a job that stopped or failed, so that the next look starts it again."""
    kept: dict[tuple[str, str], Job] = st.session_state.get("diagnosis_jobs", {})
    for key in [k for k, other in kept.items() if other is job]:
        del kept[key]


def close() -> None:
    """The server stops: so does all work, at its next report, as Python waits for the pool before it ends."""
    _closing.set()
