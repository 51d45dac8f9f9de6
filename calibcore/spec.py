"""DiagnosisSpec: every setting of a diagnosis in one frozen object, to JSON and back.

The settings are the strategy objects themselves. One small codec turns them
into ``{"kind": …, field: …}`` and refuses unknown keys, kinds and schema
numbers with a message that lists what is allowed. The same kinds are the words
of the command line, ``top-k:1`` or ``uniform:10``.
"""

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from types import NoneType
from typing import Any, cast

import numpy as np

from calibcore import distances
from calibcore.binning import (
    Binning,
    EqualMassBinning,
    MeanVarianceBinning,
    MedianVarianceBinning,
    SimplexBinning,
    UniformBinning,
)
from calibcore.kernels import BANDWIDTH_RULES, ExponentialKernel, GaussianKernel, Kernel
from calibcore.lenses import CanonicalLens, ClassLens, GroupsLens, Lens, RegionLens, TopKLens
from calibcore.predictions import InputError
from calibcore.reliability import check_bars, check_interval

SCHEMA = 1
TESTS = ("exact", "consistency", "distribution-free", "asymptotic")
MOST_RESAMPLES = 1_000_000
MOST_NESTED = 10

LENSES = {c.kind: c for c in (CanonicalLens, TopKLens, ClassLens, GroupsLens, RegionLens)}
BINNINGS = {
    c.kind: c
    for c in (UniformBinning, EqualMassBinning, MedianVarianceBinning, MeanVarianceBinning, SimplexBinning)
}
KERNELS = {c.kind: c for c in (ExponentialKernel, GaussianKernel)}

LENS_WORDS = "canonical, confidence, top-k:K, class:NAME, groups:A=x,y;B=z, region:NAME:LOW:HIGH[:LENS]"
BINNING_WORDS = (
    "uniform:N, equal-mass:N, median-variance:SIZE[:MAX], mean-variance:SIZE, simplex:K "
    "(each number optional)"
)


@dataclass(frozen=True)
class DiagnosisSpec:
    """What to look at and how.

    Attributes
    ----------
    lens, binning, distance, kernel : the strategy objects, and the name of a distance
    tests : names out of :data:`TESTS`, each at most once
    resamples : redraws of every Monte Carlo test
    interval : levels of the consistency bars
    bars : "exact" (Poisson-binomial; two classes) or "resampled"
    shuffle : put the rows in a seeded random order before what depends on their order
    alpha : level of the tests
    tolerance : the miscalibration that would matter, as a probability
    seed : of all randomness
    """

    lens: Lens = CanonicalLens()
    binning: Binning = UniformBinning(10)
    distance: str = distances.DEFAULT
    kernel: Kernel = ExponentialKernel()
    tests: tuple[str, ...] = TESTS
    resamples: int = 999
    interval: tuple[float, float] = (0.05, 0.95)
    bars: str = "exact"
    shuffle: bool = False
    alpha: float = 0.05
    tolerance: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("tests", "interval"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        _check_types(type(self), {f.name: getattr(self, f.name) for f in fields(self)}, "The settings")
        distances.distance(self.distance)
        for name in self.tests:
            if name not in TESTS:
                raise InputError(f"There is no test {name!r}; expected some of {', '.join(TESTS)}.")
        if len(set(self.tests)) < len(self.tests):
            raise InputError(f"A test is named twice in {', '.join(self.tests)}.")
        if not 1 <= self.resamples <= MOST_RESAMPLES:
            raise InputError(f"The number of redraws is {self.resamples}; expected 1 to {MOST_RESAMPLES:,}.")
        if self.seed < 0:
            raise InputError(f"The seed is {self.seed}; expected a whole number from 0 up.")
        check_bars(self.bars)
        for level in self.interval:
            _check_type("The settings", "interval", level, float)
        check_interval(self.interval)
        for what, value in (("level", self.alpha), ("tolerance", self.tolerance)):
            if not 0 < value < 1:
                raise InputError(f"The {what} is {value:g}; expected a number between 0 and 1.")

    def to_document(self) -> dict[str, Any]:
        """A dict that spells out every setting, defaults included."""
        return {"schema": SCHEMA} | {f.name: encode(getattr(self, f.name)) for f in fields(self)}

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
        values = _mapping(document, "The settings are", ("schema", *(f.name for f in fields(cls))))
        schema = values.pop("schema", SCHEMA)
        if type(schema) is not int or schema != SCHEMA:
            raise InputError(f"The settings have schema {schema!r}; this version reads schema {SCHEMA}.")
        for name, kinds in (("lens", LENSES), ("binning", BINNINGS), ("kernel", KERNELS)):
            if name in values:
                values[name] = decode(values[name], cast("Mapping[str, type]", kinds), name)
        for name in ("tests", "interval"):
            if name in values:
                values[name] = tuple(_list(values[name], name))
        if len(values.get("interval", (0, 1))) != 2:
            raise InputError(f"The interval has {len(values['interval'])} numbers; expected 2.")
        return cast(DiagnosisSpec, _built(lambda: cls(**values), "The settings"))

    @classmethod
    def from_json(cls, text: str) -> "DiagnosisSpec":
        """From JSON text; see :meth:`from_document`."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"The settings are not JSON: {error}.") from error
        return cls.from_document(document)

    def for_classes(self, m: int) -> "DiagnosisSpec":
        """The same with a binning that fits ``m`` classes: uniform:10 where its own does not."""
        return self if self.binning.fits(m) else replace(self, binning=UniformBinning(10))


_WANTED: dict[object, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "true or false"),
    int: ((int,), "a whole number"),
    int | None: ((int, NoneType), "a whole number or null"),
    float: ((int, float), "a number"),
    str: ((str,), "text"),
    str | float: ((str, int, float), "text or a number"),
}
"""Annotation of a field -> the types that JSON may give there, and their words."""


def _check_types(cls: type, values: Mapping[str, Any], what: str) -> None:
    """Refuses values whose type is not the one that the dataclass ``cls`` states."""
    for f in fields(cast(Any, cls)):
        if f.name in values and f.type in _WANTED:
            _check_type(what, f.name, values[f.name], f.type)


def _check_type(what: str, name: str, value: object, annotation: object) -> None:
    types, words = _WANTED[annotation]
    fits = isinstance(value, types) and (isinstance(value, bool) <= (bool in types))
    # Whole numbers may be too large for a double.
    if not fits or (isinstance(value, int) and float in types and abs(value) > sys.float_info.max):
        raise InputError(f"{what} cannot be used: {name} is {value!r:.60}; expected {words}.")


def _built(make: Callable[[], Any], what: str) -> Any:
    """Call ``make``; a value of the wrong type becomes a sentence."""
    try:
        return make()
    except (TypeError, AttributeError) as error:
        raise InputError(f"{what} cannot be used: a value is missing or of the wrong type.") from error


def _mapping(document: object, what: str, allowed: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(document, Mapping):
        raise InputError(f"{what} {document!r:.60}; expected an object with {', '.join(allowed)}.")
    unknown = [key for key in document if key not in allowed]
    if unknown:
        raise InputError(f"{what} given with the unknown key {unknown[0]!r}; allowed: {', '.join(allowed)}.")
    return dict(document)


def _list(value: object, name: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise InputError(f"The setting {name!r} is {value!r:.60}; expected a list.")
    return list(value)


def encode(value: Any) -> Any:
    """A strategy object -> ``{"kind": …, field: …}``; tuples -> lists; the rest as it is."""
    if hasattr(value, "kind"):
        names = [f.name for f in fields(value)]
        return {"kind": value.kind} | {name: encode(getattr(value, name)) for name in names}
    return [encode(v) for v in value] if isinstance(value, tuple) else value


def decode(document: object, kinds: Mapping[str, type], what: str, depth: int = 1) -> Any:
    """The inverse of :func:`encode` for one of ``kinds``, nested at most :data:`MOST_NESTED` deep."""
    if depth > MOST_NESTED:
        raise InputError(f"The {what} is nested more than {MOST_NESTED} deep.")
    kind = document.get("kind") if isinstance(document, Mapping) else None
    if not isinstance(kind, str) or kind not in kinds:
        raise InputError(f"There is no {what} of kind {kind!r}; expected one of {', '.join(kinds)}.")
    names = tuple(f.name for f in fields(kinds[kind]))
    values = _mapping(document, f"The {what} {kind!r} is", ("kind", *names))
    del values["kind"]
    if "lens" in values:
        values["lens"] = decode(values["lens"], kinds, what, depth + 1)
    if "groups" in values:
        values["groups"] = tuple((name, tuple(members)) for name, members in _groups(values["groups"]))
    _check_types(kinds[kind], values, f"The {what} {kind!r}")
    return _built(lambda: kinds[kind](**values), f"The {what} {kind!r}")


def _groups(value: object) -> list[tuple[str, list[str]]]:
    pairs = _list(value, "groups")
    for pair in pairs:
        fits = isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], list)
        if not fits or not all(isinstance(name, str) for name in (pair[0], *pair[1])):
            raise InputError(f'A group is {pair!r:.60}; expected ["name", ["class", "class"]].')
    return pairs


def lens_from_words(words: str) -> Lens:
    """A lens as on the command line; :data:`LENS_WORDS` lists them."""
    kind, _, rest = words.partition(":")
    if kind == "canonical" and not rest:
        return CanonicalLens()
    if kind == "confidence" and not rest:
        return TopKLens(1)
    if kind == "top-k":
        return TopKLens(_number(rest, words, "1"))
    if kind == "class" and rest:
        return ClassLens(rest)
    if kind == "groups" and rest:
        parts = [part.partition("=") for part in rest.strip("\"'").split(";")]
        return GroupsLens(tuple((name.strip(), tuple(_split(members))) for name, _, members in parts))
    if kind == "region":
        number = r"\d*\.?\d+"
        found = re.fullmatch(rf"(.+?):({number}):({number})(?::(.+))?", rest, re.DOTALL)
        if found:
            name, low, high, inner = found.groups()
            return RegionLens(lens_from_words(inner or "canonical"), name, float(low), float(high))
    raise InputError(f"There is no lens {words!r}; expected one of {LENS_WORDS}.")


def _split(members: str) -> list[str]:
    return [member.strip() for member in members.split(",") if member.strip()]


def binning_from_words(words: str) -> Binning:
    """A binning as on the command line; :data:`BINNING_WORDS` lists them."""
    kind, *numbers = words.split(":")
    most = 2 if kind == "median-variance" else 1
    if kind not in BINNINGS or len(numbers) > most:
        raise InputError(f"There is no binning {words!r}; expected one of {BINNING_WORDS}.")
    binning: Binning = BINNINGS[kind](*(_number(text, words, "") for text in numbers))
    return binning


def _number(text: str, words: str, default: str) -> int:
    text = text or default
    if not text.isdecimal() or len(text) > 18:
        raise InputError(f"In {words!r}, {text!r} is not a whole number.")
    return int(text)


def bandwidth_from_words(words: str) -> str | float:
    """A rule's name or a number; :class:`InputError` lists the rules."""
    if words in BANDWIDTH_RULES:
        return words
    try:
        return float(words)
    except ValueError:
        raise InputError(
            f"There is no bandwidth {words!r}; expected a number or one of {', '.join(BANDWIDTH_RULES)}."
        ) from None


def to_words(strategy: Lens | Binning) -> str:
    """The words of the command line for a lens or a binning."""
    if isinstance(strategy, GroupsLens):
        return "groups:" + ";".join(f"{name}={','.join(members)}" for name, members in strategy.groups)
    if isinstance(strategy, RegionLens):
        low, high = (np.format_float_positional(v, trim="-") for v in (strategy.low, strategy.high))
        return f"region:{strategy.class_name}:{low}:{high}:{to_words(strategy.lens)}"
    values = [getattr(strategy, f.name) for f in fields(cast(Any, strategy))]
    return ":".join([strategy.kind, *(str(v) for v in values if v is not None)])
