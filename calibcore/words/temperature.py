"""What temperature would explain what happened, in a sentence: beside a verdict, never in its place."""

from calibcore.assessment.temperature_set import TemperatureSet
from calibcore.numerics.tempering import LEAST, MOST
from calibcore.words.phrases import p_words


def temperature_sentence(found: TemperatureSet) -> str:
    """What temperature would explain what happened, if the model is only too sure or too unsure."""
    p = p_words(found.pvalue, found.at_floor)
    if found.empty:
        return f"No temperature explains what happened (too sure or too unsure: {p})."
    low = _end_words(found.low) if found.low > LEAST else f"below {LEAST:g}"
    high = _end_words(found.high) if found.high < MOST else f"above {MOST:g}"
    way = "overconfidence" if found.score < 0 else "underconfidence"
    if found.low <= 1 <= found.high:
        return (
            "No sign that the model is too sure or too unsure overall "
            f"(a temperature of 1 fits, as do {low} to {high}; {p})."
        )
    return (
        f"A temperature of {estimate_words(found)} ({low} to {high}) would mend it, if {way} is all that is "
        f"wrong ({p})."
    )


def _end_words(temperature: float) -> str:
    """With so many digits that 1.04 is told apart from 1, which is no change."""
    return f"{temperature:.2f}" if 0.1 <= temperature < 10 else f"{temperature:.2g}"


def estimate_words(found: TemperatureSet) -> str:
    """The temperature of least log loss; at a bound it may lie beyond."""
    beyond = " or more" if found.estimate >= MOST else " or less" if found.estimate <= LEAST else ""
    return f"{found.estimate:.2g}{beyond}"
