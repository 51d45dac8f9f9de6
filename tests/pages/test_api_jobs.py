"""Questions that take longer: where they are, how they end, what is left of them, and whose turn it is."""

import gc
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from calibcore.cli import survey as survey_command
from calibcore.errors import InputError
from pages.api import asks, callers, form
from pages.server.budget import BUDGET, Budget
from pages.server.rate_limit import Guesses
from pages.work import job as work
from pages.work.queue import Line
from tests.pages.programs import BASE, EVENT_FILE, ask, client

ONE = {"predictions": EVENT_FILE}


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """Nothing is waited for; nothing of this test is left in the lists of the server."""
    monkeypatch.setattr(asks, "WAITED", 0.0)
    monkeypatch.setattr(asks, "_asked", {})
    monkeypatch.setattr(callers, "_guesses", Guesses())
    monkeypatch.setattr(callers, "_asked", Guesses(10**6))
    with client() as found:
        yield found


class Held:
    """A survey that goes on until it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go = threading.Event(), threading.Event()
        self.stopped = threading.Event()
        found = survey_command.assessed

        def assessed(p: Any, request: Any, progress: Any) -> Any:
            self.begun.set()
            try:
                while not self.go.wait(0.01):
                    progress(0.25, "check 1 of 2")
            except BaseException:
                self.stopped.set()
                raise
            return found(p, request, progress)

        monkeypatch.setattr(survey_command, "assessed", assessed)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    found = Held(monkeypatch)
    yield found
    found.go.set()


def wait_for(program: TestClient, href: str, state: str) -> Any:
    for _ in range(400):
        told = program.get(href, params={"wait": "0.1"}).json()
        if told.get("state") == state:
            return told
        time.sleep(0.01)
    raise AssertionError(told)


def test_a_job_says_where_it_is_and_is_told_once(program: TestClient, held: Held) -> None:
    response = ask(program, "survey", ONE)
    assert response.status_code == 202
    href = response.json()["href"]
    assert href == f"{BASE}/jobs/{response.json()['job']}"
    assert response.headers["location"].endswith(href.removeprefix(BASE))
    assert response.headers["retry-after"] == "1"
    assert held.begun.wait(30)
    told = wait_for(program, href, "working")
    assert (told["progress"], told["words"]) == (0.25, "check 1 of 2")
    held.go.set()
    assert wait_for(program, href, "done")["result"]["question"] == "survey"
    assert program.get(href).status_code == 404
    assert asks.under_way() == 0


def test_a_job_that_fails_says_so_once(program: TestClient) -> None:
    href = ask(program, "survey", {"predictions": ("x.csv", b"a,b\n1,2\n")}).json()["href"]
    told = wait_for(program, href, "failed")
    assert told["status"] == 422
    assert told["problem"]["error"]
    assert program.get(href).status_code == 404


def test_an_error_of_ours_is_a_sentence_and_the_log_has_no_data(
    program: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError("secret of a patient")

    monkeypatch.setattr(survey_command, "assessed", fails)
    told = wait_for(program, ask(program, "survey", ONE).json()["href"], "failed")
    assert told["status"] == 500
    assert "secret" not in str(told)
    assert [record.message for record in caplog.records if record.exc_info] == ["Work failed."]


def test_delete_stops_the_work(program: TestClient, held: Held) -> None:
    href = ask(program, "survey", ONE).json()["href"]
    assert held.begun.wait(30)
    assert program.delete(href).status_code == 204
    assert held.stopped.wait(30)
    assert program.delete(href).status_code == 404
    assert program.get(href).status_code == 404


def test_delete_stops_the_reading(program: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from pages.api import sent

    begun, ended = threading.Event(), threading.Event()

    def reads(*_: Any, check: Any, **__: Any) -> None:
        begun.set()
        try:
            while True:
                check(False)
                time.sleep(0.01)
        finally:
            ended.set()

    monkeypatch.setattr(sent, "read_apart", reads)
    href = ask(program, "survey", ONE).json()["href"]
    assert begun.wait(30)
    assert program.get(href).json()["state"] == "reading"
    assert program.delete(href).status_code == 204
    assert ended.wait(30)


def test_what_nobody_asks_about_is_stopped_and_forgotten(
    program: TestClient, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "ABANDONED", 0.2)
    monkeypatch.setattr(asks, "KEPT", 0.2)
    href = ask(program, "survey", ONE).json()["href"]
    assert held.begun.wait(30)
    assert held.stopped.wait(30)
    time.sleep(0.4)
    asked = ask(program, "survey", {"predictions": ("x.csv", b"a,b\n1,2\n")})
    assert asked.status_code == 202
    assert program.get(href).status_code == 404


def test_nothing_of_the_data_is_left_after_the_answer(
    program: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pages.api import sent

    read, left = sent.read_apart, list[weakref.ref[Any]]()

    def noted(*given: Any, **named: Any) -> Any:
        reading = read(*given, **named)
        left.append(weakref.ref(reading.predictions))
        return reading

    monkeypatch.setattr(sent, "read_apart", noted)
    before = BUDGET.held()
    href = ask(program, "survey", ONE).json()["href"]
    for _ in range(300):
        if all(asked.task.done() for asked in asks._asked.values()):
            break
        time.sleep(0.02)
    gc.collect()
    assert BUDGET.held() == before
    assert [ref() for ref in left] == [None]
    assert wait_for(program, href, "done")


def test_one_caller_and_all_together_have_so_many(
    program: TestClient, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asks, "MOST_OF_ONE", 2)
    first, _ = (ask(program, "survey", ONE) for _ in range(2))
    full = ask(program, "survey", ONE)
    assert full.status_code == 429
    assert int(full.headers["retry-after"]) >= 1
    program.delete(first.json()["href"])
    monkeypatch.setattr(asks, "MOST_OF_ALL", 1)
    assert ask(program, "survey", ONE).status_code == 503
    monkeypatch.setattr(asks, "MOST_OF_ALL", 100)
    assert ask(program, "survey", ONE).status_code == 202


@pytest.mark.slow
def test_programs_wait_in_the_line_of_all_visitors(
    program: TestClient, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = Line(1, 1)
    monkeypatch.setattr(work, "_line", line)
    monkeypatch.setattr("pages.work.costs.seconds_of_survey", lambda *_: 10.0)
    first = ask(program, "survey", ONE).json()["href"]
    assert held.begun.wait(30)
    second = ask(program, "survey", ONE).json()["href"]
    assert wait_for(program, second, "waiting")["words"] == "waiting for a free place, the next in line"
    third = ask(program, "survey", ONE).json()["href"]
    told = wait_for(program, third, "failed")
    assert told["status"] == 503
    assert "wait in line" in told["problem"]["error"]
    program.delete(first)
    held.go.set()
    assert wait_for(program, second, "done")
    line.close()


def test_what_has_no_room_is_refused_before_it_is_read(
    program: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget = Budget(most=3, each=2, per_file=1)
    monkeypatch.setattr(form, "BUDGET", budget)
    rng = np.random.default_rng(0)

    def of(megabytes: float) -> dict[str, tuple[str, bytes]]:
        return {"predictions": ("x.csv", rng.bytes(int(megabytes * 1e6)))}

    assert ask(program, "survey", of(1.2)).status_code == 413  # one file
    assert ask(program, "survey", of(7)).status_code == 413  # the form
    with_others = [budget.count("testclient", 1_500_000), budget.count("another", 500_000)]
    full = ask(program, "survey", of(0.9))
    assert (full.status_code, "retry-after" in full.headers) == (429, True)
    del with_others
    others = budget.count("another", 2_500_000)
    full = ask(program, "survey", of(0.9))
    assert (full.status_code, "retry-after" in full.headers) == (503, True)
    del others
    assert ask(program, "survey", of(0.9)).status_code == 202


def test_a_caller_asks_so_often_in_a_minute(program: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callers, "_asked", Guesses(2))
    hrefs = [ask(program, "survey", {"predictions": ("x.csv", b"a,b\n1,2\n")}) for _ in range(3)]
    assert [response.status_code for response in hrefs] == [202, 202, 429]
    assert 1 <= int(hrefs[-1].headers["retry-after"]) <= 60


def test_jobs_that_are_guessed_at_are_slow_to_be_denied(
    program: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callers, "SLOW", 0.0)
    statuses = [program.get(f"{BASE}/jobs/guess{i}").status_code for i in range(22)]
    assert statuses == [404] * 20 + [429] * 2


@pytest.mark.parametrize("wait", ["-1", "21", "nan", "inf", "x", "1e400", ""])
def test_how_long_to_wait_is_bounded(wait: str, program: TestClient, held: Held) -> None:
    href = ask(program, "survey", ONE).json()["href"]
    assert program.get(href, params={"wait": wait}).status_code == 422


def test_an_error_knows_no_frames_of_the_data() -> None:
    """What was told of a failure is kept until it is fetched; it holds no traceback."""
    problem = asks.problem_of(InputError("a fault"))
    assert problem.__traceback__ is None
    assert problem.__context__ is None
