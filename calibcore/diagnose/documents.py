"""The JSON of a diagnosis, part by part."""

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, fields, replace
from typing import Any, ClassVar, Literal, NotRequired, Self, TypedDict

import numpy as np

from calibcore.bounds import Count, Nonnegative, Share
from calibcore.data.checks import shown
from calibcore.diagram.reliability import COLUMNS, Reliability
from calibcore.errors import InputError
from calibcore.hypothesis_tests import TestResult
from calibcore.hypothesis_tests.bins import BinPvalues
from calibcore.spec.codec import FieldError, from_entry, misfit
from calibcore.spec.text import parsed

SCHEMA = 1


@contextmanager
def complete(what: str) -> Iterator[None]:
    """Turns the errors of a document that lacks something into a sentence, with the whole path of a field."""
    try:
        yield
    except FieldError as error:
        raise error.of(what) from None
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
    if "promise" not in document:
        raise FieldError("is missing", ("promise",))
    if document["promise"] is None:
        return None
    # The redraws of components are no part of a document.
    result = from_entry(TestResult, {**document, "component_redraws": None}, {"pvalue": "p_value"})
    if result.components and math.isnan(result.statistic):
        # The largest of several tails is infinite after an impossible outcome, and defined in any case.
        return replace(result, statistic=math.inf)
    return result


def _components_document(result: TestResult) -> dict[str, Any]:
    if result.decided_by is None:
        return {}
    components = [
        asdict(one) | {"statistic": _finite_or_none(one.statistic), "tail": _finite_or_none(one.tail)}
        for one in result.components
    ]
    return {"components": components, "decided_by": result.decided_by.name}


def _finite_or_none(value: float) -> float | None:
    """JSON has no infinite numbers, such as an impossible outcome makes."""
    return float(value) if math.isfinite(value) else None


def entry_of(one: Any, names: Mapping[str, str]) -> dict[str, Any]:
    """A dataclass of plain values as it stands in a document: some of its fields by other ``names``."""
    return {names.get(f.name, f.name): getattr(one, f.name) for f in fields(one)}


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


def reliability_of(document: Any, class_names: Any) -> Reliability:
    """The inverse of :func:`reliability_document`."""
    if not isinstance(document, Mapping):
        raise misfit(document, "an object")
    return from_entry(Reliability, {**document, "class_names": class_names, "shifts_by_chance": None})


class Level(TypedDict):
    """The :data:`~.estimates.LEVELS` of an estimate under calibration."""

    mean: float
    sd: Nonnegative
    low: float
    high: float


class BootstrapInterval(TypedDict):
    """An interval of the ECE, as a document holds it."""

    low: float
    high: float
    level: Share
    n_resamples: Count
    label: str


class Errors(TypedDict):
    """ECE and MCE, as a document holds them."""

    ece: Nonnegative
    mce: Nonnegative
    n_bins: Count
    under_calibration: Level | None
    mce_under_calibration: Level | None
    interval: NotRequired[BootstrapInterval | None]


class BinTests(TypedDict):
    """Exact p-values of the bins, as a document holds them."""

    p_value: list[Share]
    adjusted_p_value: list[Share]
    adjustment: Literal["step-down", "holm"]
    resamples: Count


class Coefficient(TypedDict):
    """One of Cox's coefficients, as a document holds it."""

    estimate: float
    standard_error: Nonnegative
    interval: tuple[float, float]


class Coefficients(TypedDict, total=False):
    """Cox's coefficients, as a document holds them."""

    cox_intercept: Coefficient | None
    cox_slope: Coefficient | None
    cox_notes: list[str]
    intercept_with_slope_fixed_at_1: Coefficient | None
    intercept_with_slope_fixed_at_1_notes: list[str]
