"""What a diagnosis holds, and its one JSON document."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from calibcore.hypothesis_tests import TestResult
from calibcore.kernels import Bandwidth
from calibcore.predictions import InputError
from calibcore.reliability import COLUMNS, Reliability
from calibcore.spec import DiagnosisSpec

SCHEMA = 1
LEVELS = ("mean", "sd", "low", "high")
"""Of an error with labels redrawn from the predictions; low and high are the 5 % and 95 % quantiles."""


@dataclass(frozen=True, eq=False)
class NamedTest:
    """One test of a diagnosis. ``result`` is None where it was withheld; ``note`` says why."""

    name: str
    estimator: str
    result: TestResult | None
    note: str = ""


@dataclass(frozen=True, eq=False)
class Diagnosis:
    """What was found through one lens: enough to redraw and to say everything again.

    ``n``, ``m``, ``class_names``, ``scores`` and ``fingerprint`` are of the predictions
    as they were given; the rest is of what the lens made of them.
    """

    spec: DiagnosisSpec
    fingerprint: str
    version: str
    n: int
    m: int
    class_names: tuple[str, ...]
    scores: Mapping[str, float]
    score_errors: Mapping[str, float]
    """Standard errors of the scores, for independent cases."""
    lens_n: int
    ties: int
    impossible_outcomes: int
    calibration_error: Mapping[str, float]
    """ece, mce, and for each the :data:`LEVELS`, as in ``ece_mean``."""
    skce: Mapping[str, float]
    """biased, unbiased, linear."""
    bandwidth: Bandwidth
    tests: tuple[NamedTest, ...]
    reliability: Reliability
    notes: tuple[str, ...] = ()

    def test(self, name: str) -> NamedTest | None:
        """The test of that name, if it was run or withheld."""
        return next((test for test in self.tests if test.name == name), None)

    def to_document(self) -> dict[str, Any]:
        """The one JSON document of a diagnosis, as ``--json`` prints it."""
        error = self.calibration_error
        return {
            "schema": SCHEMA,
            "version": self.version,
            "data": {
                "n": self.n,
                "m": self.m,
                "class_names": list(self.class_names),
                "fingerprint": self.fingerprint,
            },
            "spec": self.spec.to_document(),
            "scores": dict(self.scores),
            "scores_standard_error": dict(self.score_errors),
            "lens": {
                "n": self.lens_n,
                "class_names": list(self.reliability.class_names),
                "ties": self.ties,
                "impossible_outcomes": self.impossible_outcomes,
            },
            "calibration_error": {
                "ece": error["ece"],
                "mce": error["mce"],
                "n_bins": self.reliability.n_bins,
                "under_calibration": {name: error[f"ece_{name}"] for name in LEVELS},
                "mce_under_calibration": {name: error[f"mce_{name}"] for name in LEVELS},
            },
            "skce": dict(self.skce)
            | {
                "bandwidth": self.bandwidth.value,
                "bandwidth_found": asdict(self.bandwidth),
            },
            "tests": [_test_document(test) for test in self.tests],
            "reliability": _reliability_document(self.reliability),
            "notes": list(self.notes),
        }

    def to_json(self) -> str:
        """The document as one line of JSON."""
        return json.dumps(self.to_document(), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "Diagnosis":
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""
        check_schema(document, "The diagnosis")
        data, lens, error = document["data"], document["lens"], document["calibration_error"]
        under, mce_under = error["under_calibration"], error["mce_under_calibration"]
        return cls(
            spec=DiagnosisSpec.from_document(document["spec"]),
            fingerprint=data["fingerprint"],
            version=document["version"],
            n=data["n"],
            m=data["m"],
            class_names=tuple(data["class_names"]),
            scores=document["scores"],
            score_errors=document["scores_standard_error"],
            lens_n=lens["n"],
            ties=lens["ties"],
            impossible_outcomes=lens["impossible_outcomes"],
            calibration_error={
                "ece": error["ece"],
                "mce": error["mce"],
            }
            | {f"ece_{name}": under[name] for name in LEVELS}
            | {f"mce_{name}": mce_under[name] for name in LEVELS},
            skce={name: document["skce"][name] for name in ("biased", "unbiased", "linear")},
            bandwidth=Bandwidth(**document["skce"]["bandwidth_found"]),
            tests=tuple(map(_test_of, document["tests"])),
            reliability=_reliability_of(document["reliability"], lens["class_names"]),
            notes=tuple(document["notes"]),
        )

    @classmethod
    def from_json(cls, text: str) -> "Diagnosis":
        """From JSON text as :meth:`to_json` writes it."""
        with complete("The diagnosis"):
            return cls.from_document(parsed(text, "The diagnosis"))


def parsed(text: str, what: str) -> Mapping[str, Any]:
    """A JSON object out of text; :class:`InputError` if it is none."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise InputError(f"{what} is not a JSON object.")
    return document


@contextmanager
def complete(what: str) -> Iterator[None]:
    """Turns the errors of a document that lacks something into a sentence."""
    try:
        yield
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{what} cannot be read: something is missing or of the wrong type.") from error


def check_schema(document: Mapping[str, Any], what: str) -> None:
    """Raises :class:`InputError` for a document of another schema."""
    if document.get("schema") != SCHEMA:
        found = document.get("schema")
        raise InputError(f"{what} has schema {found!r}; this version reads schema {SCHEMA}.")


def _test_document(test: NamedTest) -> dict[str, Any]:
    document: dict[str, Any] = {"name": test.name, "estimator": test.estimator}
    result = test.result
    if result is None:
        return document | {"statistic": None, "p_value": None, "promise": None, "note": test.note}
    null = result.null_distribution
    return document | {
        "statistic": result.statistic,
        "p_value": None if np.isnan(result.pvalue) else result.pvalue,
        "promise": result.promise,
        "method": result.method,
        "n_resamples": result.n_resamples,
        "null_distribution": None if null is None else null.tolist(),
        "note": test.note,
    }


def _test_of(document: Mapping[str, Any]) -> NamedTest:
    result = None
    if document["promise"] is not None:
        null = document["null_distribution"]
        result = TestResult(
            document["statistic"],
            float("nan") if document["p_value"] is None else document["p_value"],
            document["method"],
            document["promise"],
            None if null is None else np.array(null),
            document["n_resamples"],
        )
    return NamedTest(document["name"], document["estimator"], result, document["note"])


def _reliability_document(found: Reliability) -> dict[str, Any]:
    columns = {name: getattr(found, name).tolist() for name in COLUMNS}
    return columns | {
        "expected_outside": found.expected_outside,
        "interval": list(found.interval),
        "bars": found.bars,
    }


def _reliability_of(document: Mapping[str, Any], class_names: list[str]) -> Reliability:
    columns = {name: np.array(document[name]) for name in COLUMNS}
    return Reliability(
        class_names=tuple(class_names),
        expected_outside=document["expected_outside"],
        interval=tuple(document["interval"]),
        bars=document["bars"],
        **columns,
    )
