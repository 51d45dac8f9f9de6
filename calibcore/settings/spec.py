"""DiagnosisSpec: every setting of a diagnosis in one frozen object, to JSON and back."""

import json
import math
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, ClassVar

from calibcore.bounds import Within
from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.units import one_row_a_unit
from calibcore.diagram.bars import BARS, check_bars, check_interval
from calibcore.diagram.binning import BINNINGS, Binning, UniformBinning
from calibcore.errors import InputError
from calibcore.estimators.skce import PRECISIONS, check_precision
from calibcore.flags import NONE, names_from_list, numbers_from_list, typed
from calibcore.hypothesis_tests.families import FAMILIES
from calibcore.kernels import KERNELS, ExponentialKernel, Kernel
from calibcore.numerics import distances
from calibcore.settings.codec import check_fields, converted, mapping, write_object
from calibcore.settings.layout import SCHEMA
from calibcore.settings.text import loaded
from calibcore.settings.words import (
    BINNING_WORDS,
    LENS_WORDS,
    LENSES_ALONE,
    NULL_WORDS,
    NULLS_ALONE,
    binning_from_words,
    binning_to_words,
    lens_from_words,
    lens_to_words,
    null_from_words,
    null_to_words,
)
from calibcore.transforms.lenses import CanonicalLens, Lens
from calibcore.transforms.nulls import Identity, Null

TESTS = tuple(FAMILIES)
"""What is made unless something else is said."""
ESTIMATES = (
    "bias-reduced-brocker",
    "bias-reduced-pairwise",
    "smooth-ece",
    "corp-miscalibration",
    "ici",
    "e50",
    "e90",
    "skce-block",
    "ucme",
    "classwise-ece",
    "top-label-ece",
    "mmce",
)
"""Estimates beside ECE, MCE and SKCE; those for two classes are made where the lens has two."""
ADJUSTMENTS = ("holm", "benjamini-hochberg")
BIN_ADJUSTMENTS = ("step-down", "holm")
MOST_RESAMPLES = 1_000_000
MOST_LOCATIONS = 1_000
MOST_BLOCK = 1_000_000
MOST_SEED = 2**128 - 1
"""Of the size that NumPy draws seeds in."""


def _interval_from_words(words: str) -> tuple[float, ...]:
    return numbers_from_list(words, "The interval is", "two numbers as in 0.05,0.95", 2)


def _stop_at_from_words(words: str) -> int | None:
    if words == NONE:
        return None
    if not (words.isascii() and words.isdecimal()) or len(words) > 18:
        raise InputError(
            f"The number of redraws at which a test stops is {words!r:.60}; expected one, or none."
        )
    return int(words)


@dataclass(frozen=True)
class DiagnosisSpec:
    """What to look at and how.

    Attributes
    ----------
    lens, binning, distance, kernel : the strategy objects, and the name of a distance. Settings name their
        bins, uniform:10 unless others are given; without settings bins of three and more classes are finer
    tests : names of families of tests, each at most once
    resamples : redraws of every Monte Carlo test
    interval : levels of the consistency bars
    bars : "exact" (Poisson-binomial; two classes) or "resampled"
    shuffle : put the rows in a seeded random order before what depends on their order
    alpha : level of the tests
    tolerance : the miscalibration that would matter, as a probability
    seed : of all randomness
    estimates : names out of :data:`ESTIMATES`, each at most once
    null : the hypothesis of the exact tests; calibration unless something else is said (V19 §4.2)
    stop_at : stop an exact test at so many redraws as extreme as what was observed (Besag & Clifford
        1991); None: make all redraws
    block_size : cases in a block of the block estimator and its tests
    locations : test locations of the UCME and its test
    precision : "float64" or "float32", of the kernel sums
    adjustment : of the p-values of a survey, one of :data:`ADJUSTMENTS`
    bin_adjustment : of the p-values of the bins, one of :data:`BIN_ADJUSTMENTS`
    bootstrap : samples for an interval of the ECE, 0 for none or at least 2
    unit : the column that says which rows belong together, as those of one patient; None: every row is an
        independent case

    Examples
    --------
    >>> from calibcore import DiagnosisSpec, TopKLens, UniformBinning
    >>> spec = DiagnosisSpec(lens=TopKLens(1), binning=UniformBinning(15), seed=1)
    >>> DiagnosisSpec.from_json(spec.to_json()) == spec
    True
    """

    HEAD: ClassVar = {"schema": SCHEMA}  # earlier versions take no other key
    OPTIONAL: ClassVar = ("unit",)

    lens: Lens = typed(
        CanonicalLens(),
        LENS_WORDS,
        offers=LENSES_ALONE,
        read=lens_from_words,
        words=lens_to_words,
        group="apart",
    )
    binning: Binning = typed(
        UniformBinning(10), BINNING_WORDS, offers=BINNINGS, read=binning_from_words, words=binning_to_words
    )
    distance: str = typed(
        distances.DEFAULT, "of predictions and outcomes in a bin", choices=distances.DISTANCES
    )
    kernel: Kernel = typed(
        ExponentialKernel(),
        "of the kernel tests: how alike two predictions are",
        choices=KERNELS,
        attribute="kind",
    )
    tests: tuple[str, ...] = typed(
        TESTS, f"some of {','.join(FAMILIES)}, or none (default: all)", read=names_from_list, group="apart"
    )
    resamples: int = typed(999, "redraws of each Monte Carlo test", metavar="N")
    interval: tuple[float, float] = typed(
        (0.05, 0.95),
        "levels of the consistency bars: 0.05,0.95",
        metavar="LOW,HIGH",
        read=_interval_from_words,
        after="bars",
    )
    bars: str = typed("exact", "how consistency bars are made for two classes", choices=BARS)
    shuffle: bool = typed(False, "put the rows in random order", after="unit", listed_after="interval")
    alpha: float = typed(0.05, "level that a survey draws enough for: 0.05")
    tolerance: float = typed(0.05, "error that would matter, for the verdicts of a survey: 0.05")
    seed: Annotated[int, Within(-math.inf, math.inf)] = typed(
        0, "of all randomness: 0", metavar="N", after="resamples", group="last"
    )
    estimates: tuple[str, ...] = typed(
        ESTIMATES,
        f"some of {','.join(ESTIMATES)}, or none (default: all that apply)",
        read=names_from_list,
        group="apart",
        after="tests",
    )
    null: Null = typed(
        Identity(),
        f"hypothesis of the exact tests: {NULL_WORDS}",
        offers=NULLS_ALONE,
        read=null_from_words,
        words=null_to_words,
        group="rare",
    )
    stop_at: int | None = typed(
        None,
        "stop an exact test at H redraws as extreme (10 is usual), or none",
        metavar="H",
        read=_stop_at_from_words,
        group="rare",
    )
    block_size: int = typed(10, "cases in a block of the block estimator", metavar="S", group="rare")
    locations: int = typed(10, "test locations of the UCME", metavar="J", group="rare")
    precision: str = typed("float64", "of the kernel sums", choices=PRECISIONS, group="rare")
    adjustment: str = typed("holm", "of the p-values of a survey", choices=ADJUSTMENTS, group="rare")
    bin_adjustment: str = typed(
        "step-down", "of the p-values of the bins", choices=BIN_ADJUSTMENTS, group="rare"
    )
    bootstrap: int = typed(
        0, "samples for an interval of the ECE (0: none)", metavar="N", group="rare", after="stop_at"
    )
    unit: str | None = typed(
        None,
        "which rows belong together, as those of one patient: then exact tests take one row of each",
        metavar="COLUMN",
    )

    def __post_init__(self) -> None:
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, value in converted(type(self), given, "The settings").items():
            object.__setattr__(self, name, value)
        distances.distance(self.distance)
        _check_names("test", self.tests, tuple(FAMILIES))
        _check_names("estimate", self.estimates, ESTIMATES)
        check_precision(self.precision)
        if self.bootstrap == 1:
            raise InputError("The number of bootstrap samples is 1; expected 0 or at least 2.")
        for what, name, allowed in (
            ("adjustment", self.adjustment, ADJUSTMENTS),
            ("adjustment of bins", self.bin_adjustment, BIN_ADJUSTMENTS),
        ):
            if name not in allowed:
                raise InputError(f"There is no {what} {shown(name)}; expected one of {', '.join(allowed)}.")
        for what, number, least, most in (
            ("number of redraws at which a test stops", self.stop_at, 1, MOST_RESAMPLES),
            ("number of bootstrap samples", self.bootstrap, 0, MOST_RESAMPLES),
            ("block size", self.block_size, 2, MOST_BLOCK),
            ("number of test locations", self.locations, 1, MOST_LOCATIONS),
            ("number of redraws", self.resamples, 1, MOST_RESAMPLES),
        ):
            if number is not None and not least <= number <= most:
                raise InputError(f"The {what} is {shown(number)}; expected {least} to {most:,}.")
        if self.seed < 0:
            raise InputError(f"The seed is {shown(self.seed)}; expected a whole number from 0 up.")
        if self.seed > MOST_SEED:
            raise InputError(f"The seed is {shown(self.seed)}; expected a number of 128 bits at most.")
        check_bars(self.bars)
        check_interval(self.interval)
        for what, value in (("level", self.alpha), ("tolerance", self.tolerance)):
            if not 0 < value < 1:
                raise InputError(f"The {what} is {value:g}; expected a number between 0 and 1.")

    def to_document(self) -> dict[str, Any]:
        """A dict that spells out every setting, defaults included; ``unit`` where there is one."""
        return write_object(self)

    def to_json(self) -> str:
        """One line of JSON; the same settings give the same text."""
        return json.dumps(self.to_document(), ensure_ascii=False)

    @classmethod
    def from_document(cls, document: object) -> "DiagnosisSpec":
        """The inverse of :meth:`to_document`; keys that are left out take their defaults.

        Raises
        ------
        InputError : unknown key, kind or schema; the message lists what is allowed.
        """
        values = mapping(document, "The settings are", ("schema", *(f.name for f in fields(cls))))
        schema = values.pop("schema", SCHEMA)
        if type(schema) is not int or schema != SCHEMA:
            raise InputError(f"The settings have schema {shown(schema)}; this version reads schema {SCHEMA}.")
        return cls(**values)

    @classmethod
    def from_json(cls, text: str) -> "DiagnosisSpec":
        """From JSON text; see :meth:`from_document`."""
        return cls.from_document(loaded(text, "The settings are"))

    def for_classes(self, m: int) -> "DiagnosisSpec":
        """The same with a binning that fits ``m`` classes: uniform:10 where its own does not."""
        return self if self.binning.fits(m) else replace(self, binning=UniformBinning(10))

    def independent(self, predictions: Predictions) -> Predictions:
        """The cases that are looked at: all, or one row of every unit that the settings name."""
        return one_row_a_unit(predictions, self.unit, self.seed)

    def induced(self, predictions: Predictions) -> Predictions:
        """What the lens makes of the cases that are looked at."""
        return self.lens(self.independent(predictions))

    def tested(self, induced: Predictions) -> Predictions:
        """What verdicts test of it: without cases whose outcome stands at a 0 that rounding made.

        Under another null hypothesis than calibration all: it may give such an outcome a chance.
        """
        return induced.possible if isinstance(self.null, Identity) else induced


check_fields(DiagnosisSpec)


def _check_names(what: str, names: tuple[str, ...], allowed: tuple[str, ...]) -> None:
    for name in names:
        if name not in allowed:
            raise InputError(f"There is no {what} {shown(name)}; expected some of {', '.join(allowed)}.")
    if len(set(names)) < len(names):
        raise InputError(f"One {what} is named twice in {shown(', '.join(names), 200)}.")
