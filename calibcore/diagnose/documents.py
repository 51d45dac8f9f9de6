"""The JSON of a diagnosis, part by part."""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, asdict, fields, is_dataclass
from types import UnionType
from typing import Any, ClassVar, Self, TypeVar, Union, cast, get_args, get_origin

import numpy as np

from calibcore.data.checks import shown
from calibcore.diagram.reliability import COLUMNS, Reliability
from calibcore.errors import InputError
from calibcore.hypothesis_tests import Component, TestResult
from calibcore.hypothesis_tests.bins import BinPvalues
from calibcore.spec.codec import STRATEGIES, decode

SCHEMA = 1
T = TypeVar("T")


def parsed(text: str, what: str) -> Mapping[str, Any]:
    """A JSON object out of text; :class:`InputError` if it is none."""
    try:
        document = json.loads(text, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise InputError(f"{what} is not a JSON object.")
    return document


def _finite(text: str) -> float:
    """JSON has no word for what is not finite, but 1e999 would become it."""
    if not math.isfinite(value := float(text)):
        raise ValueError
    return value


@contextmanager
def complete(what: str) -> Iterator[None]:
    """Turns the errors of a document that lacks something into a sentence."""
    try:
        yield
    except InputError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError, OverflowError, RecursionError) as error:
        raise InputError(f"{what} cannot be read: something is missing or of the wrong type.") from error


def check_schema(document: Mapping[str, Any], what: str) -> None:
    """Raises :class:`InputError` for a document of another schema."""
    if document.get("schema") != SCHEMA:
        schema = shown(document.get("schema"))
        raise InputError(f"{what} has schema {schema}; this version reads schema {SCHEMA}.")


class AsDocument(ABC):
    """What can be written as one JSON document."""

    @abstractmethod
    def to_document(self) -> dict[str, Any]:
        """The JSON document."""

    def to_json(self) -> str:
        """The document as one line of JSON."""
        return json.dumps(self.to_document(), ensure_ascii=False, allow_nan=False)


class Documented(AsDocument):
    """What can be read back, too. Types say what they are called, and make and read the document."""

    WHAT: ClassVar[str]
    """In sentences about it: "The comparison"."""

    @classmethod
    @abstractmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""

    @classmethod
    def from_json(cls, text: str) -> Self:
        """From the text of :meth:`to_json`; :class:`InputError` too where it could not be written again."""
        with complete(cls.WHAT):
            reading = cls.from_document(parsed(text, cls.WHAT))
            reading.to_json()
            return reading


def result_document(result: TestResult | None) -> dict[str, Any]:
    """The numbers of a test; None where it was withheld."""
    if result is None:
        return {"statistic": None, "p_value": None, "promise": None}
    null, interval = result.null_distribution, result.confidence_interval
    return {
        "statistic": _finite_or_none(result.statistic),
        "p_value": None if np.isnan(result.pvalue) else result.pvalue,
        "promise": result.promise,
        "method": result.method,
        "n_resamples": result.n_resamples,
        "null_distribution": None if null is None else [_finite_or_none(value) for value in null.tolist()],
        "confidence_interval": None if interval is None else list(interval),
        "details": dict(result.details),
    } | _components_document(result)


def result_of(document: Mapping[str, Any]) -> TestResult | None:
    """The inverse of :func:`result_document`."""
    if document["promise"] is None:
        return None
    null, components = document["null_distribution"], document.get("components", ())
    read = {
        # The largest of several tails is infinite after an impossible outcome, and defined in any case.
        "statistic": _infinite(document["statistic"]) if components else _number(document["statistic"]),
        "p_value": _number(document["p_value"]),
        "null_distribution": None if null is None else np.array([_infinite(value) for value in null]),
        "components": tuple(map(_component_of, components)),
        "component_redraws": None,
    }
    return from_entry(TestResult, {**document, **read}, {"pvalue": "p_value"})


def _components_document(result: TestResult) -> dict[str, Any]:
    if result.decided_by is None:
        return {}
    components = [
        asdict(one) | {"statistic": _finite_or_none(one.statistic), "tail": _finite_or_none(one.tail)}
        for one in result.components
    ]
    return {"components": components, "decided_by": result.decided_by.name}


def _component_of(document: Mapping[str, Any]) -> Component:
    numbers = {name: _infinite(document[name]) for name in ("statistic", "tail")}
    component: Component = read({**document, **numbers}, Component)
    return component


def _finite_or_none(value: float) -> float | None:
    """JSON has no infinite numbers, such as an impossible outcome makes."""
    return float(value) if math.isfinite(value) else None


def _infinite(value: float | None) -> float:
    return math.inf if value is None else float(value)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value


def entry_of(one: Any, names: Mapping[str, str]) -> dict[str, Any]:
    """A dataclass of plain values as it stands in a document: some of its fields by other ``names``."""
    return {names.get(f.name, f.name): getattr(one, f.name) for f in fields(one)}


def from_entry(cls: Callable[..., T], entry: Mapping[str, Any], names: Mapping[str, str] = {}) -> T:
    """The inverse of :func:`entry_of` and of :func:`dataclasses.asdict`.

    What documents of earlier versions lack has its default.
    """
    values = {}
    for f in fields(cast(Any, cls)):
        name = names.get(f.name, f.name)
        if name in entry or f.default is f.default_factory is MISSING:
            values[f.name] = read(entry[name], f.type)
    return cls(**values)


def read(value: Any, kind: Any) -> Any:
    """A value of JSON as a field of the type ``kind`` holds it; numbers, texts and what is made already stay.

    Of a dataclass that reads no document every field is there, and no other. Keys that are no text stand in
    JSON beside their values.
    """
    if kind in STRATEGIES:
        return decode(value, kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return None if value is None else read(value, parts[0])
    if origin is tuple and Ellipsis not in parts:
        return tuple(read(one, part) for one, part in zip(value, parts, strict=True))
    if origin in (tuple, list, frozenset):
        return origin(read(one, parts[0]) for one in value)
    if origin is Mapping:
        return {parts[0](key): one for key, one in (value.items() if parts[0] is str else value)}
    if not isinstance(kind, type) or isinstance(value, kind):
        return value
    if hasattr(kind, "from_document"):
        return kind.from_document(value)
    if is_dataclass(kind):
        kinds = {f.name: f.type for f in fields(kind)}
        return kind(**{name: read(one, kinds[name]) for name, one in value.items()})
    return value


OF_ESTIMATES = {"level": "under_calibration", "pvalue": "p_value"}
"""Field of an :class:`.Estimate` -> its name in a document."""


def bins_document(pvalues: BinPvalues) -> dict[str, Any]:
    """Exact p-values of the bins, as a diagnosis holds them."""
    return {
        "p_value": pvalues.pvalue.tolist(),
        "adjusted_p_value": pvalues.adjusted.tolist(),
        "adjustment": pvalues.adjustment,
        "resamples": pvalues.n_resamples,
    }


def reliability_document(diagram: Reliability) -> dict[str, Any]:
    """The columns of the diagram, and how its bars were made."""
    columns = {name: getattr(diagram, name).tolist() for name in COLUMNS}
    for name in ("low", "high"):  # weighted cases have no bars
        columns[name] = [None if value != value else value for value in columns[name]]
    return columns | {
        "expected_outside": diagram.expected_outside,
        "interval": list(diagram.interval),
        "bars": diagram.bars,
    }


def reliability_of(document: Mapping[str, Any], class_names: list[str]) -> Reliability:
    """The inverse of :func:`reliability_document`."""
    columns = {name: np.array(document[name]) for name in COLUMNS}
    for name in ("low", "high"):
        columns[name] = columns[name].astype(np.float64)
    return Reliability(
        class_names=tuple(class_names),
        expected_outside=document["expected_outside"],
        interval=tuple(document["interval"]),
        bars=document["bars"],
        **columns,
    )
