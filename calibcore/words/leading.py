"""What stands first of a verdict: which way the model is off, where, and how far, in one sentence."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibcore.assessment.assess import SoFar
from calibcore.assessment.headline import Headline, headline
from calibcore.assessment.verdict import Verdict
from calibcore.diagnose import Diagnosis
from calibcore.diagram.frequency_intervals import clopper_pearson
from calibcore.diagram.natural_frequencies import FEWEST
from calibcore.diagram.reliability import Place, Reliability, places_by_evidence
from calibcore.transforms.lenses import Lens, UpToLens, order_decides
from calibcore.wording import count, percent, sentences
from calibcore.words.omnibus import is_so
from calibcore.words.phrases import MOST_DIGITS
from calibcore.words.sizes import apart, leans, of_many, whose_words
from calibcore.words.texts import paragraph
from calibcore.words.verdicts import (
    answer_parts,
    as_a_whole,
    of_labels,
    rare_sentence,
    sized_parts,
    sized_sentence,
)

LEVEL = 0.05
"""How often an interval in such a sentence may miss what it is of, at most."""
SPACE = "\N{NO-BREAK SPACE}"
RANGE = paragraph("remarks", "range of the clearest")
"""What the range in such a sentence is."""


@dataclass(frozen=True)
class Leading:
    """What stands first.

    Attributes
    ----------
    sentence : "Too sure, clearest where it says 95 %: it is right in 66 to 81 %."
    place : the bin and class that it is about; None: all cases on average
    way : "too sure"; empty where no way can be told, "off" where the order of the columns may decide it
    """

    sentence: str
    place: Place | None
    way: str


def leading(diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict]) -> Leading | None:
    """Of the check whose figure carries the answer; None where no check found a problem, and of lenses of
    which no sentence so short is true: regions, pairs, several of the likeliest classes, and several labels
    together. One label of several is told as two classes are.

    The bin is the one that chance explains least of those with 20 cases or more, going the way in which the
    check leans on balance, if it does. It is chosen after looking, and what was observed there overstates the
    error. So that share is not said, but its 95 % interval, which holds for all that could have been chosen
    at once (Bonferroni): every such bin and class of every check. A bin whose interval holds what was
    predicted is not told. Where there is none it is told of all cases on average, with such an interval.
    """
    if of_labels(verdicts) and len(verdicts) > 1:
        return None
    carrying = headline(diagnoses, verdicts)
    if not carrying.found or not _may_lead(carrying.verdict.lens):
        return None
    of_all = [v for v in verdicts if v.lens.whole]
    if any(map(rare_sentence, (carrying.verdict, *of_all))):  # then no error is called slight
        carrying = replace(carrying, verdict=replace(carrying.verdict, small=False))
    if carrying.by_order:
        return Leading(_by_order(carrying.verdict), None, "off")
    return _of_a_bin(carrying, diagnoses) or _on_average(carrying, diagnoses)


def _by_order(verdict: Verdict) -> str:
    """That answers are off, where the order of the columns may decide which way."""
    off = f"{whose_words(verdict.lens)} {'slightly ' * verdict.small}off"
    return f"{off}. Which way may be the order of the columns, as likeliest classes are tied."


def _may_lead(lens: Lens) -> bool:
    return not (lens.region or lens.pairs or (lens.top and not lens.answers))


def _of_a_bin(carrying: Headline, diagnoses: Sequence[Diagnosis]) -> Leading | None:
    diagram, verdict = carrying.diagnosis.reliability, carrying.verdict
    lens, two = verdict.lens, len(diagram.class_names) == 2
    balance = {of_class.class_name: of_class.gap.value > 0 for of_class in leans(verdict.frequencies)}
    number = sum(number_of(d.reliability) for d in diagnoses if _may_lead(d.spec.lens))
    for place in places_by_evidence(diagram):
        b, c = place
        predicted, observed = float(diagram.mean_prediction[b, c]), float(diagram.observed[b, c])
        name = diagram.class_names[c]
        if lens.answers and order_decides(_ties_in(carrying.diagnosis, b), int(diagram.counts[b])):
            continue
        if diagram.counts[b] < FEWEST or (balance and balance.get(name) != (predicted > observed)):
            continue
        low, high = interval_of(diagram, place, number)
        if low <= predicted <= high:
            continue
        if balance:
            way = lens.leaning(predicted - observed)
        else:
            way = verdict.direction if two and is_so(verdict.direction, predicted, observed) else ""
        shown, between = told_apart(predicted, low, high)
        about = "" if balance or not way or lens.answers else f" for '{name}'"
        happens = f"{lens.comes_true[0]} in {between}"
        if of_ranks := _of_ranks(verdict, diagnoses, name, way):
            where = f"clearest for '{name}' where it says {shown}"
            return Leading(f"{of_ranks}, {where}: {happens}.", place, way)
        what = _what(verdict, "" if about else name, way)
        return Leading(f"{what}, clearest where it says {shown}{about}: {happens}.", place, way)
    return None


def _ties_in(diagnosis: Diagnosis, b: int) -> int:
    """How many cases of a bin may be tied at most: no two classes have more than one half each."""
    diagram = diagnosis.reliability
    return min(diagnosis.ties, int(diagram.counts[b])) if diagram.lowest[b] <= 0.5 else 0


def number_of(diagram: Reliability) -> int:
    """How many bins and classes of a diagram could stand first."""
    classes = len(diagram.class_names)
    return int((diagram.counts >= FEWEST).sum()) * (1 if classes == 2 else classes)


def interval_of(diagram: Reliability, place: Place, number: int) -> tuple[float, float]:
    """Exact, for the true frequency there, and for ``number`` of them at once (Bonferroni)."""
    b, c = place
    hits = np.rint(diagram.counts[[b]] * diagram.observed[[b], c]).astype(np.int64)
    level = LEVEL / (2 * number)
    low, high = clopper_pearson(hits, diagram.counts[[b]], (level, 1 - level))
    return float(low[0]), float(high[0])


def _on_average(carrying: Headline, diagnoses: Sequence[Diagnosis]) -> Leading | None:
    verdict = carrying.verdict
    leaning = sorted(leans(verdict.frequencies), key=lambda of_class: -abs(of_class.gap.value))
    number = sum(len(diagnosis.frequencies) for diagnosis in diagnoses)
    for of_class in leaning[:1]:
        gap = of_many(of_class, number)
        if not apart(gap):
            return None
        way = verdict.lens.leaning(of_class.gap.value)
        shown, between = told_apart(of_class.said, of_class.said - gap.high, of_class.said - gap.low)
        where = f"it says {shown} on average, {verdict.lens.comes_true[0]} in {between}"
        if of_ranks := _of_ranks(verdict, diagnoses, of_class.class_name, way):
            return Leading(f"{of_ranks}: for '{of_class.class_name}' {where}.", None, way)
        return Leading(f"{_what(verdict, of_class.class_name, way)}: {where}.", None, way)
    return None


def of_the_bin(diagram: Reliability, place: Place, noun: str = "case", right: bool = False) -> str:
    """What stands beside a figure below such a sentence: in how many cases, what chance allows, and what the
    range in it is: "There it was so in 855 of 1,204 cases. If calibrated, 92.0 % to 97.1 %. …"; of answers
    it was ``right``."""
    b, c = place
    cases, hits = int(diagram.counts[b]), round(float(diagram.counts[b] * diagram.observed[b, c]))
    counted = f"There it was {'right' if right else 'so'} in {hits:,} of {count(cases, noun)}."
    chance = ""
    if len(diagram.class_names) == 2 and diagram.has_bars:
        ends = (percent(float(diagram.mean_prediction[b, 0] + end[b])) for end in (diagram.low, diagram.high))
        chance = f"If calibrated, {' to '.join(ends)}."
    return sentences(counted, chance, RANGE)


def told_apart(predicted: float, low: float, high: float) -> tuple[str, str]:
    """ "95 %" and "66 to 81 %", with as few digits as show that what was predicted lies outside; ends are
    rounded outwards."""
    for digits in range(MOST_DIGITS):
        step, rounded = 10**digits, round(100 * predicted, digits)
        least = math.floor(round(100 * low * step, 6)) / step
        most = math.ceil(round(100 * high * step, 6)) / step
        if most < min(rounded, 100 * predicted) or least > max(rounded, 100 * predicted):
            break
    return percent(predicted, digits), f"{least:.{digits}f} to {most:.{digits}f}{SPACE}%"


def _what(verdict: Verdict, name: str, way: str) -> str:
    """The way of a class, which answers have no need of; "off" where no way can be told."""
    whose = f"'{name}' " if name and not verdict.lens.answers else ""
    words = f"{whose}{'slightly ' * verdict.small}{way or 'off'}"
    return f"{words[:1].upper()}{words[1:]}"


def _of_ranks(verdict: Verdict, diagnoses: Sequence[Diagnosis], name: str, way: str) -> str:
    """ "Classes too high", where the test of ranks found so and how ``name`` is off goes along: "up to" a
    class is too low then, and who reads of it alone takes it for the opposite. Else empty."""
    if not isinstance(verdict.lens, UpToLens):
        return ""
    directions = {d.ranks.direction(d.spec.alpha) for d in diagnoses if d.ranks is not None}
    up_to, _ = verdict.lens.names
    along = (
        {"too low": "high", "too high": "low"} if name == up_to else {"too low": "low", "too high": "high"}
    )
    return f"Classes {'slightly ' * verdict.small}too {along[way]}" if along.get(way) in directions else ""


def whole_parts(
    diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict], noun: str = "case"
) -> tuple[str, str]:
    """What all verdicts come to, in two parts: which way and where, then how large, how sure, how many.

    Where no such sentence stands first the size does.
    """
    stands_first = leading(diagnoses, verdicts)
    if stands_first is None:
        all_rows = (d.units.pvalue for d in diagnoses if d.units is not None and d.units.pvalue is not None)
        return sized_parts(verdicts, noun, any(p <= diagnoses[0].spec.alpha for p in all_rows))
    return stands_first.sentence, sized_sentence(verdicts, stands_first.way, noun)


def early_parts(so_far: SoFar, noun: str = "case") -> tuple[str, str]:
    """The same as far as the tests decide it, without how many checks found what."""
    overall = as_a_whole(so_far.whole)
    stands_first = leading(so_far.diagnoses, so_far.verdicts)
    if stands_first is None:
        return answer_parts(overall, noun)
    return stands_first.sentence, sized_sentence([overall], stands_first.way, noun)
