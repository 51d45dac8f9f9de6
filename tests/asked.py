"""A small result of every question, for tests of what all of them have to do.

It stands under ``@small(Decisions)`` in the test file of its question, and is found by its place there. From
it come pickles, the keys that docs/cli.md has to explain, what a notebook shows, what its schema has to take,
mutants of its document, and its figures on the screen and on paper.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

import numpy as np

from calibcore import DiagnosisSpec, Predictions
from calibcore.questions.registry import QUESTIONS

R = TypeVar("R")
EVIL = "<img src=x onerror=alert(1)>\u202e&\"'"
NAMES = ("a", EVIL, "</style></svg><script>alert(2)</script>")
SMALL = DiagnosisSpec(resamples=19, tests=("exact-omnibus",), estimates=(), alpha=0.5, tolerance=0.2)
"""So few redraws that tests of numbers have settings of their own."""


@cache
def cases(m: int = 3, seed: int = 1, n: int = 80, before: int = 0) -> Predictions:
    """A model that is too sure, and the day, the patient and the site of each case, ``before`` others."""
    rng = np.random.default_rng(seed)
    probs, places = rng.dirichlet(np.ones(m), n), before + np.arange(n)
    truth = np.sqrt(probs) / np.sqrt(probs).sum(axis=1, keepdims=True)
    labels = (rng.random((n, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=m - 1)
    columns = {
        "day": (np.datetime64("2026-01-01") + places).astype(str),
        "site": np.array(["A", "B"])[places % 2],
        "patient": np.array([f"p{i // 2}" for i in places]),
        EVIL: np.array([EVIL, "b"])[places % 2],
    }
    return Predictions.from_arrays(probs, labels, NAMES[:m], columns)


@cache
def uniform(m: int = 3) -> Predictions:
    """A model that says the same of each of these cases."""
    p = cases(m)
    return Predictions.from_arrays(np.full(p.probs.shape, 1 / m), p.labels, p.class_names, dict(p.metadata))


_ENTERED: dict[type, Callable[[], Any]] = {}


def small(result: type[R]) -> Callable[[Callable[[], R]], Callable[[], R]]:
    """Enters what makes a small result of this type, once in the test file of its question."""

    def enter(make: Callable[[], R]) -> Callable[[], R]:
        assert result not in _ENTERED, f"There are two small results of the type {result.__name__}."
        _ENTERED[result] = cache(make)
        return _ENTERED[result]

    return enter


def place_of(result: type) -> str:
    """The test file of the question that has such a result, as a module."""
    word = result.__module__.split(".")[2]
    return f"tests.questions.{word}.test_{word}"


def lacks_small(result: type) -> str:
    """A sentence where a question has no small result; empty where it has one."""
    place = place_of(result)
    try:
        import_module(place)
    except ModuleNotFoundError as error:
        if not place.startswith(error.name or "."):  # the file is there, and what it needs is not
            raise
    if result in _ENTERED:
        return ""
    file = place.replace(".", "/") + ".py"
    return f"Make a small {result.__name__} in {file}, under @small({result.__name__}) of tests/asked.py."


@cache
def small_ones() -> Mapping[type, Callable[[], Any]]:
    """Type of a question's result -> what makes a small one, the same at every call."""
    lacking = [sentence for result in QUESTIONS if (sentence := lacks_small(result))]
    assert not lacking, "\n".join(lacking)
    return {result: _ENTERED[result] for result in QUESTIONS}
