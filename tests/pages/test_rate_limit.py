"""How often an address may guess wrong before it is slowed down, one by one and all at once."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from starlette.applications import Starlette

from calibcore.store import StoreError
from pages.server import rate_limit, report_route, routes
from pages.server.rate_limit import MOST, Guesses


def test_only_so_many_addresses_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MOST_ADDRESSES", 3)
    found = Guesses(most=1, clock=lambda: 0.0)
    assert [found.wrong(f"address {i}") for i in range(5)] == [0.0] * 5
    assert [found.wrong(f"address {i}") > 0 for i in (2, 3, 4)] == [True] * 3
    assert found.wrong("address 0") == 0.0  # forgotten


def test_wrong_guesses_are_forgiven_one_by_one() -> None:
    clock = [0.0]
    found = Guesses(most=2, window=10.0, clock=lambda: clock[0])
    assert found.wrong("a") == 0.0
    clock[0] = 6.0
    assert found.wrong("a") == 0.0
    assert found.wrong("a") == pytest.approx(4.0)
    assert found.wrong("b") == 0.0
    clock[0] = 10.5
    assert found.wrong("a") == 0.0
    assert found.wrong("a") == pytest.approx(5.5)


def test_who_guesses_on_while_slowed_down_waits_no_longer_for_it() -> None:
    clock = [0.0]
    found = Guesses(most=1, window=10.0, clock=lambda: clock[0])
    assert found.wrong("a") == 0.0
    for clock[0] in (2.0, 5.0, 9.9):
        assert found.wrong("a") == pytest.approx(10.0 - clock[0])
    clock[0] = 10.0
    assert found.wrong("a") == 0.0


def test_threads_at_once_guess_no_oftener_than_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_route, "_guesses", Guesses())

    def guess(number: int) -> str:
        try:
            return str(report_route.guessed(lambda: number % 2 == 0))
        except report_route.TooManyGuesses:
            return "refused"

    with ThreadPoolExecutor(60) as pool:
        answers = list(pool.map(guess, range(200)))
    assert answers[::2] == ["True"] * 100  # a right one is always answered
    assert answers[1::2].count("False") == MOST


@pytest.mark.parametrize("right", [False, True])
def test_links_opened_at_once_are_all_answered_and_guesses_are_not(
    monkeypatch: pytest.MonkeyPatch, right: bool
) -> None:
    monkeypatch.setattr(report_route, "_guesses", Guesses())
    monkeypatch.setattr(report_route, "SLOW", 0.01)
    at_once, most = [0], [0]

    def found(token: str) -> object:
        at_once[0] += 1
        most[0] = max(most[0], at_once[0])
        time.sleep(0.005)
        at_once[0] -= 1
        return report_route.Share("Wine", 0, 10**8, "f" * 64, "{}", "the page") if right else None

    monkeypatch.setattr(report_route, "_find", found)

    async def all_at_once() -> list[int]:
        transport = httpx.ASGITransport(Starlette(routes=routes.routes))
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            answers = await asyncio.gather(*(client.get(f"/r/guess{i}") for i in range(200)))
        return [answer.status_code for answer in answers]

    statuses = asyncio.run(all_at_once())
    assert most[0] <= report_route.AT_ONCE  # a store that does not answer holds up no other thread
    assert statuses.count(200) == (200 if right else 0)
    assert statuses.count(404) == (0 if right else MOST)


def test_a_store_that_fails_counts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_route, "_guesses", Guesses(most=1))

    def fails() -> bool:
        raise StoreError("The store is away.")

    for _ in range(3):
        with pytest.raises(StoreError):
            report_route.guessed(fails)
    assert report_route.guessed(lambda: False) is False
