"""``/healthz`` and ``/readyz``: what a probe is told, and what it costs."""

import asyncio
import json
import threading
from collections.abc import Callable

import pytest

from calibcore.store import StoreError
from pages.server import health, report_route
from pages.server.health import Readiness


class Store:
    """Answers as it is told, and counts how often it is asked."""

    def __init__(self, answer: Callable[[], None]) -> None:
        self.asked, self._answer = 0, answer

    def check(self) -> None:
        self.asked += 1
        self._answer()


def broken() -> None:
    raise StoreError("postgresql://me:secret@there/db")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE", 0.2)


async def asked(readiness: Readiness) -> tuple[int, dict[str, bool]]:
    answer = await readiness.readyz(None)  # type: ignore[arg-type]
    return answer.status_code, json.loads(bytes(answer.body))


@pytest.mark.parametrize("warm", [True, False])
@pytest.mark.parametrize("answer", [lambda: None, broken])
def test_it_is_ready_where_the_kernels_are_warm_and_the_store_answers(
    warm: bool, answer: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(report_route, "store", lambda: Store(answer))
    readiness = Readiness()
    if warm:
        readiness.warm.set()
    reached = answer is not broken
    ready = warm and reached
    found = asyncio.run(asked(readiness))
    assert found == (200 if ready else 503, {"ready": ready, "kernels": warm, "store": reached})


def test_a_thousand_probes_are_one_question_and_a_store_that_hangs_is_not_reachable(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hangs, clock = threading.Event(), [0.0]
    store = Store(lambda: None if hangs.wait(30) else broken())
    monkeypatch.setattr(report_route, "store", lambda: store)

    async def whole() -> None:
        readiness = Readiness(lambda: clock[0])
        readiness.warm.set()
        several = await asyncio.gather(*(asked(readiness) for _ in range(1_000)))
        assert {status for status, _ in several} == {503}
        clock[0] += 10 * health.FRESH
        assert (await asked(readiness))[0] == 503
        assert store.asked == 1  # it still hangs: nobody else waits beside it
        hangs.set()
        while (await asked(readiness))[0] != 200:
            clock[0] += 2 * health.FRESH
        before = store.asked
        assert (await asked(readiness))[0] == 200
        assert store.asked == before  # not asked again so soon
        store._answer = broken
        for _ in range(3):
            clock[0] += 2 * health.FRESH
            assert (await asked(readiness))[0] == 503
        assert store.asked == before + 3

    asyncio.run(whole())
    assert len(caplog.records) == 1  # said once, not at each probe


def test_it_lives() -> None:
    answer = asyncio.run(health.healthz(None))  # type: ignore[arg-type]
    assert (answer.status_code, answer.body) == (200, b"ok")
