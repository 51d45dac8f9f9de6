"""What monitoring comes to: since when it is off, when the alarm was, and how far off the last cases are."""

import math
from functools import partial

from calibcore.diagram.gap_sizes import share_of
from calibcore.questions.monitor import Monitoring
from calibcore.questions.monitor.result import ALARM, GRAVE
from calibcore.questions.monitor.windows import LEVELS
from calibcore.transforms.lenses import TopKLens
from calibcore.wording import count, percent, plural, quote, sentences
from calibcore.words.dates import time_words
from calibcore.words.looking import of_words
from calibcore.words.phrases import p_words, power_of_ten
from calibcore.words.texts import paragraph

_text = partial(paragraph, "answer-monitor")

METHOD = _text("method")
ORDER = _text("order")
NEEDED = _text("needed")
NEVER = "The evidence against calibration never reached 20, which would be an alarm."
NO_PROOF = _text("no proof")
ONE_ROW = _text("one row")
UNSEEN = _text("unseen")
UNNUMBERED = _text("unnumbered")
"""The headline where no single case is told."""


def headline(monitoring: Monitoring, noun: str = "case") -> str:
    """Since when it is not calibrated any more, and when the alarm was raised: "Not calibrated any more since
    about 2 July 2025 (alarm on 3 August)."."""
    if monitoring.stopped is not None:
        what = (
            "that alone refutes the model"
            if monitoring.stopped_decimals is None
            else "the evidence cannot go on, and rounding may be why"
        )
        if monitoring.spec.lens.within.answers:
            return (
                f"The answer to {noun} {monitoring.stopped:,} was given {percent(1, 0)} and was wrong (or "
                f"given {percent(0, 0)} and right): {what}."
            )
        return (
            f"The outcome of {noun} {monitoring.stopped:,} was given probability 0, and it happened: {what}."
        )
    if monitoring.alarm is None:
        return f"No alarm in {count(monitoring.n, noun)}."
    since, alarmed = monitoring.since, monitoring.crossed_times.get(ALARM, "")
    if since is None:
        return f"Not calibrated: alarm {_on(monitoring, monitoring.alarm, alarmed, noun)}."
    if since.is_the_beginning:
        alarm = _on(monitoring, monitoring.alarm, alarmed, noun)
        return f"Not calibrated, perhaps from the beginning (alarm {alarm})."
    when = when_words(monitoring, since.case, since.time, noun)
    alarm = _on(monitoring, monitoring.alarm, alarmed, noun, since.time)
    if since.case > monitoring.alarm:
        return f"Not calibrated, most clearly since about {when} (alarm already {alarm})."
    return f"Not calibrated any more since about {when} (alarm {alarm})."


def against(monitoring: Monitoring, _fingerprint: str = "") -> str:
    """What was found against the model, in a few words; empty for nothing."""
    refuted = monitoring.stopped is not None and monitoring.stopped_decimals is None
    return "an alarm" if monitoring.alarm is not None or refuted else ""


def when_words(monitoring: Monitoring, case: int, time: str | None, noun: str, beside: str = "") -> str:
    """When a case happened: "2 July 2025", of a column of numbers "week 34", of rows "patient 1,204".

    beside : a time that has been said, see :func:`.time_words`
    """
    if not time:
        return f"{noun} {case:,}"
    return f"{monitoring.time} {time}" if monitoring.kind == "number" else time_words(time, beside)


def _on(monitoring: Monitoring, case: int, time: str | None, noun: str, beside: str = "") -> str:
    """ "on 3 August", "at 13:05", "at week 34"."""
    words = when_words(monitoring, case, time, noun, beside or "")
    on = bool(time) and monitoring.kind == "date" and " " in words.removesuffix(" UTC")
    return f"{'on' if on else 'at'} {words}"


def lately_sentence(monitoring: Monitoring, noun: str = "case") -> str:
    """What was said and what happened in the last window, with its exact interval, where there is an alarm;
    empty where that lies inside its 90 % range."""
    last = next(reversed(monitoring.windows.listed), None)
    if monitoring.alarm is None or last is None or not last.outside:
        return ""
    lens = (
        monitoring.spec.lens.within if monitoring.about else TopKLens(1)
    )  # of many classes the likeliest is watched
    average = lens.average_sentence(percent(last.said), monitoring.about)
    own = last.last - last.first + 1
    cases = f"In the last {count(own, noun)}"
    if last.last < monitoring.n:
        cases = f"In {plural(noun)} {last.first:,} to {last.last:,} of {monitoring.n:,}"
    share = share_of(round(last.happened * own), own)
    between = f"95\N{NO-BREAK SPACE}% interval {percent(share.low)} to {percent(share.high)}"
    return f"{cases} {average} {percent(last.happened)} of the time ({between})."


def more(monitoring: Monitoring, noun: str = "case") -> list[str]:
    """What the headline rests on: how far off it is lately, then the evidence."""
    if monitoring.stopped is not None:
        rounded = ""
        if monitoring.stopped_decimals is not None:
            rounded = (
                f" The probabilities have {count(monitoring.stopped_decimals, 'decimal')}, so that a 0 may "
                "stand for a small chance: give more decimals."
            )
        return [f"Nothing after it was looked at.{rounded}"]
    most = evidence_words(monitoring.evidence.largest)
    p = p_words(monitoring.pvalue)
    last = evidence_words(monitoring.evidence.log)
    now = f"The most was {most} ({p}, valid whenever one looks); after the last {noun} it is {last}."
    if monitoring.alarm is None:
        return [NO_PROOF, f"{NEVER} {now}"]
    lines = lately_sentence(monitoring, noun), since_sentence(monitoring), alarm_sentence(monitoring, noun)
    return [*filter(None, (lines[0], sentences(*lines[1:]))), now]


def alarm_sentence(monitoring: Monitoring, noun: str) -> str:
    """When the evidence reached 20 and 100, and how rarely it does so by chance; empty where it did not."""
    if monitoring.alarm is None:
        return ""
    alarmed, grave = monitoring.crossed_times.get(ALARM, ""), ""
    if (case := monitoring.crossed.get(GRAVE)) is not None:
        time = monitoring.crossed_times.get(GRAVE, "")
        grave = f", and 100 {_at_case(monitoring, case, time, noun, alarmed)}"
    return (
        f"The evidence reached 20, which is an alarm, {_at_case(monitoring, monitoring.alarm, alarmed, noun)}"
        f"{grave}. A calibrated model reaches 20 in at most 1 of 20 histories, however often one looks."
    )


def _at_case(monitoring: Monitoring, case: int, time: str, noun: str, beside: str = "") -> str:
    """ "at patient 1,204 (3 August 2025)"."""
    when = f" ({when_words(monitoring, case, time, noun, beside)})" if time else ""
    return f"at {noun} {case:,}{when}"


def since_sentence(monitoring: Monitoring) -> str:
    """What the time is worth since when it is said to be so; empty where there is no alarm."""
    since = monitoring.since
    if since is None:
        return ""
    if monitoring.at_one_time:
        return _one_time_sentence(monitoring)
    if since.is_the_beginning:
        return "Nothing shows that it began later."
    return "Since when is an estimate, no promise."


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
    """In how many windows the gap lies outside its 90 % range, and how many do by chance; where none does
    beside an alarm, why."""
    windows = monitoring.windows.listed
    if not windows:
        return f"There are fewer {plural(noun)} than a window of {monitoring.windows.size:,} takes."
    outside = sum(window.outside for window in windows)
    inside = LEVELS[1] - LEVELS[0]
    outcome = (
        f"In {outside:,} of {count(len(windows), 'window')} of {monitoring.windows.size:,} {plural(noun)} "
        f"the observed frequency of {of_words(monitoring)} lies outside its {percent(inside, 0)} range if "
        f"calibrated. By chance up to {percent(1 - inside, 0)} of windows do, on average over many histories."
    )
    unseen = monitoring.alarm is not None and monitoring.stopped is None and not outside
    return sentences(outcome, UNSEEN if unseen else "")


def order_sentence(monitoring: Monitoring) -> str:
    """What orders the cases."""
    if monitoring.time is None:
        return "The cases are taken in the order of their rows."
    if monitoring.at_one_time:
        return _one_time_sentence(monitoring)
    return f"The cases are taken in the order of the column {quote(monitoring.time)}."


def _one_time_sentence(monitoring: Monitoring) -> str:
    """That the column of times orders nothing."""
    return _text("one time", time=quote(monitoring.time or ""))


def unit_sentence(monitoring: Monitoring) -> str:
    """How many rows these cases are of; empty where every row is one."""
    if monitoring.spec.unit is None:
        return ""
    return (
        f"{count(monitoring.rows, 'row')} of {count(len(monitoring.units), 'unit')} "
        f"({monitoring.spec.unit}). {ONE_ROW}"
    )
