"""What a what-if of recalibration holds, and its one JSON document."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self

from calibcore.assessment.temperature_set import TemperatureSet
from calibcore.assessment.verdict import Verdict
from calibcore.bounds import AtLeastOne, Count, Names, OneOf, Share
from calibcore.diagram.gap_sizes import Interval, check_size
from calibcore.diagram.typical_gap import TypicalGap
from calibcore.display import Displayed
from calibcore.questions.recalibrate.class_mix import ClassMixTest
from calibcore.questions.recalibrate.gain import Gain, GainTest
from calibcore.questions.recalibrate.maps import MAPS, Parameters, RecalibrationMap
from calibcore.settings.codec import Partly
from calibcore.settings.faults import as_object, inside
from calibcore.settings.layout import headed
from calibcore.settings.result import ReadableResult

Answer = Literal["worthwhile", "not-worthwhile", "cannot-tell"]


@dataclass(frozen=True)
class Method(Partly):
    """One way to recalibrate, and what it would do.

    Attributes
    ----------
    map : fitted to all cases: what is offered for use; it carries no p
    brier, log_loss : cross-fitted gains; no log loss of a map that calls outcomes impossible. Both intervals
        are as many times as wide as that of the gain that is tested needs, see :func:`.widened`, and cut to
        what can be
    test : the exact test of the gain; None of a method that is not redrawn
    adjusted : its p for the number of methods, by Holm's method
    typical_gap, accuracy : of the cross-fitted predictions; never tested
    answer : "not-worthwhile" if the upper end of the gain's interval is below 1 % of the loss, else
        "worthwhile" if the adjusted p is α or less and the gain above 0, else "cannot-tell", as always where
        :attr:`.Recalibration.one_sided`
    note : what to know: too few cases for this method, say
    """

    NAMES: ClassVar = {
        "kind": "method", "brier": "gain.brier", "log_loss": "gain.log_loss", "pvalue": "p_value",
    }  # fmt: skip
    KEYS: ClassVar = (
        "kind", "parameters", "brier", "log_loss", "pvalue", "adjusted", "test", "typical_gap", "accuracy",
        "answer", "note",
    )  # fmt: skip
    READ: ClassVar = ("map",)

    map: RecalibrationMap
    brier: Gain
    log_loss: Gain | None
    test: GainTest | None
    adjusted: Share | None
    typical_gap: TypicalGap
    accuracy: Share
    answer: Answer
    note: str = ""

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where fields of a document contradict each other."""
        check_size(self.typical_gap)

    @property
    def kind(self) -> str:
        """The kind of its map."""
        return self.map.kind

    @property
    def gain(self) -> Gain:
        """The gain that is tested: in log loss where there is one."""
        return self.brier if self.log_loss is None else self.log_loss

    @property
    def share(self) -> float:
        """That gain by the loss before it; below 0 it was better before."""
        return self.gain.value / self.gain.before if self.gain.before > 0 else 0.0

    @property
    def parameters(self) -> Parameters:
        """The numbers of its map."""
        return Parameters(self.map)

    @property
    def pvalue(self) -> Share | None:
        """Of :attr:`test`."""
        return None if self.test is None else self.test.pvalue

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """A method of a document, its map by what ``method`` and ``parameters`` say."""
        with inside("parameters"):
            parameters = as_object(document.get("parameters"))
            fitted = RecalibrationMap.from_document({**parameters, "kind": document.get("method")})
        return super().from_document({**document, "map": fitted})


@dataclass(frozen=True, eq=False)
class Split(Partly):
    """Whether one map is itself off: fitted to one part of the cases, judged exactly on the other.

    by : the column that parts the cases, None for a random half
    verdict : on the other part, through the lens; exact for this very map if no label of that part chose it
    chosen : the kind that the part that fits chose alone, by its Brier gain there; None
        where that part has too few cases, and in documents of earlier versions
    """

    LATER: ClassVar = ("chosen",)
    OPTIONAL: ClassVar = LATER

    map: RecalibrationMap
    fitted_on: Count
    judged_on: Count
    by: str | None
    verdict: Verdict
    chosen: Annotated[str, OneOf(*MAPS)] | None = None

    @property
    def held_out(self) -> bool:
        """Whether no label that judges this map had a say in which it is."""
        return self.chosen == self.map.kind


@dataclass(frozen=True, eq=False, repr=False)
class Recalibration(ReadableResult, Displayed):
    """What recalibration would do to a model.

    Attributes
    ----------
    methods : worthwhile ones first, then by the Brier gain less about a standard error
    refused : method -> why it was not tried
    typical_gap, accuracy : of the model as it is
    temperature : the exact test of over- and underconfidence, with the temperatures that would explain it
    class_mix : whether it is only the class mix; None where ``class_mix_note`` says why that is not tested
    split : of the method that the cases that fit it choose; None where there are too few
    confidence : what the model said of its answers on average less how often they were right; None where
        ties may decide which way, and in documents of earlier versions
    unseen : the classes that never happened; None where all did, and in documents of earlier versions

    >>> import numpy as np
    >>> from calibcore import Predictions, Recalibration, recalibrate
    >>> probs, labels = np.tile([[0.97, 0.03], [0.1, 0.9]], (60, 1)), np.tile([0, 1, 1, 1, 0, 1], 20)
    >>> p = Predictions.from_arrays(probs, labels, ["ill", "well"])
    >>> recalibration = recalibrate(p, ["temperature"], folds=3)
    >>> Recalibration.from_json(recalibration.to_json())
    Recalibration(120 cases, best 'temperature': worthwhile)
    """

    WHAT = "The recalibration"
    HEAD = headed("recalibration")
    LATER = ("confidence", "unseen")
    OPTIONAL = ("unseen",)

    n: AtLeastOne
    class_names: Names
    fingerprint: str
    folds: Count
    typical_gap: TypicalGap
    accuracy: Share
    confidence: Interval | None
    methods: tuple[Method, ...]
    refused: Mapping[str, str]
    temperature: TemperatureSet
    class_mix: ClassMixTest | None
    class_mix_note: str
    split: Split | None
    unseen: tuple[str, ...] | None = None

    def check_agreement(self) -> None:
        """Raises :class:`InputError` where fields of a document contradict each other."""
        check_size(self.typical_gap)
        m = len(self.class_names)
        for i, method in enumerate(self.methods):
            with inside("methods", i):
                method.map.check_classes(m)
        if self.split is not None:
            with inside("split"):
                self.split.map.check_classes(m)

    def __repr__(self) -> str:
        best = f", best {self.methods[0].kind!r}: {self.methods[0].answer}" if self.methods else ""
        return f"Recalibration({self.n:,} cases{best})"

    @property
    def one_sided(self) -> bool:
        """Whether one class alone happened, or all answers were right, or all wrong: no case can refute a map
        that calls one outcome certain."""
        alone = len(self.class_names) - len(self.unseen or ()) == 1
        return alone or self.accuracy in (0, 1)

    def method(self, kind: str) -> Method | None:
        """The method of that kind, if it was tried."""
        return next((method for method in self.methods if method.kind == kind), None)
