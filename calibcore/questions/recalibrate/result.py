"""What a what-if of recalibration holds, and its one JSON document."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, Self

from calibcore.assessment.temperature_set import TemperatureSet
from calibcore.assessment.verdict import Verdict
from calibcore.diagnose import SCHEMA, Documented, check_schema
from calibcore.diagram.gap_sizes import Interval
from calibcore.display import Displayed
from calibcore.questions.recalibrate.class_mix import ClassMixTest
from calibcore.questions.recalibrate.gain import Gain, GainTest
from calibcore.questions.recalibrate.maps import RecalibrationMap, map_from
from calibcore.spec import DiagnosisSpec

Answer = Literal["worthwhile", "not-worthwhile", "cannot-tell"]


@dataclass(frozen=True)
class Method:
    """One way to recalibrate, and what it would do.

    Attributes
    ----------
    map : fitted to all cases: what is offered for use; it carries no p
    brier, log_loss : cross-fitted gains; no log loss of a map that calls outcomes impossible
    test : the exact test of the gain; None of a method that is not redrawn
    adjusted : its p for the number of methods, by Holm's method
    typical_gap, accuracy : of the cross-fitted predictions; never tested
    answer : "not-worthwhile" if the upper end of the gain's interval is below 1 % of the loss, else
        "worthwhile" if the adjusted p is α or less and the gain above 0, else "cannot-tell"
    note : what to know: too few cases for this method, say
    """

    map: RecalibrationMap
    brier: Gain
    log_loss: Gain | None
    test: GainTest | None
    adjusted: float | None
    typical_gap: Interval
    accuracy: float
    answer: Answer
    note: str = ""

    @property
    def kind(self) -> str:
        """The kind of its map."""
        return self.map.kind

    @property
    def gain(self) -> Gain:
        """The gain that is tested: in log loss where there is one."""
        return self.brier if self.log_loss is None else self.log_loss


@dataclass(frozen=True, eq=False)
class Split:
    """Whether one map may be believed: fitted to one part of the cases, judged exactly on the other.

    verdict : on the other part, through the lens; exact for this very map
    by : the column that parts the cases, None for a random half
    """

    map: RecalibrationMap
    fitted_on: int
    judged_on: int
    verdict: Verdict
    by: str | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Recalibration(Documented, Displayed):
    """What recalibration would do to a model.

    Attributes
    ----------
    methods : by gain in the score that all have, Brier, the largest first
    refused : method -> why it was not tried
    typical_gap, accuracy : of the model as it is
    temperature : the exact test of over- and underconfidence, with the temperatures that would explain it
    class_mix : whether it is only the class mix; None where ``class_mix_note`` says why that is not tested
    split : of the best method; None where there are too few cases
    confidence : what the model said of its answers on average less how often they were right; None in
        documents of earlier versions

    >>> import numpy as np
    >>> from calibcore import Predictions, Recalibration, recalibrate
    >>> probs, labels = np.tile([[0.97, 0.03], [0.1, 0.9]], (60, 1)), np.tile([0, 1, 1, 1, 0, 1], 20)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> found = recalibrate(p, ["temperature"], folds=3)
    >>> Recalibration.from_json(found.to_json())
    Recalibration(120 cases, best 'temperature': worthwhile)
    """

    WHAT: ClassVar[str] = "The recalibration"

    spec: DiagnosisSpec
    fingerprint: str
    n: int
    class_names: tuple[str, ...]
    folds: int
    methods: tuple[Method, ...]
    refused: Mapping[str, str]
    typical_gap: Interval
    accuracy: float
    temperature: TemperatureSet
    class_mix: ClassMixTest | None
    class_mix_note: str
    split: Split | None
    confidence: Interval | None = None

    def __repr__(self) -> str:
        best = f", best {self.methods[0].kind!r}: {self.methods[0].answer}" if self.methods else ""
        return f"Recalibration({self.n:,} cases{best})"

    def method(self, kind: str) -> Method | None:
        """The method of that kind, if it was tried."""
        return next((method for method in self.methods if method.kind == kind), None)

    def to_document(self) -> dict[str, Any]:
        """The JSON document that ``recalibrate --json`` prints."""
        return {
            "schema": SCHEMA,
            "spec": self.spec.to_document(),
            "data": {"n": self.n, "class_names": list(self.class_names), "fingerprint": self.fingerprint},
            "folds": self.folds,
            "typical_gap": asdict(self.typical_gap),
            "accuracy": self.accuracy,
            "confidence": self.confidence and asdict(self.confidence),
            "methods": [_method_document(method) for method in self.methods],
            "refused": dict(self.refused),
            "temperature": self.temperature.to_document(),
            "class_mix": None if self.class_mix is None else _mix_document(self.class_mix),
            "class_mix_note": self.class_mix_note,
            "split": None if self.split is None else _split_document(self.split),
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The inverse of :meth:`to_document`; :class:`InputError` for another schema."""
        check_schema(document, cls.WHAT)
        mix = document["class_mix"]
        return cls(
            spec=DiagnosisSpec.from_document(document["spec"]),
            fingerprint=document["data"]["fingerprint"],
            n=document["data"]["n"],
            class_names=tuple(document["data"]["class_names"]),
            folds=document["folds"],
            methods=tuple(map(_method_of, document["methods"])),
            refused=document["refused"],
            typical_gap=Interval(**document["typical_gap"]),
            accuracy=document["accuracy"],
            temperature=TemperatureSet.from_document(document["temperature"]),
            class_mix=None
            if mix is None
            else ClassMixTest(
                mix["statistic"], mix["p_value"], tuple(mix["tilt"]), mix["n_resamples"], mix["sweeps"],
                mix["at_floor"],
            ),
            class_mix_note=document["class_mix_note"],
            split=None if document["split"] is None else _split_of(document["split"]),
            confidence=Interval(**gap) if (gap := document.get("confidence")) else None,
        )  # fmt: skip


def _method_document(method: Method) -> dict[str, Any]:
    document = method.map.to_document()
    return {
        "method": document.pop("kind"),
        "parameters": document,
        "gain": {
            "brier": asdict(method.brier),
            "log_loss": method.log_loss and asdict(method.log_loss),
        },
        "p_value": method.test and method.test.pvalue,
        "adjusted": method.adjusted,
        "test": method.test and asdict(method.test),
        "typical_gap": asdict(method.typical_gap),
        "accuracy": method.accuracy,
        "answer": method.answer,
        "note": method.note,
    }


def _method_of(entry: Mapping[str, Any]) -> Method:
    log_loss, test = entry["gain"]["log_loss"], entry["test"]
    return Method(
        map_from({"kind": entry["method"]} | dict(entry["parameters"])),
        Gain(**entry["gain"]["brier"]),
        log_loss and Gain(**log_loss),
        test and GainTest(**test),
        entry["adjusted"],
        Interval(**entry["typical_gap"]),
        entry["accuracy"],
        entry["answer"],
        entry["note"],
    )


def _mix_document(test: ClassMixTest) -> dict[str, Any]:
    document = asdict(test) | {"tilt": list(test.tilt)}
    return {"p_value": document.pop("pvalue")} | document


def _split_document(split: Split) -> dict[str, Any]:
    return {
        "map": split.map.to_document(),
        "fitted_on": split.fitted_on,
        "judged_on": split.judged_on,
        "by": split.by,
        "verdict": split.verdict.to_document(),
    }


def _split_of(entry: Mapping[str, Any]) -> Split:
    verdict = Verdict.from_document(entry["verdict"])
    return Split(map_from(entry["map"]), entry["fitted_on"], entry["judged_on"], verdict, entry["by"])
