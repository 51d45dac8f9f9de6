"""Long work: stopped, abandoned, failed, kept."""

import asyncio
import threading
import time
from concurrent.futures import Future
from typing import cast

import pytest
import streamlit as st

from calibcore import InputError
from calibcore.diagnose import Cancelled
from calibcore.estimators import _tiles
from pages.ui import jobs
from pages.ui.routes import warm_up
from pages.ui.show import plain


def ended(error: BaseException | None) -> jobs.Job:
    job = jobs.Job(Future())
    if error is None:
        job.future.set_result(None)  # type: ignore[arg-type]
    else:
        job.future.set_exception(error)
    return job


def test_a_stopped_job_ends_at_its_next_report() -> None:
    job = jobs.Job()
    job.report(0.5, "halfway")
    assert (job.fraction, job.words) == (0.5, "halfway")
    job.cancel()
    assert job.stopped
    with pytest.raises(Cancelled):
        job.report(0.6, "further")


def test_a_job_that_nobody_looks_at_gives_its_place_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    job = jobs.Job()
    job.report(0.1, "looked at")
    later = time.monotonic() + jobs.ABANDONED + 1
    monkeypatch.setattr(jobs.time, "monotonic", lambda: later)
    with pytest.raises(Cancelled):
        job.report(0.2, "alone")
    assert job.stopped


@pytest.mark.parametrize(
    ("error", "failed"),
    [(None, False), (InputError("no"), False), (Cancelled(), False), (MemoryError(), True)],
)
def test_only_what_nobody_foresaw_is_a_failure(error: BaseException | None, failed: bool) -> None:
    assert ended(error).failed() == failed


def test_a_job_that_was_done_before_the_stop_is_not_stopped() -> None:
    job = ended(None)
    job.cancel()
    assert not job.stopped
    waiting = jobs.Job()
    waiting.cancel()
    assert waiting.stopped


def test_a_job_knows_how_far_it_is_from_another_thread() -> None:
    job = jobs.Job()
    worker = threading.Thread(target=job.report, args=(0.25, "there"))
    worker.start()
    worker.join()
    assert job.fraction == 0.25


@pytest.mark.parametrize(
    "text",
    [
        "![x](http://host/p.png)",
        "<iframe srcdoc='x'>",
        "**b** _i_ `c` $e$ :red[d] :material/x:",
        "a\nb\tc",
        "\u202eabc",
        "http://host/",
    ],
)
def test_text_from_outside_is_escaped_whole(text: str) -> None:
    shown = plain(text)
    assert "\n" not in shown
    assert "\u202e" not in shown
    bare = shown.replace("\\", "\0")
    for i, character in enumerate(bare):
        if character in "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~":
            assert bare[i - 1] == "\0", shown


def test_long_text_is_cut() -> None:
    assert len(plain("x" * 10_000)) == 1_000


def test_when_the_server_stops_so_does_all_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_closing", threading.Event())
    warm = threading.Event()
    monkeypatch.setattr(_tiles, "warm", warm.set)
    job = jobs.Job()

    async def life() -> None:
        async with warm_up(cast(st.App, None)):
            job.report(0.1, "under way")
            assert warm.wait(5)

    asyncio.run(life())
    with pytest.raises(Cancelled):
        job.report(0.2, "too late")
