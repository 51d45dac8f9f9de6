"""Work that took too long, or too much memory, ends whole, with a sentence: no number is withheld for it."""

from collections.abc import Callable
from typing import NoReturn

import pytest

from calibcore import DiagnosisSpec, InputError, diagnose, survey
from calibcore.data.examples import load_example
from calibcore.limits import LIMITS
from calibcore.numerics.engine import EngineError
from calibcore.numerics.progress import Cancelled, Progress
from calibcore.transforms.lenses import TopKLens
from pages.work.job import Job, TooLong, line_up
from tests.pages.harness import opened, press, said, settled

SENTENCE = (
    "it took more than 3,600 seconds, the most that this server allows. Take fewer redraws, fewer checks or "
    "a sample of the cases."
)
P = load_example("diabetes").with_rows(slice(0, 60))
SPEC = DiagnosisSpec(resamples=19, bars="resampled", bootstrap=9)


WORK: dict[str, Callable[[Progress], object]] = {
    "diagnosis": lambda report: diagnose(P, SPEC, report),
    "survey": lambda report: survey(P, SPEC, (TopKLens(1), TopKLens(2)), report),
}


def all_words(kind: str) -> list[str]:
    """What is said on the way, once each."""
    found: dict[str, None] = {}
    WORK[kind](lambda _, words: found.update({words: None}))
    return [words for words in found if words != "done"]


def late(job: Job[object]) -> None:
    assert job.worked is not None
    job.worked -= LIMITS.job_seconds + 1


def lined_up(kind: str, words: str) -> Job[object]:
    """A job whose time is over as soon as it says ``words``."""
    job: Job[object] = Job()

    def report(fraction: float, now: str) -> None:
        if now == words:
            late(job)
        job.report(fraction, now)

    line_up(job, lambda _: WORK[kind](report))
    return job


@pytest.mark.parametrize("kind", WORK)
def test_the_whole_job_ends_wherever_its_time_is_over(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    on_the_way = all_words(kind)
    assert len(on_the_way) >= 5
    for words in on_the_way:
        job = lined_up(kind, words)
        assert isinstance(job.future.exception(30), TooLong), words
        assert job.too_long == SENTENCE
        assert not job.ready
        assert not job.trouble
    assert not [record for record in caplog.records if record.name == "caliblens"]  # nobody is at fault


@pytest.mark.some(2)
@pytest.mark.parametrize("kind", WORK)
@pytest.mark.parametrize("error", [Cancelled(), EngineError("gone"), TooLong("late")])
@pytest.mark.slow
def test_only_a_fault_of_the_data_withholds_a_number(kind: str, error: Exception) -> None:
    """Raised once, within a step: nothing that comes later raises it again."""
    ended = 0
    for words in all_words(kind):
        at = [error, None]

        def stop(_: float, now: str, words: str = words, at: list[Exception | None] = at) -> None:
            if now == words and at and (raised := at.pop()) is not None:
                raise raised

        try:
            WORK[kind](stop)
        except type(error):
            ended += 1
        else:
            assert at, words  # a step that says nothing between its begin and its end
    assert ended >= 3


def test_no_error_that_ends_a_job_is_one_of_the_data() -> None:
    for kind in (Cancelled, EngineError, TooLong):
        assert not issubclass(kind, InputError)


def test_the_page_says_so_and_starts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def report(*_: object) -> NoReturn:
        raise TooLong(SENTENCE)

    with monkeypatch.context() as slow:
        slow.setattr(Job, "report", report)
        app = settled(opened("tests", in_use="wine"))
        assert f"Testing was ended: {SENTENCE}" in said(app)
        assert "withheld" not in said(app)
        assert not app.metric
    app = settled(press(app, "Start again"))
    assert "Testing was ended" not in said(app)
    assert "Omnibus test" in [metric.label for metric in app.metric]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MemoryError(), "Testing needs more memory than is free here."),
        (RuntimeError("inside"), "Testing failed on our side. The server's log says why."),
    ],
)
@pytest.mark.slow
def test_what_else_ends_a_job_is_said_and_can_be_tried_again(
    error: Exception, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def report(*_: object) -> NoReturn:
        raise error

    with monkeypatch.context() as bad:
        bad.setattr(Job, "report", report)
        app = settled(opened("tests", in_use="wine"))
        assert sentence in said(app)
        assert "inside" not in said(app)
        assert not app.metric
    app = settled(press(app, "Start again"))
    assert "Omnibus test" in [metric.label for metric in app.metric]
