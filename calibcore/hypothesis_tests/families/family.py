"""A family of tests that settings ask for by one word: its tests, what they promise, what they are called."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np

from calibcore.data.predictions import Predictions
from calibcore.estimators.ece import ECE
from calibcore.hypothesis_tests.result import Promise, TestResult
from calibcore.kernels import Kernel
from calibcore.numerics.progress import Report
from calibcore.strategies import Strategies
from calibcore.transforms.nulls import Null

FAMILIES = Strategies("test")
Run = Callable[[Predictions, np.random.Generator, Report], TestResult]


@dataclass(frozen=True)
class Planned:
    """A test that will be run: its name and estimator, how, and its share of the work."""

    name: str
    estimator: str
    run: Run
    share: int = 0
    words: str = ""
    uses_order: bool = False
    of_calibration: bool = True
    """Whether it can test calibration alone, and no other null hypothesis."""
    only_possible: bool = False
    """Whether cases whose outcome stands at a rounded 0 are left out, see :attr:`.Predictions.possible`."""
    without_kept: bool = False
    """Whether cases are left out that redraws would leave as they are, see :attr:`.Predictions.kept`."""
    not_of_two: str = ""
    """Why it is withheld where the lens has two classes, if it is."""


@dataclass(frozen=True)
class Setup:
    """What tests are made of: the settings that concern them, and what is there already.

    ``m``: classes of the lens. ``skce``: estimates by their names, for the bounds. ``exact_ece``: the exact
    test of the ECE, if it is made already.
    """

    ece: ECE
    kernel: Kernel
    m: int
    resamples: int
    stop_at: int | None
    null: Null
    block_size: int
    locations: int
    precision: str
    seed: int
    skce: Mapping[str, float]
    exact_ece: TestResult | None


@dataclass(frozen=True)
class Names:
    """What a test is called by itself, and within the group of its promise."""

    full: str
    short: str


class Family(Protocol):
    """Tests of one kind. One more is a file in this folder: a class under ``@FAMILIES.enter``."""

    kind: ClassVar[str]
    """In JSON and on the command line."""
    label: ClassVar[str]
    """In the side bar: "Distribution-free bounds"."""
    promise: ClassVar[Promise]
    """As in :class:`TestResult`."""
    names: ClassVar[Mapping[str, Names]]
    """Of all its tests; each begins as the family does, or says what it is called in the literature."""
    redrawn: ClassVar[tuple[str, ...]] = ()
    """Those of its tests that make redraws, which a figure can show."""

    @staticmethod
    def tests(setup: Setup) -> list[Planned]:
        """Its tests through a lens, in the order in which they are run."""
        ...


def family_of(test: str) -> type[Family]:
    """The family of a test, by the test's name."""
    family: type[Family] = next(family for family in FAMILIES.values() if test in family.names)
    return family


def names_of(test: str) -> Names:
    """What a test is called."""
    return family_of(test).names[test]
