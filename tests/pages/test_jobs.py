"""Long work: stopped, abandoned, failed, kept."""

import asyncio
import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import cast

import numpy as np
import pytest
import streamlit as st

from calibcore import DiagnosisSpec, InputError, Predictions
from calibcore.data.examples import load_example
from calibcore.diagnose import bin_pvalues_for, reliability_for
from calibcore.diagram.binning import UniformBinning
from calibcore.numerics.progress import Cancelled
from calibcore.questions.warm import STAGES
from calibcore.transforms.lenses import ClassLens, TopKLens
from pages.server import compiling, routes
from pages.server.routes import _warm, lifespan
from pages.ui import diagrams, state
from pages.ui.show import plain
from pages.work import costs, jobs, studies
from pages.work import job as module
from pages.work.job import line_up
from pages.work.queue import SMALL, Line

LONGER = SMALL + 1
"""Seconds expected of work that does not go into the lane for small work."""


def ended(error: BaseException | None) -> jobs.Job[object]:
    job: jobs.Job[object] = jobs.Job(Future())
    if error is None:
        job.future.set_result(None)
    else:
        job.future.set_exception(error)
    return job


def test_a_stopped_job_ends_at_its_next_report() -> None:
    job: jobs.Job[object] = jobs.Job()
    job.report(0.5, "halfway")
    assert (job.fraction, job.words) == (0.5, "halfway")
    job.cancel()
    assert job.stopped
    with pytest.raises(Cancelled):
        job.report(0.6, "further")


def test_a_job_that_nobody_looks_at_gives_its_place_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    job: jobs.Job[object] = jobs.Job()
    job.report(0.1, "looked at")
    later = time.monotonic() + module.ABANDONED + 1
    monkeypatch.setattr(module.time, "monotonic", lambda: later)
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
    waiting: jobs.Job[object] = jobs.Job()
    waiting.cancel()
    assert waiting.stopped


def test_a_job_knows_how_far_it_is_from_another_thread() -> None:
    job: jobs.Job[object] = jobs.Job()
    worker = threading.Thread(target=job.report, args=(0.25, "there"))
    worker.start()
    worker.join()
    assert job.fraction == 0.25


class Session(dict[str, object]):
    """What st.session_state is to the code under test."""


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    found = Session()
    monkeypatch.setattr(jobs.st, "session_state", found)
    return found


def test_a_session_does_one_job_of_a_kind_at_a_time(session: Session) -> None:
    running, go_on = threading.Event(), threading.Event()

    def slow(job: jobs.Job[str]) -> str:
        running.set()
        go_on.wait(20)
        job.report(0.5, "halfway")
        return "slow"

    first = jobs.start("kind", ("data", "a"), slow)
    assert running.wait(20)
    other = jobs.start("other kind", ("data", "a"), lambda job: "other")
    assert other.future.result(20) == "other"
    assert not first.stopped
    second = jobs.start("kind", ("data", "b"), lambda job: "second")
    go_on.set()
    assert second.future.result(20) == "second"
    assert isinstance(first.future.exception(20), Cancelled)
    assert jobs.start("kind", ("data", "b"), slow) is second


def test_two_sessions_have_nothing_in_common(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for said in ("one", "two"):
        monkeypatch.setattr(jobs.st, "session_state", Session())
        found.append(jobs.start("kind", ("data",), lambda job, said=said: said).future.result(20))
    assert found == ["one", "two"]


def test_results_are_bounded_and_forgotten_with_their_data(session: Session) -> None:
    for i in range(jobs.MOST_KEPT + 3):
        jobs.start("kind", ("data", str(i)), lambda job: 0).future.result(20)
    kept = session["jobs"]["kind"]  # type: ignore[index]
    assert len(kept) == jobs.MOST_KEPT
    jobs.start("kind", ("others",), lambda job: 0).future.result(20)
    jobs.forget("data")
    assert list(kept) == [("others",)]


def test_a_moment_is_waited_from_the_beginning_only(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, asked = threading.Event(), list[float]()
    monkeypatch.setattr(module, "wait", lambda futures, timeout: asked.append(timeout))
    job = jobs.start("kind", ("data",), lambda job: go_on.wait(20))
    job.begun = time.monotonic() + 1  # a second from now
    job.wait_a_moment()
    job.begun -= module.PATIENCE + 1
    job.wait_a_moment()
    go_on.set()
    assert asked[0] > 0.9 * module.PATIENCE
    assert asked[1] == 0


def test_a_survey_tells_its_lenses_one_by_one(session: Session) -> None:
    p = load_example("wine")
    lenses = (TopKLens(1), ClassLens("grower 1"))
    spec = DiagnosisSpec(tests=("exact",), resamples=99)
    assert studies.surveyed(p, spec, lenses, UniformBinning(4)).finished() is None
    job = studies.surveyed(p, spec, lenses, UniformBinning(4)).begun()
    found = job.future.result(60)
    assert job.words == "what could have been seen, check 2 of 2"
    diagnoses, verdicts = job.parts[:2], job.parts[3:]
    assert tuple(diagnoses) == found.survey.diagnoses
    assert job.parts[2].to_json() == found.survey.to_json()
    assert job.parts[2].predictions is found.survey.predictions is None
    assert tuple(verdicts) == found.verdicts
    assert [verdict.lens for verdict in found.verdicts] == list(lenses)
    assert len(found.frequencies) == p.m
    assert job.ready
    assert studies.surveyed(p, spec, lenses, UniformBinning(4)).finished() is found
    assert studies.surveyed(p, spec, lenses, UniformBinning(5)).finished() is None


def of_two_orders_of_patients() -> tuple[Predictions, ...]:
    """The same rows, whose patients are others: the fingerprint does not tell."""
    wine = load_example("wine")
    patients = np.arange(wine.n) // 2
    first, second = (
        Predictions(wine.probs, wine.labels, wine.class_names, metadata={"patient": ids})
        for ids in (patients, patients[::-1].copy())
    )
    assert first.fingerprint == second.fingerprint
    return first, second


def test_the_same_rows_of_other_patients_are_other_work() -> None:
    first, second = of_two_orders_of_patients()
    spec = DiagnosisSpec(lens=ClassLens("grower 1"), resamples=99, unit="patient")
    found = studies.decisions(first, spec, (0.2,)).begun().future.result(60)
    assert studies.decisions(first, spec, (0.2,)).finished() is found
    assert studies.decisions(second, spec, (0.2,)).finished() is None


def test_arrows_of_other_patients_are_tested_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "UNNOTICED", -1.0)  # so that it is a job
    spec = DiagnosisSpec(binning=UniformBinning(2), resamples=99, unit="patient")
    tested = []
    for p in of_two_orders_of_patients():
        shown = reliability_for(p, spec)
        _, begin = diagrams.bin_tests(p, spec, shown)
        if begin is not None:
            begin().future.result(60)
        tests, _ = diagrams.bin_tests(p, spec, shown)
        alone = bin_pvalues_for(p, state.diagram_settings(spec), shown.n_bins)
        assert tests is not None
        assert alone is not None
        assert tests.pvalue.tolist() == alone.pvalue.tolist()
        tested.append(tests.pvalue.tolist())
    assert tested[0] != tested[1]


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
    monkeypatch.setattr(module, "_closing", threading.Event())
    warm = threading.Event()
    monkeypatch.setattr(routes, "never_compiled", lambda: False)
    monkeypatch.setattr(routes, "warm", warm.set)
    job = jobs.Job()

    async def life() -> None:
        async with lifespan(module)(cast(st.App, None)):
            job.report(0.1, "under way")
            assert warm.wait(5)

    asyncio.run(life())
    with pytest.raises(Cancelled):
        job.report(0.2, "too late")


def test_what_compiles_ends_with_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """And is waited for: what it leaves on disk is loaded, and not compiled once more."""
    begun: list[subprocess.Popen[bytes]] = []

    def apart(_part: str) -> subprocess.Popen[bytes]:
        begun.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"]))
        return begun[-1]

    monkeypatch.setattr(module, "_closing", threading.Event())
    monkeypatch.setattr(routes, "never_compiled", lambda: True)
    monkeypatch.setattr(routes, "compiling_apart", apart)
    monkeypatch.setattr(routes, "warm", lambda: pytest.fail("It was not waited for."))

    async def life() -> None:
        async with lifespan(module)(cast(st.App, None)):
            while len(begun) < len(STAGES[0]):
                await asyncio.sleep(0.01)

    asyncio.run(life())
    assert all(process.wait(5) < 0 for process in begun)
    assert len(begun) == len(STAGES[0])


def test_what_a_verdict_needs_is_compiled_first_and_work_waits_for_it_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    waiting: list[threading.Thread] = []

    def report(_fraction: float, words: str) -> None:
        said.append(words)

    def compiled(parts: tuple[str, ...], _stopped: threading.Event) -> bool:
        worker = threading.Thread(target=compiling.wait, args=(report,))
        worker.start()
        waiting.append(worker)
        if parts == STAGES[0]:
            worker.join(0.3)
            assert worker.is_alive()
        else:
            worker.join(5)
            assert not worker.is_alive()
        return True

    monkeypatch.setattr(routes, "never_compiled", lambda: True)
    monkeypatch.setattr(routes, "_compiled", compiled)
    monkeypatch.setattr(routes, "warm", lambda: None)
    try:
        _warm(threading.Event())
    finally:
        gc.unfreeze()
    assert len(waiting) == len(STAGES)
    waiting[0].join(5)
    assert not waiting[0].is_alive()
    assert set(said) == {compiling.WORDS}


def test_who_waits_for_loops_can_stop() -> None:
    def stopped(_fraction: float, _words: str) -> None:
        raise Cancelled

    with compiling.under_way(), pytest.raises(Cancelled):
        compiling.wait(stopped)
    assert not compiling.wait(stopped)  # they are there: nothing is said


@pytest.mark.slow
def test_only_what_was_never_compiled_and_can_be_kept_is_compiled_apart(tmp_path: Path) -> None:
    code = "from calibcore.questions.warm import never_compiled\nprint(not never_compiled())"
    nowhere = "import numba.core.caching as caching\ncaching.CacheImpl._locator_classes = []\n"

    def nothing_begins(code: str) -> bool:
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout.strip() == "True"

    assert [nothing_begins(code), nothing_begins(code)] == [False, True]
    assert nothing_begins(nowhere + code)


def test_after_the_warm_up_garbage_is_collected_in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "never_compiled", lambda: False)
    monkeypatch.setattr(routes, "warm", lambda: None)
    imported: list[list[int]] = [[] for _ in range(20_000)]  # however much was frozen before
    before = len(gc.get_objects())
    assert before > len(imported)
    try:
        _warm(threading.Event())
        assert gc.get_freeze_count() > 0.9 * before  # what Streamlit looks through after every run
        assert len(gc.get_objects()) < 0.1 * before
    finally:
        gc.unfreeze()


@pytest.fixture
def one_place(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A line with one place, and room for three to wait."""
    line = Line(1, 3)
    monkeypatch.setattr(module, "_line", line)
    yield
    line.close()


def _lined_up(work: Callable[[jobs.Job[int]], int]) -> jobs.Job[int]:
    job: jobs.Job[int] = jobs.Job(estimate=costs.Estimate(1, lambda _: LONGER))
    line_up(job, work)
    return job


@pytest.mark.usefixtures("one_place")
def test_who_waits_is_told_how_many_come_first() -> None:
    go, began = threading.Event(), threading.Event()

    def first(job: jobs.Job[int]) -> int:
        job.report(0.5, "halfway")
        began.set()
        go.wait(10)
        return 0

    a, b, c, d = (_lined_up(first if i == 0 else lambda _: 1) for i in range(4))
    assert began.wait(10)
    said = [job.doing for job in (a, b, c, d)]
    assert said[0] == "halfway"
    assert said[1:] == [
        "waiting for a free place, the next in line",
        "waiting for a free place, 1 before it",
        "waiting for a free place, 2 before it",
    ]
    c.cancel()
    _lined_up(lambda _: 1)
    assert d.doing == "waiting for a free place, 1 before it"
    go.set()
    assert d.future.result(10) == 1
    assert "waiting" not in d.doing


@pytest.mark.usefixtures("one_place")
def test_a_full_line_refuses_more_and_they_can_try_again() -> None:
    go, began = threading.Event(), threading.Event()

    def first(_job: jobs.Job[int]) -> int:
        began.set()
        go.wait(10)
        return 0

    _lined_up(first)
    assert began.wait(10)
    waiting = [_lined_up(lambda _: 1) for _ in range(3)]
    refused = _lined_up(lambda _: 1)
    assert refused.crowded
    assert refused.failed()
    go.set()
    assert [job.future.result(10) for job in waiting] == [1, 1, 1]
    assert _lined_up(lambda _: 2).future.result(10) == 2
