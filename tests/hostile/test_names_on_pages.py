"""Hostile words of a user on every page: shown as they are, and never more than words."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from google.protobuf.message import Message
from streamlit.testing.v1 import AppTest

from calibcore import DiagnosisSpec
from calibcore.io import Reading
from calibcore.transforms.lenses import TopKLens
from pages.ui.settings import Settings
from pages.ui.show import plain
from pages.ui.state import Loaded
from tests.hostile.names import EVERYTHING, SETS, predictions
from tests.pages.harness import fresh_work, on_page, opened

"""Ours, and on every page."""
PAGES = ("overview", "reliability", "simplex", "tests", "data")
LIVE = re.compile(
    r"(?<!\\)(<script|<img|<iframe|<a href|!\[x|\[x\]|:red\[|:material/delete|:smile|\$\\frac|\*\*b|`c)"
)
"""What would be more than words where Markdown is read."""
HIDDEN = re.compile("[\x1b\x9b\x07\u202a-\u202e\u2066-\u2069\u200b\ufeff\U000e0041]")
LITERAL = {
    ("selectbox", "options"), ("multiselect", "options"), ("text_input", "default"), ("text_input", "value"),
    ("text_input", "set_value"), ("selectbox", "raw_value"), ("multiselect", "raw_values"),
    ("select_slider", "options"),
}  # fmt: skip
"""Fields that a browser shows as plain text."""
OURS = {"id", "element_id", "form_id", "user_key", "key", "url", "icon"}
FIGURE = {"plotly_chart", "arrow_data_frame", "arrow_table", "dataframe"}


@pytest.fixture(autouse=True)
def _no_work_is_left() -> Iterator[None]:
    with fresh_work(fresh=False):
        yield


def texts(message: Message, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text in what the browser gets, and where it stands."""
    for field, value in message.ListFields():
        here = (*path, field.name)
        values = list(value) if field.is_repeated else [value]
        for one in values:
            if isinstance(one, Message):
                yield from texts(one, here)
            elif isinstance(one, str):
                yield here, one


def elements(node: Any) -> Iterator[Any]:
    """All elements and blocks below."""
    for child in getattr(node, "children", {}).values():
        yield child
        yield from elements(child)


def live(app: AppTest) -> list[str]:
    """What would be more than words, or cannot be seen, in the texts of a page."""
    found = []
    for element in elements(app._tree):
        if not isinstance(proto := getattr(element, "proto", None), Message):
            continue
        for path, text in texts(proto):
            if (
                path[-1] in ("id", "element_id", "form_id", "user_key", "key", "url", "icon")
                or element.type in FIGURE
            ):
                continue
            literal = (element.type, path[-1]) in LITERAL
            own = element.type == "text_input"  # typed there, and shown to nobody else
            if (HIDDEN.search(text) and not own) or (not literal and LIVE.search(text)) or len(text) > 5_000:
                found.append(f"{element.type}.{'.'.join(path)}: {text[:300]!r} ({len(text)})")
    return found


def _loaded(names: tuple[str, ...]) -> Loaded:
    p = predictions(names)
    reading = Reading(
        p, (f"Read {names[0]}",), f"column:{names[0]}", "probabilities", "names", names, tuple(p.metadata)
    )
    title, noun = names[0][:80], names[1][:40]
    return Loaded("model-1", title, names[2], noun, p, reading, next(iter(p.metadata)), None)


@pytest.mark.hostile
@pytest.mark.parametrize("which", SETS)
def test_hostile_names_are_words(which: str) -> None:
    data = _loaded(SETS[which])
    spec = Settings(DiagnosisSpec(resamples=99, estimates=()))
    app = opened("learn", models={"model-1": data}, in_use="model-1", settings=spec)
    for page in PAGES:
        app = on_page(app, page)
        assert not app.exception, app.exception
        assert not app.error, [e.value for e in app.error]
        assert not (found := live(app)), "\n".join([page, *found])


@pytest.mark.some(2)
@pytest.mark.parametrize("which", SETS)
@pytest.mark.slow
def test_hostile_names_of_models_are_words(which: str) -> None:
    """Two models that are compared, their pair open, and one of other cases."""
    names = SETS[which]
    data = _loaded(names)
    titles = (f"{names[2][:78]} 2", f"{names[1][:78]} 3")
    fewer = data.predictions.with_rows(list(range(data.predictions.n - 3)))
    other = replace(data, key="model-2", title=titles[0])
    short = replace(data, key="model-3", title=titles[1], predictions=fewer)
    spec = Settings(DiagnosisSpec(resamples=99, estimates=(), lens=TopKLens(1)))
    models = {model.key: model for model in (data, other, short)}
    app = opened("compare", models=models, in_use="model-1", settings=spec)
    assert not app.exception, app.exception
    assert [fold.label for fold in app.expander if fold.label == "Not compared: 1"]
    assert not (found := live(app)), "\n".join(found)
    heads = {head for table in app.table for head in table.value.columns}
    assert not [head for head in heads if LIVE.search(head) or HIDDEN.search(head)], heads


@pytest.mark.slow
def test_the_words_that_are_looked_for_would_be_found() -> None:
    def script() -> None:
        import streamlit as st

        st.markdown(st.session_state["words"])
        st.selectbox("x", [st.session_state["words"]])

    app = AppTest.from_function(script)
    app.session_state["words"] = EVERYTHING
    assert len(live(app.run())) == 2


@pytest.mark.parametrize(
    "text", ["http://evil.example/x", "see HTTPS://evil.example", "www.evil.example", "a@evil.example"]
)
def test_nothing_becomes_a_link_by_itself(text: str) -> None:
    """A browser's Markdown makes links of what looks like one, after the escapes are gone."""
    read = plain(text).replace("\\", "")
    assert not re.search(r"https?://|www\.|\w@\w", read, re.IGNORECASE)
    assert read.replace("\u2060", "") == text
