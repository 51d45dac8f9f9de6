"""What temperature would explain what happened, in a sentence: beside a verdict, never in its place."""

from collections.abc import Sequence

from calibcore.assessment.temperature_set import TemperatureSet
from calibcore.assessment.verdict import Verdict
from calibcore.diagram.gap_sizes import Interval
from calibcore.numerics.tempering import LEAST, MOST
from calibcore.transforms.lenses import TopKLens
from calibcore.words.glossary import glossary
from calibcore.words.phrases import MOST_DIGITS, p_words
from calibcore.words.sizes import apart


def beside_verdicts(
    temperatures: TemperatureSet | None, verdicts: Sequence[Verdict], by_order: bool = False
) -> str:
    """:func:`temperature_sentence` with what the survey found of the confidence; empty of none.

    by_order : which way the confidence leans may be the order of the columns, and is not told
    """
    if temperatures is None:
        return ""
    confidence = (v for v in verdicts if v.lens == TopKLens(1) and len(v.frequencies) == 1)
    alpha = verdicts[0].alpha if verdicts else 0.05
    gap = None if by_order else next((v.frequencies[0].gap for v in confidence), None)
    alone = bool(verdicts) and not any(v.answer == "miscalibrated" for v in verdicts)
    return temperature_sentence(temperatures, gap, alpha, alone)


def what_it_is() -> str:
    """What a temperature is, below the first sentence about one."""
    return f"Temperature: {glossary('temperature')}"


def leans_against(temperatures: TemperatureSet, confidence: Interval | None) -> bool:
    """Whether the temperature would make a confidence worse: on balance that is off the other way.

    ``confidence`` : what the model said of its answers on average less how often they were right, if known
    """
    if (
        confidence is None
        or not apart(confidence)
        or temperatures.empty
        or temperatures.low <= 1 <= temperatures.high
    ):
        return False
    return (temperatures.score < 0) != (confidence.value > 0)


def temperature_sentence(
    temperatures: TemperatureSet,
    confidence: Interval | None = None,
    alpha: float = 0.05,
    alone: bool = False,
) -> str:
    """What temperature would explain what happened, if the model is only too sure or too unsure; that none
    mends it where it :func:`leans_against` the ``confidence``.

    The p counts both sides together and the set each by itself: where only one of them is clear at the level
    ``alpha``, that is the border, and said. ``alone`` : no check found a problem, so there is none to mend.
    """
    p = p_words(temperatures.pvalue, temperatures.at_floor)
    if alone and temperatures.pvalue <= alpha:
        p = f"{p}, not adjusted for the checks"
    if temperatures.empty:
        return f"No temperature explains what happened (too sure or too unsure: {p})."
    if temperatures.low <= LEAST and temperatures.high >= MOST:
        return f"Every temperature from {LEAST:g} to {MOST:g} fits, so a temperature says nothing here."
    if not alone and leans_against(temperatures, confidence):
        way, often = ("too unsure", "too often") if temperatures.score < 0 else ("too sure", "too rarely")
        return (
            f"No one temperature mends it. On balance the model is {way} of its answers, yet what it calls "
            f"unlikely happens {often} ({p})."
        )
    low, high = set_words(temperatures)
    way = "overconfidence" if temperatures.score < 0 else "underconfidence"
    fits = temperatures.low <= 1 <= temperatures.high
    if fits == (temperatures.pvalue <= alpha):
        at_one = "just among them" if fits else "just not among them"
        return (
            f"Whether the model is too sure or too unsure overall is open: temperatures of {low} to {high} "
            f"fit, and 1, which changes nothing, is {at_one} ({p})."
        )
    if fits and confidence is not None and apart(confidence):
        way = "too sure" if confidence.value > 0 else "too unsure"
        return (
            f"On balance the model is {way} of its answers. A temperature does not show it: 1, which changes "
            f"nothing, fits, as do {low} to {high} ({p})."
        )
    if fits:
        return (
            "No sign that the model is too sure or too unsure overall "
            f"(a temperature of 1 fits, as do {low} to {high}; {p})."
        )
    if alone:
        return f"Taken alone, temperatures of {low} to {high} fit better than 1 ({p})."
    return (
        f"A temperature of {estimate_words(temperatures)} ({low} to {high}) would mend it, if {way} is all "
        f"that is wrong ({p})."
    )


def set_words(temperatures: TemperatureSet) -> tuple[str, str]:
    """The ends of the temperatures that fit what happened."""
    digits = _digits(temperatures)
    return (
        _words(temperatures.low, digits) if temperatures.low > LEAST else f"below {LEAST:g}",
        _words(temperatures.high, digits) if temperatures.high < MOST else f"above {MOST:g}",
    )


def _digits(temperatures: TemperatureSet) -> int:
    """So many that an end or an estimate of 1.04 is told apart from 1, which is no change."""
    return max(map(_telling, (temperatures.low, temperatures.high, temperatures.estimate)))


def _telling(temperature: float) -> int:
    """The fewest digits with which it does not look like 1; the fewest at all where none will do."""
    return next((d for d in range(2, MOST_DIGITS + 2) if float(_words(temperature, d)) != 1), 2)


def told_from_1(temperature: float) -> str:
    """One temperature by itself, with two decimals or as many as tell it from 1: "1.43", "1.004"."""
    return _words(temperature, max(3, _telling(temperature)))


def _words(temperature: float, digits: int) -> str:
    """1.9 or 1.92, 0.86 with both: as many decimals as a number beside 1 has."""
    if temperature >= 10:
        return f"{temperature:.2g}"
    return f"{temperature:.2g}" if digits == 2 else f"{temperature:.{digits - 1}f}"


def estimate_words(temperatures: TemperatureSet) -> str:
    """The temperature of least log loss; at a bound it may lie beyond."""
    beyond = (
        " or more" if temperatures.estimate >= MOST else " or less" if temperatures.estimate <= LEAST else ""
    )
    return f"{_words(temperatures.estimate, _digits(temperatures))}{beyond}"
