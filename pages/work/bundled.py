"""The bundled examples, loaded once for everybody: work on them is the same for all, and its answers ship."""

import gzip
import hashlib
import json
from collections.abc import Sequence
from functools import cache

import streamlit as st

from calibcore import Predictions
from calibcore.assessment.assess import Assessment
from calibcore.data.examples import EXAMPLES, RUNS, load_example, load_run
from calibcore.limits import asset_path

ANSWERS = "answers"
"""The folder of what was found on the examples, beside them; ``scripts/make_answers.py`` makes it."""


@st.cache_resource(max_entries=len(EXAMPLES))
def predictions(key: str) -> Predictions:
    """The predictions of a bundled example."""
    return load_example(key)


@st.cache_resource(max_entries=len(RUNS))
def run(key: str) -> dict[int, Predictions]:
    """The epochs of a bundled training run."""
    return load_run(key)


def is_bundled(p: Predictions) -> bool:
    """Whether these are the predictions of a bundled example: the very ones, and no upload that is alike."""
    return any(p is predictions(example.key) for example in EXAMPLES)


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
