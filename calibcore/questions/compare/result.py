"""What a comparison holds, and its one JSON document."""

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Annotated, ClassVar, Self

from calibcore.assessment.verdict import OPEN, Verdict
from calibcore.bounds import As, AtLeastOne, Count, Length, Names, Nonnegative, Share
from calibcore.data.outside_text import shown
from calibcore.diagnose import Diagnosis
from calibcore.diagnose.without_cases import diagnosis_without_cases
from calibcore.diagram.binning import Binning
from calibcore.display import WithFigure
from calibcore.errors import InputError
from calibcore.questions.compare.gap_differences import GapDifference
from calibcore.questions.compare.score_differences import AccuracyDifference, ScoreDifference
from calibcore.settings.codec import Partly
from calibcore.settings.layout import headed
from calibcore.settings.result import ReadableResult


@dataclass(frozen=True, eq=False)
class ComparedModel(Partly):
    """A model: its diagnosis through the lens, and the verdict, adjusted for the number of models."""

    NAMES: ClassVar = {"pvalue": "p_value"}
    KEYS: ClassVar = (
        "name", "typical_gap", "typical_gap_interval", "brier", "log_loss", "accuracy", "pvalue", "adjusted",
        "verdict", "diagnosis",
    )  # fmt: skip

    name: str
    diagnosis: Diagnosis
    verdict: Verdict

    @property
    def typical_gap(self) -> float:
        """The estimate alone."""
        return self.verdict.typical_gap.value

    @property
    def typical_gap_interval(self) -> tuple[float, float]:
        """Its interval."""
        return self.verdict.typical_gap.low, self.verdict.typical_gap.high

    @property
    def brier(self) -> float:
        """The Brier score."""
        return self.diagnosis.scores["brier"]

    @property
    def log_loss(self) -> float:
        """The log loss."""
        return self.diagnosis.scores["log_loss"]

    @property
    def accuracy(self) -> float:
        """The share of cases that are right."""
        return self.diagnosis.scores["accuracy"]

    @property
    def pvalue(self) -> Share:
        """That of the verdict."""
        return self.verdict.pvalue

    @property
    def adjusted(self) -> Share:
        """That of the verdict, for the number of models."""
        return self.verdict.adjusted


@dataclass(frozen=True)
class _Gap:
    """How the gaps of two models differ, as it stands in the document of a pair."""

    difference: float
    standard_error: Nonnegative
    interval: tuple[float, float]
    jackknife_variance: float
    pair_variance: float
    z: float
    p_value: Share

    @classmethod
    def of(cls, gap: GapDifference) -> Self:
        """As it stands there."""
        interval, variances = (gap.low, gap.high), (gap.jackknife_variance, gap.pair_variance)
        return cls(gap.difference, gap.standard_error, interval, *variances, gap.z, gap.pvalue)

    def gap(self) -> GapDifference:
        """The inverse of :meth:`of`."""
        variances = self.standard_error**2, self.jackknife_variance, self.pair_variance
        return GapDifference(self.difference, *variances, self.z, self.p_value, *self.interval)


@dataclass(frozen=True)
class Pair(Partly):
    """How two models differ on the same cases; ``a`` and ``b`` are their names, differences are A − B.

    Attributes
    ----------
    gap : of their squared binned errors; None where ``gap_withheld`` says why not
    adjusted : p of ``gap``, adjusted for the number of pairs by Holm's method
    brier, log_loss : paired differences of scores; None where ``scores_withheld``, or for the log loss
        ``log_withheld``, says why not
    brier_betting : (low, high) of the Brier difference at any n, where it was asked for
    accuracy, accuracy_adjusted : McNemar's exact test and its p, adjusted for the number of pairs
    same : whether both say the same in every case
    """

    NAMES: ClassVar = {
        "brier_betting": "brier_betting_interval",
        "gap_withheld": "withheld",
        "accuracy_adjusted": "accuracy.adjusted",
    }
    SPREAD: ClassVar = ("gap",)
    KEYS: ClassVar = (
        "a", "b", "same", "gap", "adjusted", "gap_withheld", "brier_difference", "brier", "brier_betting",
        "log_difference", "log_loss", "scores_withheld", "log_withheld", "accuracy_difference", "accuracy",
        "accuracy_adjusted",
    )  # fmt: skip

    a: str
    b: str
    gap: Annotated[GapDifference, As(_Gap, _Gap.gap, _Gap.of)] | None
    adjusted: Share | None
    brier: ScoreDifference | None
    log_loss: ScoreDifference | None
    accuracy: AccuracyDifference
    accuracy_adjusted: Share
    same: bool = False
    brier_betting: tuple[float, float] | None = None
    gap_withheld: str = ""
    scores_withheld: str = ""
    log_withheld: str = ""

    def rejects(self, alpha: float) -> bool:
        """Whether one is better calibrated, at the level ``alpha`` over all pairs."""
        return self.adjusted is not None and self.adjusted <= alpha

    @property
    def brier_difference(self) -> float | None:
        """Of the Brier scores alone."""
        return None if self.brier is None else self.brier.difference

    @property
    def log_difference(self) -> float | None:
        """Of the log losses alone."""
        return None if self.log_loss is None else self.log_loss.difference

    @property
    def accuracy_difference(self) -> float:
        """Of the shares of cases that are right."""
        return self.accuracy.difference


@dataclass(frozen=True)
class Nested(Partly):
    """Whether ``model`` holds whatever ``given`` says: the exact test of one direction of a pair.

    Attributes
    ----------
    statistic : Σ log given/model of what happened; None for one that is infinite: +∞ where ``refuted``
    pvalue, adjusted : exact; adjusted over both directions of all pairs by Holm's method
    mean, deviation : of the statistic under the hypothesis
    """

    NAMES: ClassVar = {
        "pvalue": "p_value",
        "mean": "mean_under_hypothesis",
        "deviation": "deviation_under_hypothesis",
    }

    model: str
    given: str
    statistic: float | None
    pvalue: Share
    adjusted: Share
    mean: float
    deviation: Nonnegative
    refuted: bool = False
    at_floor: bool = False
    """Whether the redraws allow no smaller p."""

    def rejects(self, alpha: float) -> bool:
        """Whether ``given`` adds to what ``model`` says: it knows more, or ``model`` is miscalibrated."""
        return self.adjusted <= alpha


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(ReadableResult, WithFigure):
    """Models on the same cases: the verdict on each, the difference of each pair, and what each leaves out.

    ``spec`` holds the lens, the binning and all other settings; ``joined_by`` the column that joined the
    cases, None where they stood in one order; ``notes`` what was put into another order; ``binning`` in which
    squared gaps of two classes are compared, None for bins of their own.

    >>> import numpy as np
    >>> from calibcore import Comparison, Predictions, compare
    >>> labels = np.tile([0, 1, 1, 1], 25)
    >>> probs = {"a": [[0.9, 0.1], [0.1, 0.9]], "b": [[0.5, 0.5], [0.2, 0.8]]}
    >>> models = [Predictions.from_arrays(np.tile(g, (50, 1)), labels) for g in probs.values()]
    >>> comparison = compare(dict(zip(probs, models)))
    >>> Comparison.from_json(comparison.to_json())
    Comparison(100 cases, by typical gap: 'b', 'a')
    """

    WHAT = "The comparison"
    HEAD = headed("comparison")
    DATA = ("n", "class_names")
    KEYS: ClassVar = ("joined_by", "resamples", "models", "pairs", "nested", "undecided", "notes", "binning")
    LATER = ("binning",)

    n: AtLeastOne
    class_names: Names
    models: Annotated[tuple[ComparedModel, ...], Length(2)]
    pairs: tuple[Pair, ...]
    nested: tuple[Nested, ...]
    resamples: Count
    joined_by: str | None = None
    notes: tuple[str, ...] = ()
    binning: Binning | None = None

    def check_agreement(self) -> None:
        """Raises :class:`InputError` for a document with an open verdict, or with pairs of other models."""
        names = [model.name for model in self.models]
        pairs = [frozenset((pair.a, pair.b)) for pair in self.pairs]
        nested = {frozenset((result.model, result.given)) for result in self.nested}
        expected = {frozenset(two) for two in combinations(names, 2)}
        if len(set(names)) < len(names):
            raise InputError("Two models of the comparison have the same name; expected different ones.")
        if len(pairs) != len(expected) or set(pairs) != expected or not nested <= expected:
            raise InputError(
                "The pairs of the comparison are not those of its models; expected one pair of each two."
            )
        for model in self.models:
            if model.verdict.answer == OPEN:
                raise InputError(f"The verdict on {shown(model.name)} is open; expected an answer for each.")

    def __repr__(self) -> str:
        names = ", ".join(repr(model.name) for model in self.by_gap)
        return f"Comparison({self.n:,} cases, by typical gap: {names})"

    @property
    def by_gap(self) -> tuple[ComparedModel, ...]:
        """The models by typical gap, the smallest first; of equal ones by its upper limit. Never by p."""

        def place(model: ComparedModel) -> tuple[float, float, str]:
            gap = model.verdict.typical_gap
            return gap.value, gap.high, model.name

        return tuple(sorted(self.models, key=place))

    def pair(self, first: str, other: str) -> Pair:
        """The pair of two models, whichever comes first."""
        return {frozenset((pair.a, pair.b)): pair for pair in self.pairs}[frozenset((first, other))]

    @property
    def undecided(self) -> tuple[tuple[str, ...], ...]:
        """Names in the order of :attr:`by_gap` that stand beside each other and of which no two differ.

        As long as they get, two or more each: models that these cases cannot tell apart.
        """
        names = [model.name for model in self.by_gap]
        runs: list[tuple[str, ...]] = []
        for start in range(len(names)):
            end = start + 1
            while end < len(names) and not any(
                self.pair(name, names[end]).rejects(self.spec.alpha) for name in names[start:end]
            ):
                end += 1
            run = tuple(names[start:end])
            if len(run) > 1 and not any(set(run) <= set(known) for known in runs):
                runs.append(run)
        return tuple(runs)

    def without_cases(self) -> Self:
        """Without what belongs to one case alone; tests, estimates and verdicts stay what they are."""
        bare = (replace(model, diagnosis=diagnosis_without_cases(model.diagnosis)) for model in self.models)
        return replace(self, models=tuple(bare))
