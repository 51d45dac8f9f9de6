"""Files on their way in: out of Streamlit's upload store at once, then ours until the Data page is left."""

import logging
from dataclasses import dataclass, field, replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from calibcore.io import ReadOptions
from pages.ui.show import glossary

_log = logging.getLogger("caliblens")


@dataclass(frozen=True, eq=False)
class Source:
    """The files of one model, told apart by ``number``; ``version`` grows as files are added to it.

    Their bytes are kept to read them differently, as the ``options`` say.
    """

    number: int
    version: int = 0
    name: str = ""
    data: bytes | None = None
    labels_name: str = ""
    labels: bytes | None = None
    options: ReadOptions = field(default_factory=ReadOptions)

    @property
    def title(self) -> str:
        """The names of the files."""
        return " and ".join(name for name in (self.name, self.labels_name) if name)


def current() -> Source | None:
    """The files that came last, until :func:`let_go`."""
    found: Source | None = st.session_state.get("source")
    return found


def keep(source: Source) -> None:
    """In place of the files that came last."""
    st.session_state["source"] = source


def let_go() -> None:
    """Forget the files themselves; the models that were read from them stay."""
    st.session_state.pop("source", None)


def choose() -> str:
    """The two upload widgets, to be drawn anew after each file.

    Returns "predictions" if such a file came, "labels" if only that did, "" otherwise.
    """
    turn = st.session_state.setdefault("upload-turn", 0)
    left, right = st.columns(2)
    file = left.file_uploader("Predictions", key=f"file-{turn}", help=glossary("file"))
    labels = right.file_uploader("Labels, if they are in a file of their own", key=f"labels-file-{turn}")
    if file is None and labels is None:
        return ""
    st.session_state["upload-turn"] = turn + 1
    before = current()
    source = before if before is not None and file is None else Source(turn)
    if before is not None and before.data is None:  # labels that came first wait for their predictions
        source = before
    source = replace(source, version=turn)
    if file is not None:
        source = replace(source, name=file.name, data=taken(file))
    if labels is not None:
        # What was said about the columns of one file says nothing about those of another.
        options = replace(source.options, label_column=None, swap_files=None)
        source = replace(source, labels_name=labels.name, labels=taken(labels), options=options)
    keep(source)
    return "labels" if file is None else "predictions"


def taken(file: UploadedFile) -> bytes:
    """The bytes of an uploaded file, which leave the upload store."""
    data = file.getvalue()
    _remove_from_store(file.file_id)
    return data


def _remove_from_store(file_id: str) -> None:
    """Streamlit keeps uploads until a later session ends; its manager is private, hence this one place."""
    try:
        context = get_script_run_ctx()
        context.uploaded_file_mgr.remove_file(context.session_id, file_id)  # type: ignore[union-attr]
    except AttributeError:
        _log.exception("An upload could not be removed from Streamlit's store.")
