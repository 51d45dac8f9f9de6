"""What stands first of a verdict: which way the model is off, where, and how far, in one sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibcore.assessment.assess import SoFar
from calibcore.assessment.headline import Headline, headline
from calibcore.assessment.verdict import Verdict
from calibcore.diagnose import Diagnosis
from calibcore.diagram.natural_frequencies import FEWEST
from calibcore.diagram.reliability import Place, Reliability, places_by_evidence
from calibcore.wording import count, percent
from calibcore.words.sizes import leans
from calibcore.words.verdicts import answer_parts, as_a_whole, of_labels, sized_parts, sized_sentence


@dataclass(frozen=True)
class Leading:
    """What stands first.

    Attributes
    ----------
    sentence : "Too sure: where it says 95 %, it is right in 74 %."
    place : the bin and class that it is about; None: all cases on average
    way : "too sure"; empty where no way can be told
    """

    sentence: str
    place: Place | None
    way: str


def leading(diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict]) -> Leading | None:
    """Of the check whose figure carries the answer; None where no check found a problem, and of lenses of
    which no sentence so short is true: regions, pairs, several of the likeliest classes, and several labels.

    The bin is the one that chance explains least of those with 20 cases or more, going the way in which the
    check leans on balance, if it does. Where there is none it is told of all cases on average.
    """
    if of_labels(verdicts):
        return None
    carrying = headline(diagnoses, verdicts)
    lens = carrying.verdict.lens
    if not carrying.found or lens.region or lens.pairs or (lens.top and not lens.answers):
        return None
    return _of_a_bin(carrying) or _on_average(carrying)


def _of_a_bin(carrying: Headline) -> Leading | None:
    diagram, verdict = carrying.diagnosis.reliability, carrying.verdict
    lens, two = verdict.lens, len(diagram.class_names) == 2
    balance = {of_class.class_name: of_class.gap.value > 0 for of_class in leans(verdict.frequencies)}
    for place in places_by_evidence(diagram):
        b, c = place
        predicted, observed = float(diagram.mean_prediction[b, c]), float(diagram.observed[b, c])
        name = diagram.class_names[c]
        if diagram.counts[b] < FEWEST or (balance and balance.get(name) != (predicted > observed)):
            continue
        if balance:
            way = lens.leaning(predicted - observed)
        else:
            way = verdict.direction if two and _is_so(verdict.direction, predicted, observed) else ""
        shown = differing(predicted, observed)
        about = "" if balance or not way or lens.answers else f" for '{name}'"
        where = f"where it says {shown[0]}{about}, {lens.comes_true[0]} in {shown[1]}"
        return Leading(_sentence(verdict, "" if about else name, way, where), place, way)
    return None


def _on_average(carrying: Headline) -> Leading | None:
    verdict = carrying.verdict
    leaning = sorted(leans(verdict.frequencies), key=lambda of_class: -abs(of_class.gap.value))
    for of_class in leaning[:1]:
        way = verdict.lens.leaning(of_class.gap.value)
        predicted, observed = differing(of_class.said, of_class.happened)
        where = f"it says {predicted} on average, {verdict.lens.comes_true[0]} in {observed}"
        return Leading(_sentence(verdict, of_class.class_name, way, where), None, way)
    return None


def of_the_bin(diagram: Reliability, place: Place, noun: str = "case") -> str:
    """What stands beside a figure below such a sentence, which has said both shares: of how many cases, and
    what chance allows: "There it was so in 855 of 1,204 cases. If calibrated, 92.0 % to 97.1 %."."""
    b, c = place
    cases, hits = int(diagram.counts[b]), round(float(diagram.counts[b] * diagram.observed[b, c]))
    counted = f"There it was so in {hits:,} of {count(cases, noun)}."
    if len(diagram.class_names) > 2 or not diagram.has_bars:
        return counted
    low, high = (
        percent(float(diagram.mean_prediction[b, 0] + end[b])) for end in (diagram.low, diagram.high)
    )
    return f"{counted} If calibrated, {low} to {high}."


def _is_so(direction: str, predicted: float, observed: float) -> bool:
    """Whether a bin shows the ``direction``: what is too sure is farther from one half than what happened."""
    return direction == ("too sure" if abs(predicted - 0.5) > abs(observed - 0.5) else "too unsure")


def differing(predicted: float, observed: float) -> tuple[str, str]:
    """Both in percent, with as few digits as show that they differ."""
    shown = [(percent(predicted, digits), percent(observed, digits)) for digits in range(3)]
    return next((pair for pair in shown if pair[0] != pair[1]), shown[-1])


def _sentence(verdict: Verdict, name: str, way: str, where: str) -> str:
    """The way of a class, which answers have no need of; "off" where no way can be told."""
    whose = f"'{name}' " if name and not verdict.lens.answers else ""
    words = f"{whose}{'slightly ' * verdict.small}{way or 'off'}"
    return f"{words[:1].upper()}{words[1:]}: {where}."


def whole_parts(
    diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict], noun: str = "case"
) -> tuple[str, str]:
    """What all verdicts come to, in two parts: which way and where, then how large, how sure, how many.

    Where no such sentence stands first the size does.
    """
    stands_first = leading(diagnoses, verdicts)
    if stands_first is None:
        return sized_parts(verdicts, noun)
    return stands_first.sentence, sized_sentence(verdicts, stands_first.way, noun)


def early_parts(so_far: SoFar, noun: str = "case") -> tuple[str, str]:
    """The same as far as the tests decide it, without how many checks found what."""
    overall = as_a_whole(so_far.whole)
    stands_first = leading(so_far.diagnoses, so_far.verdicts)
    if stands_first is None:
        return answer_parts(overall, noun)
    return stands_first.sentence, sized_sentence([overall], stands_first.way, noun)
