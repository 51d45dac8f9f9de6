"""Controls that choose from what depends on data: models, classes, bins, columns.

A browser keeps and sends back the words of an option, never what they stand for. So no two options
have the same words, other words make another control, and what is in use is kept apart from both.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui import settings
from pages.ui.show import option

T = TypeVar("T")


def worded(options: Iterable[T], say: Callable[[T], str] = str, most: int = 80) -> dict[T, str]:
    """Option -> its words, ``most`` characters; a number parts those that would read the same."""
    texts = {value: option(say(value), most) for value in options}
    taken, times = set(texts.values()), dict.fromkeys(texts.values(), 0)
    for value, words in texts.items():
        times[words] += 1
        if times[words] == 1:
            continue
        while (text := f"{words} ({times[words]})") in taken:
            times[words] += 1
        texts[value] = text
        taken.add(text)
    return texts


def key_of(name: str, words: Mapping[Any, str]) -> str:
    """The key of a control of these options: what a browser still holds of others belongs to another key.

    The style sheet knows such controls by "-among-", and how tall they will be.
    """
    content = "\0".join(f"{value!r}\0{text}" for value, text in words.items())
    return f"{name}-among-{hashlib.sha256(content.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def bar(key: str) -> DeltaGenerator:
    """Around a box whose label stands beside it: a thin bar over a figure, which has to be in sight."""
    return st.container(key=f"bar-{key}")


def choose_one(
    label: str,
    words: Mapping[T, str],
    value: T | None,
    choose: Callable[[T], object],
    *,
    name: str,
    undone: bool = True,
    **how: Any,
) -> None:
    """A select box that shows ``value`` and calls ``choose`` with what a person chooses in its place.

    ``value`` is one of ``words``, or None for none. Where the choice is ``undone``, Undo chooses ``value``.
    """
    index = None if value is None else list(words).index(value)
    _box(label, words, value, index, choose, name, undone=undone, **how)


def _box(
    label: str,
    words: Mapping[T, str],
    value: T | None,
    index: int | None,
    choose: Callable[[Any], object],
    name: str,
    undone: bool = False,
    **how: Any,
) -> None:
    """Where ``index`` is None a person may clear it, and ``choose`` is called with None."""
    key = key_of(name, words)
    _show(key, value)
    st.selectbox(
        label, list(words), index, format_func=words.__getitem__, key=key,
        on_change=_changed, args=(key, value, frozenset(words), choose, undone), **how,
    )  # fmt: skip


def one_remembered(label: str, words: Mapping[T, str], name: str, **how: Any) -> T | None:
    """:func:`choose_one` whose choice is kept as ``name`` in the session, while the page has it."""
    value_kept = _remembered(name, key_of(f"{name}-box", words))
    value = value_kept if value_kept in words else None
    _box(label, words, value, None, partial(_keep, name), f"{name}-box", **how)
    return value


def several_remembered(label: str, words: Mapping[T, str], name: str, **how: Any) -> list[T]:
    """A box of several choices, kept under ``name`` in the session, while the control is on the page."""
    remembered = _remembered(name, key_of(f"{name}-box", words)) or ()
    values = [value for value in remembered if value in words]
    several(label, words, values, partial(_keep, name), name=f"{name}-box", undone=False, **how)
    return values


def several(
    label: str,
    words: Mapping[T, str],
    values: list[T],
    choose: Callable[[list[T]], object],
    *,
    name: str,
    undone: bool = True,
    **how: Any,
) -> None:
    """A box of several choices that shows ``values`` and calls ``choose`` with what a person chooses in
    their place."""
    key = key_of(name, words)
    _show(key, values)
    st.multiselect(
        label, list(words), values, format_func=words.__getitem__, key=key,
        on_change=_several_changed, args=(key, values, frozenset(words), choose, undone), **how,
    )  # fmt: skip


def _show(key: str, value: object) -> None:
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value


def _keep(name: str, value: object) -> None:
    st.session_state[name] = value


def _remembered(name: str, key: str) -> Any:
    """What is kept, unless the control (whose key is ``key`` from now on) was away, as on another page."""
    if st.session_state.get(f"{name}-shown-as") not in st.session_state:
        st.session_state.pop(name, None)
    st.session_state[f"{name}-shown-as"] = key
    return st.session_state.get(name)


def _changed(
    key: str, before: object, options: frozenset[Any], choose: Callable[[Any], object], undone: bool
) -> None:
    """What was shown already is no choice: a control that has gone reports itself once more."""
    value = st.session_state.get(key, before)
    if value != before and (value is None or value in options):
        _choose(choose, before, value, undone and before is not None)


def _several_changed(
    key: str, before: list[Any], options: frozenset[Any], choose: Callable[[Any], object], undone: bool
) -> None:
    values = [value for value in st.session_state.get(key, before) if value in options]
    if values != before:
        _choose(choose, before, values, undone)


def _choose(choose: Callable[[Any], object], before: object, value: object, undone: bool) -> None:
    if undone:
        settings.chosen(choose, before, value)
    else:
        settings.done_for_good()
        choose(value)
