"""A dozen people at once: every answer comes, none is an error, and nobody sees what is another's."""

import asyncio
import re
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.async_api import async_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.conftest import QUIET, find_chromium
from tests.soak.browsers import Visitor
from tests.soak.client import Session, Unanswered
from tests.soak.people import ACTS, HEADINGS, LOOKS_AT, Diary, Person, another_class, file_of, looks_at, undo
from tests.soak.server import Server, started

PEOPLE, SECONDS = 12, 12.0
OWN = re.compile(rb"own-(\d+)-")
"""What is somebody's, in names of files and of classes."""


class Heard(Session):
    """A session that notes whose names it was sent."""

    whose: set[int]

    def _take(self, message: ForwardMsg) -> None:
        if not hasattr(self, "whose"):
            self.whose = set()
        self.whose |= {int(number) for number in OWN.findall(message.SerializeToString())}
        super()._take(message)


class Lost(Session):
    """A session whose acts never come to the server, while runs of the app's own do end."""

    loses = False

    async def run(self, fragment: str = "", *, alone: bool = False) -> float:
        if not self.loses:
            return await super().run(fragment, alone=alone)
        return 0.0


class Late(Session):
    """A session whose acts come late to the server, and seem to be answered before."""

    late = 0.0

    async def run(self, fragment: str = "", *, alone: bool = False) -> float:
        if not self.late:
            return await super().run(fragment, alone=alone)
        asyncio.get_running_loop().call_later(self.late, self._sends, super().run(fragment, alone=alone))
        return 0.0

    def _sends(self, run: Coroutine[Any, Any, float]) -> None:
        self._sent = asyncio.create_task(run)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with started(tmp_path_factory.mktemp("soak")) as server:
        yield server
        assert server.complaints() == []


async def _somebody(server: Server, number: int) -> tuple[Diary, set[int], list[str]]:
    diary, name = Diary(), f"own-{number}-file.csv"
    data = file_of(200 + number, 3, number).replace(b"class", b"own-%d-class" % number)
    session = await Heard.opened(server.address)
    who = Person(session, np.random.default_rng([7, number]), diary, {name: data})
    await who.to("Data")
    await who.brings(name)
    await who.live(SECONDS, think=(0.1, 0.6))
    again = await Heard.opened(server.address, session.name)
    await again.go("Data")
    said = again.said()
    await session.close()
    await again.close()
    return diary, session.whose | again.whose, [name] if name in said else []


@pytest.mark.slow
def test_a_dozen_at_once_are_all_answered_and_see_their_own(server: Server) -> None:
    async def all_of_them() -> list[tuple[Diary, set[int], list[str]]]:
        return await asyncio.gather(*(_somebody(server, number) for number in range(PEOPLE)))

    for number, (diary, whose, found_again) in enumerate(asyncio.run(all_of_them())):
        assert diary.errors == []
        assert len(diary.acts) >= 3, f"{number} did no more than {diary.acts}"
        assert whose == {number}
        assert found_again, f"{number} did not find the file again by the name of the tab"


@pytest.mark.slow
def test_an_error_on_the_page_is_noticed(server: Server) -> None:
    async def wrong() -> list[str]:
        session = await Session.opened(server.address)
        await session.go("Data")
        await session.upload("broken.csv", b"a,b,label\n0.5,x,a\n")
        await session.close()
        return session.errors

    (error,) = asyncio.run(wrong())
    assert error.startswith("error said: ")


@pytest.mark.slow
def test_an_act_without_its_effect_is_noticed(server: Server) -> None:
    async def wrong() -> float:
        session = await Session.opened(server.address)
        who = Person(session, np.random.default_rng(1), Diary(), {})
        try:
            seen = await who.sees(await who.finds("Look at"), "One class", LOOKS_AT["One class"])
            session.patience = 2.0
            with pytest.raises(Unanswered, match=r"no 'another' on the page: .*the class"):
                await who.sees(session.find("selectbox", "Look at"), "One class", "another")
        finally:
            await session.close()
        return seen

    assert asyncio.run(wrong()) > 0


@pytest.mark.slow
@pytest.mark.parametrize("act", ["an example", "undo", "a file", "a fold", "tests"])
def test_an_act_whose_run_was_lost_is_noticed(server: Server, act: str) -> None:
    async def lost() -> None:
        session = await Lost.opened(server.address)
        who = Person(session, np.random.default_rng(2), Diary(), {"a.csv": file_of(50, 3, 1)})
        try:
            await who.to("Reliability")
            await who.sees(await who.finds("Look at"), "One class", LOOKS_AT["One class"])
            page = "Data" if act == "a file" else "Reliability"
            await who.to(page)
            session.loses, session.patience = True, 1.0
            title = re.escape(HEADINGS[page])
            with pytest.raises(Unanswered, match=rf"^no '.*' on the page: \['{title}'\]"):
                await ACTS[act][0](who)
        finally:
            await session.close()

    asyncio.run(lost())


@pytest.mark.slow
def test_an_act_is_over_with_its_effect_though_another_run_ends_before(server: Server) -> None:
    async def late() -> tuple[list[str], str]:
        session = await Late.opened(server.address)
        who = Person(session, np.random.default_rng(1), Diary(), {"late.csv": file_of(50, 3, 1)})
        try:
            await who.to("Data")
            await who.brings("late.csv")
            await who.sees(await who.finds("Look at"), "One class", LOOKS_AT["One class"])
            session.late = 0.3
            await who.uses("Wines of three growers, gradient boosting")
            await another_class(who)
            await who.sees(session.find("selectbox", "Class"), "grower 2", "the class 'grower 2'")
            await undo(who)
        finally:
            await session.close()
        return session.errors, looks_at(session)

    errors, said = asyncio.run(late())
    assert errors == []
    assert "the class 'grower" in said


@pytest.mark.slow
def test_a_browser_notices_an_act_without_its_effect(server: Server) -> None:
    async def wrong() -> Diary:
        diary = Diary()
        async with async_playwright() as playwright:
            path = find_chromium(playwright)  # type: ignore[arg-type]
            browser = await playwright.chromium.launch(executable_path=path, args=QUIET)
            page = await browser.new_page()
            await page.goto(server.address)
            await page.get_by_role("link", name="Tests").wait_for()
            visitor = Visitor(page, np.random.default_rng(1), diary)
            await visitor._timed("to a page", "h1", "chance", page.get_by_role("link", name="Tests").click())
            page.set_default_timeout(500)
            with pytest.raises(Unanswered, match=r"no 'never' on the page: .*chance"):
                await visitor._timed("nothing", "h1", "never", page.keyboard.press("Tab"))
            await browser.close()
        return diary

    diary = asyncio.run(wrong())
    assert [act for act, _ in diary.acts] == ["browser: to a page"]
    assert diary.errors == []


def test_the_log_complains_of_what_is_no_information(tmp_path: Path) -> None:
    log = tmp_path / "log.txt"
    fine = '{"level": "info", "logger": "caliblens", "message": "The kernels are warm."}\n'
    bad = ['{"level": "error", "message": "A page failed."}', "Traceback (most recent call last):"]
    log.write_text(fine + "\n".join(bad))
    assert Server("", None, log).complaints() == bad  # type: ignore[arg-type]
