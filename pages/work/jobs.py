"""The long work of a session: one job of a kind at a time, its last results kept."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from calibcore.assessment.effort import USUAL, Effort
from pages.work import costs
from pages.work.job import Job, Name, cached, line_up, subscribe

OF_DATA_IN_USE = (
    *("diagnosis", "survey", "report", "bandwidths", "comparison"),
    *("groups", "group diagrams", "worst", "monitoring"),
)
"""Kinds of work that are stopped when other data come into use."""
MOST_KEPT = 12
"""Results kept of each kind of work."""

T = TypeVar("T")


def start(
    kind: str,
    key: tuple[str, ...],
    work: Callable[[Job[T]], T],
    estimate: costs.Estimate = costs.A_MOMENT,
    only_asked: bool = False,
    bundled: bool = False,
) -> Job[T]:
    """The session's job of that kind for ``key``, begun if need be.

    It is not begun if by its ``estimate`` it takes more than :data:`.costs.UNASKED` seconds or more than
    the server allows, nor if it is begun ``only_asked`` for.

    ``work`` is given the job, for its ``report`` and ``parts``. A session does one job of
    a kind at a time: another key stops the one before. The last results are kept, so that
    going back costs nothing. ``key`` begins with the fingerprint of the predictions. Work on ``bundled``
    data, and on nothing else of the session, is done once for everybody.
    """
    of_kind = _of_session().setdefault(kind, {})
    if key not in of_kind:
        for other in [k for k, job in of_kind.items() if not job.future.done() or job.failed()]:
            of_kind.pop(other).cancel()
        while len(of_kind) >= MOST_KEPT:
            of_kind.pop(next(iter(of_kind)))
        again = _again().pop((kind, key), None)
        job = of_kind[key] = Job(estimate=estimate, here=bool(again), kind=kind)

        def begin() -> None:
            job.begin, job.begun = None, time.monotonic()
            if bundled and not again:
                subscribe(job, (kind, key), work)
            else:
                line_up(job, work)

        known = bundled and cached((kind, key)) is not None
        long = only_asked or estimate.seconds > costs.UNASKED or estimate.too_long
        if again is None and not known and long:
            job.begin = begin
        else:
            begin()
    of_kind[key].seen = time.monotonic()
    return of_kind[key]


def effort() -> Effort:
    """What the verdicts of this session are worked out with: as everybody's, unless begun otherwise."""
    begun: Effort = st.session_state.get("effort", USUAL)
    return begun


def _of_session() -> dict[str, dict[tuple[str, ...], Job[Any]]]:
    by_kind: dict[str, dict[tuple[str, ...], Job[Any]]] = st.session_state.setdefault("jobs", {})
    return by_kind


def _again() -> dict[Name, bool]:
    """What is to begin again at the next look, and whether here."""
    again: dict[Name, bool] = st.session_state.setdefault("jobs-again", {})
    return again


def finished(kind: str, key: tuple[str, ...]) -> Job[Any] | None:
    """The job of that kind for ``key`` if its result is there; nothing is begun."""
    job = _of_session().get(kind, {}).get(key)
    return job if job is not None and job.ready else None


def restart(job: Job[Any], here: bool = False) -> None:
    """Forget a job that stopped or failed: the next look starts it again, without a cluster if ``here``."""
    for kind, of_kind in _of_session().items():
        for key in [key for key, other in of_kind.items() if other is job]:
            del of_kind[key]
            _again()[kind, key] = here


def leave_others(*fingerprints: str) -> None:
    """Stop diagnoses and the like of other data, so that those in use have the cores."""
    for kind in OF_DATA_IN_USE:
        of_kind = _of_session().get(kind, {})
        under_way = [key for key, job in of_kind.items() if not job.future.done()]
        for key in under_way:
            if key[0] not in fingerprints:
                of_kind.pop(key).cancel()


def forget(fingerprint: str) -> None:
    """Stop and forget all work on these predictions."""
    for of_kind in _of_session().values():
        for key in [key for key in of_kind if key[0] == fingerprint]:
            of_kind.pop(key).cancel()
