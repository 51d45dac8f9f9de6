"""Which models can be compared with the one in use, which of them are, and why others are not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import streamlit as st

from calibcore import InputError, MultiLabelPredictions, Predictions
from calibcore.data.examples import EXAMPLES
from calibcore.questions.compare import same_cases
from calibcore.questions.compare.words import not_compared, only_one
from pages.ui import choices, show, state
from pages.ui.show import plain

LEFT_OUT = "compare-left-out"
"""Key of the session: the keys of models that are not to be compared."""
_reasons: "WeakKeyDictionary[Predictions, WeakKeyDictionary[Predictions, tuple[str, str, str]]]" = (
    WeakKeyDictionary()
)
"""Two models -> their titles and why they cannot be compared: looking at large files again takes a while."""
_groups: "WeakKeyDictionary[Predictions, WeakKeyDictionary[Predictions, Predictions]]" = WeakKeyDictionary()
"""A group of cases -> another model of all cases -> its cases of that group."""
_samples: "WeakKeyDictionary[Predictions, dict[int, Predictions]]" = WeakKeyDictionary()

_labels: "WeakKeyDictionary[MultiLabelPredictions, dict[str, Predictions]]" = WeakKeyDictionary()
"""Several labels -> those of them that another model is looked at by."""


@dataclass(frozen=True, eq=False)
class Offered:
    """The other models: those of the same cases, and key -> sentence on the rest."""

    same: tuple[state.Loaded, ...]
    rest: Mapping[str, str]


def other_models(data: state.Loaded) -> Offered:
    """Every other model that is loaded; examples beside an example, if they are of the same cases.

    Where a random sample or a group of cases is in use, the same cases of the others.
    """
    own = state.root(data.key)
    same: dict[str, state.Loaded] = {}
    rest: dict[str, str] = {}
    for other in state.models().values():
        root = state.root(other.key)
        if root == own or root in same:
            continue
        beside = _of_group(_sampled_alike(_same_label(other, data), data), data)
        why = _why_not(data, beside)
        if not why:
            same[root] = beside
        elif state.SAMPLE not in other.key and other.whole is None:
            rest[other.key] = not_compared(other.title, why)
    if own in {example.key for example in EXAMPLES}:
        for example in EXAMPLES:
            known = state.find(example.key) if example.key != own else None
            if known is not None and not _why_not(data, beside := _sampled_alike(known, data)):
                same[example.key] = beside
    return Offered(tuple(same.values()), rest)


def _same_label(other: state.Loaded, data: state.Loaded) -> state.Loaded:
    """Of a model with several labels the one that is looked at; itself where it has no such label."""
    name = data.predictions.label_of
    if other.labels is None or not name or name not in other.labels.known:
        return other
    if other.predictions.label_of == name:
        return other
    known = _labels.setdefault(other.labels, {})
    if name not in known:
        known[name] = other.labels.label(name)
    return replace(other, predictions=known[name])


def _sampled_alike(other: state.Loaded, data: state.Loaded) -> state.Loaded:
    """Of a model of all cases those that are in the sample in use, drawn in the same way."""
    p, n = other.predictions, data.predictions.n
    if p.drawn_from is not None or data.predictions.drawn_from != p.n:
        return other
    drawn = _samples.setdefault(p, {})
    if n not in drawn:
        drawn[n] = p.sampled(n)
    return replace(other, predictions=drawn[n])


def _of_group(other: state.Loaded, data: state.Loaded) -> state.Loaded:
    """Of a model of all cases those of the group in use, in their order; itself where it has others."""
    all_cases = None if data.whole is None else state.find(data.whole.key)
    if data.whole is None or all_cases is None or other.whole is not None:
        return other
    other = _of_group(other, all_cases)  # of which it may be a group itself
    known = _groups.setdefault(data.predictions, WeakKeyDictionary())
    p = other.predictions
    if p not in known:
        try:
            alike = same_cases({"": all_cases.predictions, other.title: p}).models[other.title]
        except InputError:
            return other
        known[p] = alike.with_rows(data.whole.rows)
    return replace(other, title=f"{other.title}, {data.whole.group}", predictions=known[p])


def _why_not(data: state.Loaded, other: state.Loaded) -> str:
    """Why two models cannot be compared; empty if they can."""
    p, q = data.predictions, other.predictions
    known = _reasons.setdefault(p, WeakKeyDictionary())
    titles = data.title, other.title
    if q not in known or known[q][:2] != titles:
        try:
            same_cases({titles[0]: p, titles[1]: q})
            known[q] = (*titles, "")
        except InputError as error:
            known[q] = (*titles, str(error))
    return known[q][2]


def compared(data: state.Loaded) -> Sequence[state.Loaded]:
    """The models that the page compares: the one in use first; alone if there are no others."""
    left_out: frozenset[str] = st.session_state.get(LEFT_OUT, frozenset())
    return [data, *(other for other in other_models(data).same if other.key not in left_out)]


def choose(offered: Offered, data: state.Loaded) -> Sequence[state.Loaded]:
    """The box of models, and those that are to be compared: the one in use first."""
    left_out: frozenset[str] = st.session_state.get(LEFT_OUT, frozenset())
    by_key = {other.key: other for other in offered.same}
    words = choices.worded(by_key, lambda key: by_key[key].title)

    def keep(keys: list[str]) -> None:
        st.session_state[LEFT_OUT] = (left_out - set(words)) | (set(words) - set(keys))

    chosen = [key for key in words if key not in left_out]
    choices.several(
        "Compared with", words, chosen, keep, name="compare-with",
        placeholder="Choose at least one model", help="Models of the same cases as the one in use.",
    )  # fmt: skip
    return [data, *(by_key[key] for key in chosen)]


def none(data: state.Loaded) -> None:
    """Said where there is nothing to compare with, with the way to an example."""
    with st.container(gap="small", key="only-one"):
        st.info(plain(only_one(data.noun)), icon=":material/help:")
        st.button(
            "Look at three models of one example",
            on_click=state.use,
            args=(state.DEFAULT_EXAMPLE,),
            icon=":material/compare_arrows:",
        )


def left_out(rest: Mapping[str, str]) -> None:
    """The models that are loaded and of other cases, and why."""
    if rest:
        show.fold(f"Not compared: {len(rest)}", "fold-not-compared", lambda: show.points(rest.values()))
