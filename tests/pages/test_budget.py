"""How many bytes of uploads are held, and what is said of a file for which there is no room."""

import asyncio
import gc
import tempfile
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartParser
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from streamlit.testing.v1 import AppTest

from pages.server import arriving, budget
from pages.server.budget import Budget, Full
from pages.ui import state, uploads
from tests.pages.harness import CSV, opened, press, said, upload

MB = 1_000_000


def test_bytes_count_as_long_as_somebody_has_them() -> None:
    room = Budget(10, 6)
    one = room.take("ann", 4 * MB)
    read = room.count("ann", 3 * MB)
    with pytest.raises(Full, match=r"take 8 MB\. This server holds at most 6 MB for one person or address"):
        room.take("ann", MB)
    assert room.held() == 7 * MB
    del one
    assert room.held() == 3 * MB
    other = room.take("ann", 3 * MB)
    assert (read.size, other.visitor) == (3 * MB, "ann")


def test_one_visitor_leaves_room_for_another_and_all_have_an_end() -> None:
    room = Budget(10, 6)
    holds = [room.take("ann", 6 * MB), room.take("bob", 4 * MB)]
    with pytest.raises(Full, match="of all visitors would take 11 MB, and this server holds at most 10 MB"):
        room.take("cid", MB)
    holds.pop(0)
    assert room.take("cid", MB).size == MB


@pytest.mark.parametrize("limits", [(10, 6, 3), (10, 3, 6), (3, 10, 6)])
def test_a_file_that_never_fits_is_told_so(limits: tuple[int, int, int]) -> None:
    room = Budget(*limits)
    with pytest.raises(Full, match=r"It has 4 MB, and this server takes files of at most 3 MB\. .* Parquet"):
        room.take("ann", 4 * MB)
    assert (room.per_file, room.held()) == (3, 0)


def test_the_widget_says_how_large_a_file_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "BUDGET", Budget(30, 20, 10))
    assert [widget.proto.max_upload_size_mb for widget in opened("data").file_uploader[:2]] == [10, 10]


# On the way ------------------------------------------------------------------------------------------------


class Seen:
    """What came to the application."""

    def __init__(self, patch: pytest.MonkeyPatch, most: int = 10, each: int = 6) -> None:
        self.files: list[tuple[str, int]] = []
        self.budget = Budget(most, each)
        patch.setattr(arriving, "BUDGET", self.budget)
        patch.setattr(arriving, "_forget_what_is_gone", lambda: None)
        patch.setattr(arriving, "_arrivals", {})
        self.app = arriving.Arriving(
            Starlette(routes=[Route("/_stcore/upload_file/{session}/{file}", self.put, methods=["PUT"])])
        )

    async def put(self, request: Request) -> Response:
        form = await request.form()
        (file,) = [value for value in form.values() if isinstance(value, UploadFile)]
        self.files.append((file.filename or "", len(await file.read())))
        await file.close()
        return Response(status_code=204)

    def sends(self, name: str, size: int, file_id: str, address: str = "10.0.0.1", **more: Any) -> int:
        async def act() -> int:
            transport = httpx.ASGITransport(self.app, client=(address, 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as http:
                path = f"/_stcore/upload_file/session/{file_id}"
                answer = await http.put(path, files={"file": (name, b"9" * size)}, **more)
                return answer.status_code

        return asyncio.run(act())


def test_a_file_that_is_too_much_arrives_as_a_name_and_a_reason(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "caliblens.audit")
    seen = Seen(monkeypatch)
    assert seen.sends("one.csv", 4 * MB, "1") == 204
    assert seen.sends("two \u00e9.csv", 3 * MB, "2") == 204  # the same address
    assert seen.sends("three.csv", 3 * MB, "3", "10.0.0.2") == 204
    assert seen.files == [("one.csv", 4 * MB), ("two \u00e9.csv", 0), ("three.csv", 3 * MB)]
    audited = [record.__dict__["audited"] for record in caplog.records]
    assert [line.pop("bytes") // MB for line in audited] == [4, 3]  # those that were taken
    assert audited == [{"event": "uploaded"}] * 2
    assert "your files and models in all tabs would take 7 MB" in arriving.take("2").refused
    first = arriving.take("1")
    assert (first.refused, first.hold and first.hold.visitor) == ("", "10.0.0.1")
    assert arriving.take("1").hold is None  # once
    del first
    gc.collect()
    assert 3 * MB < seen.budget.held() < 3.01 * MB


def test_a_file_for_which_others_take_the_room_on_its_way_ends_there(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "caliblens.audit")
    seen = Seen(monkeypatch)
    others = []

    def of_others(*asked: Any) -> budget.Hold:
        hold = Budget.arriving(seen.budget, *asked)
        others.append(seen.budget.count("10.0.0.9", 7 * MB))  # after the file was let in
        return hold

    monkeypatch.setattr(seen.budget, "arriving", of_others)
    assert seen.sends("one.csv", 5 * MB, "1") == 204
    ((name, size),) = seen.files
    assert (name, size < 5 * MB) == ("one.csv", True)
    gc.collect()
    assert size <= seen.budget.held() - 7 * MB < 5 * MB  # what came counts while it is here
    assert not caplog.records  # nothing was uploaded
    taken = arriving.take("1")
    assert "of all visitors would take" in taken.refused
    del taken
    gc.collect()
    assert seen.budget.held() == 7 * MB


def test_what_is_only_announced_takes_no_room() -> None:
    room = Budget(10, 6)
    announced = [room.arriving(who, 6 * MB) for who in ("ann", "bob", "cid")]
    assert room.held() == 0
    here = room.take("dan", 6 * MB)
    room.grow(announced[0], 4 * MB)
    with pytest.raises(Full, match="of all visitors would take 11 MB"):
        room.grow(announced[1], MB)
    assert [hold.size for hold in (here, *announced)] == [6 * MB, 4 * MB, 0, 0]


def test_what_is_no_file_of_ours_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Seen(monkeypatch)

    async def parts() -> Any:
        yield b"--x\r\n"

    async def act(**named: Any) -> int:
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(seen.app), base_url="http://localhost"
        ) as http:
            return (await http.put("/_stcore/upload_file/session/1", **named)).status_code

    assert asyncio.run(act(content=parts())) == 411  # no length
    monkeypatch.setattr(arriving.st, "get_option", lambda _name: 0)
    with pytest.raises(ValueError, match="unpack"):  # it comes to the application, which refuses it
        asyncio.run(act(content=b"more than is allowed"))
    assert seen.files == []
    assert seen.budget.held() == 0


def test_a_file_is_in_no_file_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def on_a_disk(*_: Any, **__: Any) -> None:
        pytest.fail("written to a disk")

    monkeypatch.setattr(MultiPartParser, "spool_max_size", 1)
    arriving.keep_in_memory()
    monkeypatch.setattr(tempfile, "TemporaryFile", on_a_disk)
    seen = Seen(monkeypatch)
    assert seen.sends("one.csv", 3 * MB, "1") == 204
    assert seen.files == [("one.csv", 3 * MB)]


# On the page -----------------------------------------------------------------------------------------------


def on_data(monkeypatch: pytest.MonkeyPatch, *arrivals: arriving.Arrival) -> AppTest:
    """The Data page; files arrive there with what is known of them, one after another."""
    came = list(arrivals)
    monkeypatch.setattr(arriving, "take", lambda _file_id: came.pop(0))
    return opened("data", in_use="wine")


def test_a_refused_file_is_a_sentence_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Budget(10, 6)
    monkeypatch.setattr(state, "BUDGET", room)
    app = on_data(
        monkeypatch,
        arriving.Arrival("s", room.take("ann", 5 * MB)),
        arriving.Arrival("s", refused="There is no room."),
        arriving.Arrival("s"),
    )
    app = upload(app)
    assert room.held() > 5 * MB  # and the model
    app = upload(app, "more.csv", "")
    assert "more.csv was not taken. There is no room." in app.error[0].value.replace("\\", "")
    assert "animals.csv · 60 cases" in said(app)
    assert app.session_state["source"].data == CSV.encode()
    app = press(app, "Forget the file animals.csv; what was read from it stays")
    assert not app.error
    assert 0 < room.held() < MB
    assert "animals.csv · 60 cases" in said(app)
    app = upload(app, "other.csv", CSV.replace("0.60,0.30,0.10", "0.50,0.40,0.10"))
    assert "other.csv · 60 cases" in said(app)


def test_what_was_removed_counts_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Budget(10, 6)
    monkeypatch.setattr(state, "BUDGET", room)
    app = upload(on_data(monkeypatch, arriving.Arrival("s", room.take("ann", 5 * MB))))
    app = press(app, "Remove this model")
    gc.collect()
    assert room.held() == 0


def test_the_limits_are_those_of_the_settings() -> None:
    assert budget.BUDGET._most == budget.LIMITS.uploads_mb
    assert budget.BUDGET._each == min(budget.LIMITS.visitor_uploads_mb, budget.LIMITS.uploads_mb)
    assert budget.BUDGET.per_file == min(budget.LIMITS.max_unpacked_mb, budget.BUDGET._each)
