"""Where most predictions crowd: why a diagram starts on an axis in log-odds, and how to come back."""

from calibcore.diagram.binning import Binning
from calibcore.diagram.spread import Spread, spread_binning
from calibcore.spec import DiagnosisSpec
from calibcore.wording import percent, plural

LOG_ODDS, EVEN = "log-odds", "even"
AXES = {LOG_ODDS: "Log-odds", EVEN: "Even"}
"""What the axis of a diagram can be, and what the control calls it."""


def crowded_sentence(spread: Spread, axis: str, binning: Binning, noun: str = "case") -> str:
    """What the diagram starts with and why; the way to the other ``axis``. ``binning`` is the diagram's."""
    crowd = _crowd(spread, noun)
    if axis == EVEN:
        return f"{crowd}; '{AXES[LOG_ODDS]}' spreads them out."
    start = f"{crowd}, so this diagram starts on a log-odds axis"
    if binning != spread_binning(spread):
        return f"{start}; '{AXES[EVEN]}' brings back the axis from 0 to 100\N{NO-BREAK SPACE}%."
    usual = DiagnosisSpec().binning.phrase(2, noun)
    kind = (
        "equally uncertain bins. Each expects as many of the less likely outcomes"
        if spread.rare
        else "bins split at the median"
    )
    return f"{start} with {kind}. '{AXES[EVEN]}' brings back the {usual} that checks use."


def crowded_elsewhere(spread: Spread, noun: str = "case") -> str:
    """Said below a figure of a check, which has the usual bins: where such predictions are spread out."""
    where = "On the page Reliability they are spread out on a log-odds axis, in other bins."
    return f"{_crowd(spread, noun)}. {where}"


def _crowd(spread: Spread, noun: str) -> str:
    """ "90 % of patients lie between 90 and 100 %"."""
    low, high = 10 * spread.tenth, 10 * spread.tenth + 10
    return f"{percent(spread.share, 0)} of {plural(noun)} lie between {low} and {high}\N{NO-BREAK SPACE}%"
