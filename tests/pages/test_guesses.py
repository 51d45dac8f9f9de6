"""How often an address may guess, one by one and all at once."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from starlette.applications import Starlette

from calibcore.store import StoreError
from pages.ui import guesses, routes, sharing
from pages.ui.guesses import MOMENT, MOST, Guesses


def _wrong(found: Guesses, address: str) -> None:
    assert found.begin(address) == 0.0
    found.end(address, wrong=True)


def test_only_so_many_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guesses, "MOST_ADDRESSES", 3)
    found = Guesses(most=1, clock=lambda: 0.0)
    for i in range(5):
        _wrong(found, f"address {i}")
    assert [found.begin(f"address {i}") > 0 for i in range(5)] == [False, False, True, True, True]


def test_wrong_guesses_are_forgiven_one_by_one() -> None:
    clock = [0.0]
    found = Guesses(most=2, window=10.0, clock=lambda: clock[0])
    _wrong(found, "a")
    clock[0] = 6.0
    _wrong(found, "a")
    assert found.begin("a") == pytest.approx(4.0)
    clock[0] = 10.5
    _wrong(found, "a")
    assert found.begin("a") == pytest.approx(5.5)


def test_what_is_asked_at_once_may_all_be_wrong_and_waits() -> None:
    found = Guesses(most=2, clock=lambda: 0.0)
    assert [found.begin("a"), found.begin("a"), found.begin("a"), found.begin("b")] == [0, 0, MOMENT, 0]
    found.end("a", wrong=False)
    assert found.begin("a") == 0.0
    found.end("a", wrong=True)
    assert found.begin("a") == MOMENT
    found.end("a", wrong=True)
    assert found.begin("a") == guesses.WINDOW
    found.end("b", wrong=False)
    assert not found._asked


def test_threads_at_once_guess_no_oftener_than_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "_guesses", Guesses())
    asked: list[int] = []

    def guess(number: int) -> str:
        def ask() -> bool:
            asked.append(number)
            time.sleep(0.02)
            return False

        try:
            return str(sharing.guessed(ask, "192.0.2.1"))
        except sharing.TooManyGuesses:
            return "refused"

    with ThreadPoolExecutor(60) as pool:
        answers = list(pool.map(guess, range(200)))
    assert len(asked) == MOST
    assert answers.count("refused") == 200 - MOST


@pytest.mark.parametrize(("right", "times"), [(False, MOST), (True, 200)])
def test_links_opened_at_once_are_all_answered_and_guesses_are_not(
    monkeypatch: pytest.MonkeyPatch, right: bool, times: int
) -> None:
    monkeypatch.setattr(sharing, "_guesses", Guesses())
    asked: list[str] = []

    def found(token: str) -> object:
        asked.append(token)
        time.sleep(0.01)
        return sharing.Share("Wine", 0, 10**8, "f" * 64, "{}", "the page") if right else None

    monkeypatch.setattr(sharing, "_found", found)

    async def all_at_once() -> list[int]:
        transport = httpx.ASGITransport(Starlette(routes=routes.routes))
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            answers = await asyncio.gather(*(client.get(f"/r/guess{i}") for i in range(200)))
        return [answer.status_code for answer in answers]

    statuses = asyncio.run(all_at_once())
    assert len(asked) == times
    assert statuses.count(200 if right else 404) == times
    assert statuses.count(429) == 200 - times


def test_a_store_that_fails_counts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "_guesses", Guesses(most=1))

    def fails() -> bool:
        raise StoreError("The store is away.")

    for _ in range(3):
        with pytest.raises(StoreError):
            sharing.guessed(fails, "192.0.2.1")
