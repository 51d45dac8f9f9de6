"""What monitoring comes to: whether there is an alarm, since when, and how far off the last cases are."""

import math
from functools import partial

from calibcore.diagram.gap_sizes import share_of
from calibcore.questions.monitor import Monitoring
from calibcore.questions.monitor.result import ALARM, GRAVE, Since
from calibcore.questions.monitor.windows import LEVELS
from calibcore.transforms.lenses import TopKLens
from calibcore.wording import count, percent, plural
from calibcore.words.looking import of_words
from calibcore.words.phrases import p_words, power_of_ten
from calibcore.words.texts import paragraph

_text = partial(paragraph, "answer-monitor")

METHOD = _text("method")
ORDER = _text("order")
NEEDED = _text("needed")
NO_PROOF = _text("no proof")
ONE_ROW = _text("one row")
UNNUMBERED = _text("unnumbered")
"""The headline where no single case is told."""


def headline(monitoring: Monitoring, noun: str = "case") -> str:
    """Whether there is an alarm, since when, and how far off the last cases are."""
    if monitoring.stopped is not None:
        what = (
            "that alone refutes the model"
            if monitoring.stopped_decimals is None
            else "the evidence cannot go on, and rounding may be why"
        )
        return (
            f"The outcome of {noun} {monitoring.stopped:,} was given probability 0, and it happened: {what}."
        )
    if monitoring.alarm is None:
        return f"No alarm in {count(monitoring.n, noun)}: the evidence against calibration never reached 20."
    since = monitoring.since
    if since is None:
        when = f"Alarm at {noun} {monitoring.alarm:,}{_in_brackets(monitoring.crossed_times.get(ALARM))}"
    elif _from_the_beginning(since):
        when = "Not calibrated, it seems from the beginning"
    else:
        when = f"Not calibrated any more since about {since.time or f'{noun} {since.case:,}'}"
    lately = _lately(monitoring, noun)
    return f"{when}: {lately}." if lately else f"{when}."


def _lately(monitoring: Monitoring, noun: str) -> str:
    """What was said and what happened in the last window, with its exact interval; empty where chance may
    explain the difference."""
    last = monitoring.windows.kept[-1] if monitoring.windows.kept else None
    if last is None or not last.outside:
        return ""
    lens = (
        monitoring.spec.lens.within if monitoring.about else TopKLens(1)
    )  # of many classes the likeliest is watched
    average = lens.average_sentence(percent(last.said), monitoring.about)
    cases = f"the last window of {monitoring.windows.size:,} {plural(noun)}"
    own = last.last - last.first + 1
    share = share_of(round(last.happened * own), own)
    between = f"95\N{NO-BREAK SPACE}% interval {percent(share.low)} to {percent(share.high)}"
    return f"in {cases} {average} {percent(last.happened)} of the time ({between})"


def _from_the_beginning(since: Since) -> bool:
    return since.case <= max(1, since.within)


def _in_brackets(time: str | None) -> str:
    return f" ({time})" if time else ""


def more(monitoring: Monitoring, noun: str = "case") -> list[str]:
    """What has to be known beside the headline."""
    if monitoring.stopped is not None:
        rounded = ""
        if monitoring.stopped_decimals is not None:
            least = f"{0.5 * 10.0**-monitoring.stopped_decimals:.{monitoring.stopped_decimals + 1}f}"
            rounded = (
                f" The probabilities have {count(monitoring.stopped_decimals, 'decimal')}, so that a 0 may "
                f"stand for up to {least}: give more decimals."
            )
        return [f"Nothing after it was looked at.{rounded}"]
    most = evidence_words(monitoring.evidence.largest)
    p = p_words(monitoring.pvalue)
    last = evidence_words(monitoring.evidence.log)
    now = f"The most was {most} ({p}, valid whenever one looks); after the last {noun} it is {last}."
    ending = "" if monitoring.alarm else NO_PROOF
    return list(
        filter(None, (since_sentence(monitoring, noun), alarm_sentence(monitoring, noun), now, ending))
    )


def alarm_sentence(monitoring: Monitoring, noun: str) -> str:
    """When the evidence reached 20 and 100, and how rarely it does so by chance; empty where it did not."""
    if monitoring.alarm is None:
        return ""
    grave = ""
    if (case := monitoring.crossed.get(GRAVE)) is not None:
        grave = f", and 100 at {noun} {case:,}{_in_brackets(monitoring.crossed_times.get(GRAVE))}"
    return (
        f"The evidence reached 20, which is an alarm, at {noun} {monitoring.alarm:,}"
        f"{_in_brackets(monitoring.crossed_times.get(ALARM))}{grave}. A calibrated model reaches 20 in at "
        "most 1 of 20 histories, however often one looks."
    )


def since_sentence(monitoring: Monitoring, noun: str) -> str:
    """About when it began; empty where there is no alarm."""
    since = monitoring.since
    if since is None:
        return ""
    if _from_the_beginning(since):
        return "That it was so from the beginning is an estimate."
    when = f"{noun} {since.case:,}{_in_brackets(since.time)}"
    return f"It seems to have begun about {when}: an estimate, no promise."


def evidence_words(log: float) -> str:
    """Evidence as a number: "0.61", "34", "3.2 × 10⁸"."""
    if math.isinf(log):
        return "infinite"
    if log < math.log(0.01):
        return "below 0.01"
    if log < math.log(99_999.5):
        value = math.exp(log)
        return f"{value:.2f}" if value < 10 else f"{value:,.0f}"
    exponent = math.floor(log / math.log(10))
    return f"{math.exp(log - exponent * math.log(10)):.1f} × {power_of_ten(exponent)}"


def windows_sentence(monitoring: Monitoring, noun: str = "case") -> str:
    """In how many windows the gap lies outside what chance allows."""
    windows = monitoring.windows.kept
    if not windows:
        return f"There are fewer {plural(noun)} than a window of {monitoring.windows.size:,} takes."
    outside = sum(window.outside for window in windows)
    share = percent(1 - (LEVELS[1] - LEVELS[0]), 0)
    return (
        f"In {outside:,} of {count(len(windows), 'window')} of {monitoring.windows.size:,} {plural(noun)} "
        f"the probability of {of_words(monitoring)} is further from what happened than chance allows. By "
        f"chance up to {share} would be."
    )


def order_sentence(monitoring: Monitoring) -> str:
    """What orders the cases."""
    if monitoring.time is None:
        return "The cases are taken in the order of their rows."
    return f"The cases are taken in the order of the column {monitoring.time!r}."


def unit_sentence(monitoring: Monitoring) -> str:
    """How many rows these cases are of; empty where every row is one."""
    if monitoring.spec.unit is None:
        return ""
    return (
        f"{count(monitoring.rows, 'row')} of {count(len(monitoring.units), 'unit')} "
        f"({monitoring.spec.unit}). {ONE_ROW}"
    )
