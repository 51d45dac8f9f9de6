"""A session without a browser: Streamlit's protocol over a websocket, every answer looked at for errors.

It does what the page's own script does: keeps the elements that the server sends, forgets those that a run
did not send again, tells the server the state of all widgets with each message, and asks for the fragments
that run by themselves.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import httpx
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import UploadedFileInfo
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

from tests.soak.elements import TAKES, Shown

ANSWER = 120.0
"""Seconds after which the lack of an answer is an error."""


class Unanswered(Exception):
    """The server did not answer, or not as expected."""


@dataclass
class Session:
    """One tab. ``errors`` holds what no person should ever see."""

    address: str
    socket: ClientConnection
    http: httpx.AsyncClient
    id: str = ""
    page: str = ""
    name: str = ""
    """Of the tab, by which it is found again."""
    shown: dict[tuple[int, ...], Shown] = field(default_factory=dict)
    states: dict[str, WidgetState] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    received: int = 0
    patience: float = ANSWER
    _cached: dict[str, Delta] = field(default_factory=dict)
    _run: str = ""
    _begun: int = 0
    _done: int = 0
    _ran: dict[str, int] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _urls: asyncio.Queue[Any] = field(default_factory=asyncio.Queue)
    _alone: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _listener: asyncio.Task[None] | None = None

    @classmethod
    async def opened(cls, address: str, before: str = "") -> Self:
        """A new tab after its first run, or one that comes back, by the name that it had ``before``."""
        http = httpx.AsyncClient(base_url=address, timeout=ANSWER)
        token = (await http.get("/_stcore/health")).cookies.get("_streamlit_xsrf", "")
        http.headers["X-Xsrftoken"] = token
        name = secrets.token_urlsafe(24)
        socket = await connect(
            f"{address.replace('http', 'ws', 1)}/_stcore/stream",
            subprotocols=["streamlit", token or "-", f"caliblens..{before}.{name}"],  # type: ignore[list-item]
            max_size=None,
            ping_interval=None,
        )
        session = cls(address, socket, http, name=name)
        session._listener = asyncio.create_task(session._listen())
        await session.run()
        return session

    async def close(self) -> None:
        """Close the tab."""
        tasks = [*self._alone.values(), *([self._listener] if self._listener else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.socket.close()
        await self.http.aclose()

    # What is on the page ---------------------------------------------------------------------------------

    def all(self, kind: str) -> Iterator[Shown]:
        """Elements of a kind, in the order of the page."""
        return (self.shown[path] for path in sorted(self.shown) if self.shown[path].kind == kind)

    def find(self, kind: str, label: str, *, prefix: bool = False) -> Shown:
        """The first element of a kind with that label."""
        for one in self.all(kind):
            if one.proto.label == label or (prefix and one.proto.label.startswith(label)):
                return one
        raise Unanswered(f"there is no {kind} {label!r} on the page")

    def has(self, kind: str, label: str) -> bool:
        """Whether such an element is there."""
        return any(one.proto.label == label for one in self.all(kind))

    def said(self) -> str:
        """All text of the page."""
        texts = (
            getattr(one.proto, "body", "") or getattr(one.proto, "text", "")
            for one in (self.shown[path] for path in sorted(self.shown))
        )
        return "\n".join(str(text) for text in texts if text).replace("\\", "")

    def titles(self) -> list[str]:
        """All headings of the page."""
        return [str(one.proto.body) for one in self.all("heading")]

    @property
    def works(self) -> bool:
        """Whether a progress bar is shown."""
        return any(True for _ in self.all("progress"))

    @property
    def still(self) -> bool:
        """Whether every run of the whole page that began is over."""
        return self._done == self._begun

    # What a person does ----------------------------------------------------------------------------------

    async def run(self, fragment: str = "", *, alone: bool = False) -> float:
        """Ask for a run with the widgets as they are; seconds until a run that began since is over: perhaps
        one that was begun before, so whoever needs an effect waits for that too."""
        state = ClientState(page_script_hash=self.page, fragment_id=fragment, is_auto_rerun=alone)
        state.context_info.timezone, state.context_info.locale = "UTC", "en"
        state.context_info.url = self.address
        state.widget_states.widgets.extend(self.states.values())
        state.cached_message_hashes.extend(self._cached)
        for widget in [key for key, kept in self.states.items() if kept.HasField("trigger_value")]:
            del self.states[widget]
        began, before, ran = time.perf_counter(), self._begun, self._ran.get(fragment, 0)
        await self.socket.send(BackMsg(rerun_script=state).SerializeToString())
        if not alone:
            await self._until(lambda: self._done > before or self._ran.get(fragment, 0) > ran)
        return time.perf_counter() - began

    async def go(self, page: str) -> float:
        """To another page by the navigation; its fragments ask no more."""
        self._leave_alone()
        self.page = self.pages[page]
        return await self.run()

    async def set(self, one: Shown, value: Any) -> float:
        """Give a widget a value; the page answers."""
        state, takes = WidgetState(id=one.id), TAKES[one.kind]
        if takes.endswith("array_value"):
            getattr(state, takes).data[:] = value
        else:
            setattr(state, takes, value)
        self.states[one.id] = state
        return await self.run(one.delta.fragment_id)

    async def choose(self, label: str, option: str) -> float:
        """Choose an option of a select box."""
        return await self.set(self.find("selectbox", label), option)

    async def press(self, label: str) -> float:
        """Press a button."""
        return await self.set(self.find("button", label), True)

    async def upload(self, name: str, data: bytes, place: int = 0) -> float:
        """Choose a file in an upload widget; seconds from then to the page's answer."""
        began = time.perf_counter()
        widget = list(self.all("file_uploader"))[place]
        message = BackMsg()
        message.file_urls_request.request_id = f"{began}"
        message.file_urls_request.session_id = self.id
        message.file_urls_request.file_names.append(name)
        await self.socket.send(message.SerializeToString())
        urls = (await asyncio.wait_for(self._urls.get(), ANSWER)).file_urls[0]
        answer = await self.http.put(urls.upload_url, files={"file": (name, data, "text/csv")})
        if answer.status_code != 204:
            raise Unanswered(f"the upload was answered {answer.status_code}")
        state = WidgetState(id=widget.id)
        state.file_uploader_state_value.uploaded_file_info.append(
            UploadedFileInfo(name=name, size=len(data), file_id=urls.file_id, file_urls=urls)
        )
        self.states[widget.id] = state
        await self.run()
        return time.perf_counter() - began

    async def until(self, holds: Callable[["Session"], bool]) -> None:
        """Wait until nothing runs and something is true of the page."""
        await self._until(lambda: self.still and holds(self))

    # What the server says --------------------------------------------------------------------------------

    async def _until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(self.patience):
            while not holds():
                if self._listener is None or self._listener.done():
                    raise Unanswered("the server closed the connection")
                self._news.clear()
                await self._news.wait()

    async def _listen(self) -> None:
        try:
            async for data in self.socket:
                message = ForwardMsg()
                message.ParseFromString(data if isinstance(data, bytes) else data.encode())
                self.received += len(data)
                self._take(message)
                self._news.set()
        finally:
            self._news.set()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        match kind:
            case "new_session":
                self._session(message)
            case "delta" | "ref_hash":
                self._delta(message)
            case "script_finished":
                self._finished(message)
            case "session_event":
                if message.session_event.HasField("script_compilation_exception"):
                    self.errors.append(f"exception {message.session_event.script_compilation_exception.type}")
            case "navigation":
                self.pages = {page.page_name: page.page_script_hash for page in message.navigation.app_pages}
                self.page = message.navigation.page_script_hash
            case "page_info_changed":
                pass
            case "page_not_found":
                self.errors.append("page not found")
            case "file_urls_response":
                self._urls.put_nowait(message.file_urls_response)
            case "auto_rerun":
                self._repeat(message.auto_rerun.fragment_id, message.auto_rerun.interval)

    def _session(self, message: ForwardMsg) -> None:
        self.id = message.new_session.initialize.session_id or self.id
        self._run = message.metadata.run.script_run_id
        if not message.metadata.run.fragment_ids:
            self._begun += 1
            self._leave_alone()

    def _leave_alone(self) -> None:
        for task in self._alone.values():
            task.cancel()
        self._alone.clear()

    def _delta(self, message: ForwardMsg) -> None:
        if message.HasField("ref_hash"):
            if message.ref_hash not in self._cached:
                self.errors.append("the server spoke of an element that it had not sent")
                return
            delta = self._cached[message.ref_hash]
        else:
            delta = message.delta
            if message.metadata.cacheable:
                self._cached[message.hash] = delta
        if delta.HasField("new_transient"):
            return
        path = tuple(message.metadata.delta_path)
        one = self.shown[path] = Shown(delta, self._run)
        proto = one.proto
        if one.kind == "exception":
            self.errors.append(f"exception {proto.type}: {proto.message}")
        elif one.kind == "alert" and proto.format == Alert.ERROR:
            self.errors.append(f"error said: {proto.body}")
        if one.id and getattr(proto, "set_value", False):
            self.states.pop(one.id, None)

    def _finished(self, message: ForwardMsg) -> None:
        run, status = message.metadata.run, message.script_finished
        if status == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            self.errors.append("a script did not compile")
        elif status == ForwardMsg.FINISHED_SUCCESSFULLY:
            self._forget(lambda one: one.run != run.script_run_id)
            self._done = self._begun
        elif status == ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY:
            ran = set(run.fragment_ids)
            for fragment in ran:
                self._ran[fragment] = self._ran.get(fragment, 0) + 1
            self._forget(lambda one: one.delta.fragment_id in ran and one.run != run.script_run_id)

    def _forget(self, old: Callable[[Shown], bool]) -> None:
        self.shown = {path: one for path, one in self.shown.items() if not old(one)}
        there = {one.id for one in self.shown.values()}
        self.states = {key: state for key, state in self.states.items() if key in there}

    def _repeat(self, fragment: str, interval: float) -> None:
        async def repeat() -> None:
            while True:
                await asyncio.sleep(interval)
                await self.run(fragment, alone=True)

        if fragment in self._alone:
            self._alone[fragment].cancel()
        self._alone[fragment] = asyncio.create_task(repeat())
