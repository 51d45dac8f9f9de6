"""Files on their way in: out of Streamlit's upload store at once, then ours until the Data page is left."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, Protocol

import streamlit as st

from calibcore.io import ReadOptions
from calibcore.io.formats import endings
from pages.server import arriving, streamlit_internals
from pages.server.budget import BUDGET, Hold
from pages.ui.show import glossary

Came = Literal["nothing", "refused", "labels", "predictions"]
"""What came: one that is "refused" changes nothing; "predictions" may bring labels with them."""
REFUSED, UNDER_WAY, TURN = "upload-refused", "read-under-way", "upload-turn"
"""Keys of the session: why a file was not taken, in sentences; what is read right now; the number of the next
file."""


@dataclass(frozen=True, eq=False)
class Source:
    """The files of one model, told apart by ``number``; ``version`` grows as files are added to it.

    Their bytes are kept to read them differently, as the ``options`` say, and count as long as they are.
    """

    number: int
    version: int = 0
    name: str = ""
    data: bytes | None = None
    labels_name: str = ""
    labels: bytes | None = None
    options: ReadOptions = field(default_factory=ReadOptions)
    holds: tuple[Hold | None, Hold | None] = (None, None)

    @property
    def title(self) -> str:
        """The names of the files."""
        return " and ".join(name for name in (self.name, self.labels_name) if name)


def current() -> Source | None:
    """The files that came last, until :func:`release`."""
    source: Source | None = st.session_state.get("source")
    return source


def keep(source: Source) -> None:
    """In place of the files that came last."""
    st.session_state["source"] = source


def came(name: str, data: bytes, hold: Hold) -> Source:
    """A file that came by itself, in place of the files that came last."""
    turn = st.session_state.get(TURN, 0)
    st.session_state[TURN] = turn + 1
    source = Source(turn, turn, name, data, holds=(hold, None))
    keep(source)
    return source


def refuse(why: str) -> None:
    """Say why a file was not taken, in sentences, until another one is."""
    st.session_state[REFUSED] = why


def release() -> None:
    """Forget the files themselves; the models that were read from them stay."""
    st.session_state.pop("source", None)
    st.session_state.pop(REFUSED, None)


def leave() -> None:
    """The Data page is left: its files are let go, and of one that is not read yet that will be said."""
    unread = st.session_state.pop(UNDER_WAY, "")
    if unread or current() is not None:
        release()
    if unread:
        st.session_state[REFUSED] = f"{unread} was not read, as this page was left. Choose it again."


def why_refused() -> str:
    """Why a file was not taken, until another one is."""
    return str(st.session_state.get(REFUSED, ""))


@contextmanager
def zone(name: str, *, large: bool = True) -> Iterator[None]:
    """Inside, an upload widget is a place to drop files at, as large as a page begins with, or a line: its
    label stands in it, see assets/style.css."""
    with st.container(key=f"drop-{'large' if large else 'line'}-{name}"):
        yield


def choose(*, large: bool = True, ask_for_labels: bool = False) -> Came:
    """The two upload widgets, to be drawn anew after each file, and what came by them.

    large : of the one for predictions; the one for labels is folded, unless these are asked for
    """
    turn = st.session_state.setdefault(TURN, 0)
    most = min(BUDGET.per_file, int(st.get_option("server.maxUploadSize")))
    names = f"Usual endings of its name: {' '.join(endings())}. What the file holds decides, not its name."
    help = " ".join((glossary("file"), names))
    with zone("data", large=large):
        words = "Drop a file here" if large else "Drop another file here"
        file = st.file_uploader(words, key=f"file-{turn}", max_upload_size=most, help=help)
    # Another element where it opens by itself: a browser keeps one as it was.
    key = f"fold-labels-{'asked' if ask_for_labels else 'quiet'}"
    with (
        st.expander(
            "Are the labels in a file of their own?", key=key, expanded=ask_for_labels, type="compact"
        ),
        zone("labels", large=False),
    ):
        labels = st.file_uploader(
            "Drop the file of labels here", key=f"labels-file-{turn}", max_upload_size=most
        )
    if file is None and labels is None:
        return "nothing"
    st.session_state[TURN] = turn + 1
    return _add(turn, file, labels)


def _add(turn: int, file: "Uploaded | None", labels: "Uploaded | None") -> Came:
    """Keep the files that came as those of one model, the last of its kind."""
    came = [None if upload is None else take(upload) for upload in (file, labels)]
    st.session_state[REFUSED] = " ".join(
        arrival.refused for arrival in came if arrival is not None and arrival.refused
    )
    first, second = (arrival if arrival is not None and not arrival.refused else None for arrival in came)
    if first is None and second is None:
        return "refused"
    before = current()
    source = before if before is not None and first is None else Source(turn)
    if before is not None and before.data is None:  # labels that came first wait for their predictions
        source = before
    source = replace(source, version=turn)
    if first is not None:
        holds = (first.hold, source.holds[1])
        source = replace(source, name=first.name, data=first.data, holds=holds)
    if second is not None:
        # What was said about the columns of one file says nothing about those of another.
        options = replace(
            source.options, label_column=None, label_says=None, correct_column=None, swap_files=None
        )
        holds = (source.holds[0], second.hold)
        source = replace(source, labels_name=second.name, labels=second.data, options=options, holds=holds)
    keep(source)
    return "labels" if first is None else "predictions"


def several(label: str, key: str, help: str, *, large: bool = False) -> list["Source"] | None:
    """A place to drop several files at, to be drawn anew after each time, and what came by it, if anything.

    Each file is a source of its own. Why one was not taken stands under :func:`refused_key` in the session.
    """
    turn = st.session_state.setdefault(TURN, 0)
    most = min(BUDGET.per_file, int(st.get_option("server.maxUploadSize")))
    with zone(key, large=large):
        files = st.file_uploader(
            label, key=f"{key}-{turn}", accept_multiple_files=True, max_upload_size=most, help=help
        )
    if not files:
        return None
    came = [take(file) for file in files]
    st.session_state[refused_key(key)] = " ".join(arrival.refused for arrival in came if arrival.refused)
    st.session_state[TURN] = turn + len(files)
    return [
        Source(turn + i, turn + i, arrival.name, arrival.data, holds=(arrival.hold, None))
        for i, arrival in enumerate(came)
        if not arrival.refused
    ]


def refused_key(key: str) -> str:
    """Key of the session: why files were not taken by the widget ``key``, in sentences."""
    return f"{key}-refused"


class Taken(NamedTuple):
    """An uploaded file. If it was ``refused``, for reasons in sentences, there is nothing of it."""

    name: str
    data: bytes
    hold: Hold | None
    refused: str


class Uploaded(Protocol):
    """What the upload widget gives."""

    @property
    def name(self) -> str: ...

    @property
    def file_id(self) -> str: ...

    def getvalue(self) -> bytes: ...


def take(file: Uploaded) -> Taken:
    """An uploaded file, which leaves the upload store."""
    data, arrival = file.getvalue(), arriving.take(file.file_id)
    streamlit_internals.remove_upload(file.file_id)
    refused = arrival.refused and f"{file.name} was not taken. {arrival.refused}"
    return Taken(file.name, data, arrival.hold, refused)
