"""The bundled examples, loaded once for everybody: work on them is the same for all, and its answers ship."""

import gzip
import hashlib
import json
from collections.abc import Sequence
from functools import cache

import streamlit as st

from calibcore import MultiLabelPredictions, Predictions
from calibcore.assessment.assess import Assessment
from calibcore.data.examples import EXAMPLES, RUNS, load_cases, load_run
from calibcore.data.several_labels import Cases
from calibcore.limits import asset_path

ANSWERS = "answers"
"""The folder of what was found on the examples, beside them; ``scripts/make_answers.py`` makes it."""


MOST_LABELS = 30
"""Labels of examples that are kept by themselves."""


@st.cache_resource(max_entries=len(EXAMPLES))
def cases(key: str) -> Cases:
    """The cases of a bundled example."""
    return load_cases(key)


def predictions(key: str, label: str | None = None) -> Predictions:
    """The predictions of a bundled example; of several labels those of the one of that name, or the first, or
    where that is empty all of them together.

    Raises
    ------
    InputError : there is no such label.
    """
    of_all = cases(key)
    return (
        of_all
        if isinstance(of_all, Predictions)
        else _label(key, of_all.known[0] if label is None else label)
    )


@st.cache_resource(max_entries=MOST_LABELS)
def _label(key: str, name: str) -> Predictions:
    of_all = cases(key)
    assert isinstance(of_all, MultiLabelPredictions)
    return of_all.label(name) if name else of_all.pairs()


@st.cache_resource(max_entries=len(RUNS))
def run(key: str) -> dict[int, Predictions]:
    """The epochs of a bundled training run."""
    return load_run(key)


def is_bundled(p: Cases) -> bool:
    """Whether these are the cases of a bundled example, or one label of them: the very ones, and no upload
    that is alike."""
    return any(p is cases(example.key) or p is _same_label(example.key, p) for example in EXAMPLES)


def _same_label(key: str, p: Cases) -> Predictions | None:
    """Of an example the label that ``p`` is of by its name; None where there is none."""
    of_all = cases(key)
    if isinstance(of_all, Predictions) or isinstance(p, MultiLabelPredictions):
        return None
    return _label(key, p.label_of) if p.label_of in of_all.known or p.case_of is not None else None


def digest_of(key: Sequence[str]) -> str:
    """What tells one piece of work from another, in a few letters."""
    return hashlib.sha256("\0".join(key).encode()).hexdigest()[:20]


def shipped(key: Sequence[str]) -> Assessment | None:
    """The survey that ships with an example, where just this was asked for."""
    example = _shipped().get(digest_of(key))
    if example is None:
        return None
    packed = asset_path("examples", ANSWERS, f"{example}.json.gz").read_bytes()
    return Assessment.from_json(gzip.decompress(packed).decode())


@cache
def _shipped() -> dict[str, str]:
    """Digest of what was asked -> key of the example that it was asked of."""
    known: dict[str, str] = json.loads(
        asset_path("examples", ANSWERS, "index.json").read_text(encoding="utf-8")
    )
    return known
