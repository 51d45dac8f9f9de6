"""An answer as a document of 5 kB at most: what a pipeline decides by, and may keep."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from calibcore import limits
from calibcore.answers.blocks import Answer, every_table
from calibcore.answers.tables import Table
from calibcore.assessment.assess import Assessment
from calibcore.assessment.headline import by_evidence
from calibcore.assessment.verdict import Answer as VerdictAnswer
from calibcore.assessment.verdict import Verdict
from calibcore.bounds import Count, Share
from calibcore.data.outside_text import spelled_out, visible
from calibcore.diagram.gap_sizes import Interval
from calibcore.pipelines.handed_on import HandedOn, hand_on
from calibcore.settings import lens_to_words
from calibcore.settings.documents import AsDocument
from calibcore.settings.layout import headed
from calibcore.words.verdicts import as_a_whole

T = TypeVar("T")
MOST_BYTES = 5_000
"""Of the document as text."""
MOST_SENTENCE = 600
"""Characters of the sentence: names of classes may be long."""


@dataclass(frozen=True)
class Gap:
    """A typical gap with its approximate 95 % interval, as probabilities."""

    estimate: float
    low: float
    high: float

    @classmethod
    def of(cls, interval: Interval) -> "Gap":
        """The same numbers."""
        return cls(interval.value, interval.low, interval.high)


@dataclass(frozen=True)
class CheckInBrief:
    """One check of a survey: its lens, its answer, its adjusted p and its typical gap."""

    lens: str
    answer: VerdictAnswer
    adjusted_p: Share
    typical_gap: Gap


@dataclass(frozen=True)
class CasesInBrief:
    """What the cases are: how many, how many classes, their fingerprint, and what is known of each.

    What does not apply is null: a comparison has a fingerprint a model.
    """

    n: Count | None
    classes: Count | None
    fingerprint: str | None
    kind: str | None


@dataclass(frozen=True)
class Summary(AsDocument):
    """An answer in 5 kB at most.

    Attributes
    ----------
    question : the command that asks it: "survey", "groups"
    verdict : of a survey: "miscalibrated", "consistent" or "cannot-tell"; else None
    small : whether what was found lies below the tolerance; of a survey alone
    sentence : the answer
    typical_gap, smallest_detectable : of the verdict on the whole; None where there is none
    checks : of a survey one a lens, in its order; those with the weakest evidence give way to the length
    rows : of another question, its first table in full precision, as far as there is room
    left_out : checks, or rows, for which there was no room
    version : of Caliblens
    """

    HEAD = headed("summary")

    question: str
    verdict: VerdictAnswer | None
    small: bool | None
    sentence: str
    typical_gap: Gap | None
    smallest_detectable: Share | None
    tolerance: float
    alpha: float
    checks: tuple[CheckInBrief, ...]
    rows: tuple[Mapping[str, str | float | bool | None], ...]
    left_out: Count
    data: CasesInBrief
    seed: Count
    version: str

    LONGEST: ClassVar = MOST_BYTES


def summary_of(result: Any) -> Summary:
    """What a survey or a question found, in brief; it may be handed on. Cost: that of its words.

    result : of :func:`.assess`, or of a question

    Raises
    ------
    InputError : of so few cases that nothing may be handed on.
    """
    answered = hand_on(result)
    if isinstance(result, Assessment):
        return _of_survey(result, answered)
    rows = next(filter(None, map(_rows, every_table(answered.answer.blocks))), ())
    brief = Summary(
        question=answered.name,
        verdict=None,
        small=None,
        sentence=_sentence(answered.answer),
        typical_gap=None,
        smallest_detectable=None,
        tolerance=result.spec.tolerance,
        alpha=result.spec.alpha,
        checks=(),
        rows=(),
        left_out=len(rows),
        data=_cases(answered.data),
        seed=result.spec.seed,
        version=limits.VERSION,
    )
    return _filled(rows, range(len(rows)), lambda rows, out: replace(brief, rows=rows, left_out=out))


def _cases(data: Mapping[str, Any]) -> CasesInBrief:
    """Out of what a document says of them; of a sketch in place of a pilot nothing is known."""
    names, n = data.get("class_names"), data.get("n", data.get("pilot"))
    return CasesInBrief(
        n if isinstance(n, int) else None,
        data.get("m") if names is None else len(names),
        data.get("fingerprint"),
        data.get("kind"),
    )


def _of_survey(assessment: Assessment, answered: HandedOn) -> Summary:
    verdicts, first = assessment.verdicts, assessment.survey.diagnoses[0]
    overall = as_a_whole(verdicts)
    brief = Summary(
        question=answered.name,
        verdict=overall.answer,
        small=overall.answer == "miscalibrated" and overall.small,
        sentence=_sentence(answered.answer),
        typical_gap=Gap.of(overall.typical_gap),
        smallest_detectable=overall.smallest_detectable,
        tolerance=overall.tolerance,
        alpha=overall.alpha,
        checks=(),
        rows=(),
        left_out=len(verdicts),
        data=_cases(answered.data),
        seed=first.spec.seed,
        version=first.version,
    )
    order = sorted(range(len(verdicts)), key=lambda place: _weight(verdicts[place]))
    checks = tuple(map(_check, verdicts))
    return _filled(checks, order, lambda checks, out: replace(brief, checks=checks, left_out=out))


def _weight(verdict: Verdict) -> tuple[bool, tuple[float, bool, float]]:
    """All classes together first, then by evidence."""
    return not verdict.lens.whole, by_evidence(verdict)


def _check(verdict: Verdict) -> CheckInBrief:
    gap = Gap.of(verdict.typical_gap)
    return CheckInBrief(lens_to_words(verdict.lens), verdict.answer, verdict.adjusted, gap)


def _sentence(answer: Answer) -> str:
    text = visible(answer.headline)
    return text if len(text) <= MOST_SENTENCE else f"{text[: MOST_SENTENCE - 1]}…"


def _rows(table: Table[Any]) -> tuple[dict[str, str | float | bool | None], ...]:
    """In full precision; what JSON has no number for is null."""
    return tuple({key: _plain(value) for key, value in row.items()} for row in table.rows(exact=True))


def _plain(value: Any) -> str | float | bool | None:
    if value is None or isinstance(value, str | bool):
        return value
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return value if abs(value) < float("inf") else None
    return str(value)


def _filled(
    items: Sequence[T], order: Sequence[int], made: Callable[[tuple[T, ...], int], Summary]
) -> Summary:
    """With as many of ``items`` as there is room for, those first in ``order``, in their own order."""

    def first(number: int) -> Summary:
        return made(tuple(items[place] for place in sorted(order[:number])), len(items) - number)

    fits, most = 0, len(items)
    while fits < most:  # halving: more items are never shorter
        middle = (fits + most + 1) // 2
        if len(spelled_out(first(middle).to_json()).encode()) <= MOST_BYTES:
            fits = middle
        else:
            most = middle - 1
    return first(fits)
