"""What is said about a report that is shared, and to whoever repeats it."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime

from calibcore.assessment.rerun import LensResult, Repeatable
from calibcore.assessment.verdict_tests import VERDICT_TEST
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.limits import VERSION
from calibcore.wording import count, joined, plural, sentences
from calibcore.words.phrases import VERDICT_TEST_NAMES, all_of, cases_words, p_words
from calibcore.words.reporting import date_words

SHORT = 12
"""Digits of a fingerprint that are shown; two files that share them by chance will not be met."""
MOST_TITLE, MOST_DATE = 80, 10
"""Characters that are shown of what a document calls so."""
_ANSWERS = {
    "miscalibrated": "miscalibrated",
    "consistent": "consistent with calibration",
    "cannot-tell": "cannot tell",
}


def who_opens(signs_in: bool, public: bool) -> str:
    """Who can open a link, in one sentence."""
    if signs_in and not public:
        return "Whoever has the link and signs in here can open it."
    return "Anybody who has the link can open it, without signing in."


def day(seconds: int) -> str:
    """A moment, in seconds since 1970, as a day: "21 December 2026"."""
    return date_words(datetime.fromtimestamp(seconds, UTC).date().isoformat())


def open_until(expires: int) -> str:
    """Until when a link opens."""
    return f"It opens until {day(expires)} (UTC), then the report is deleted."


def rows_words(n: int, noun: str, shared: bool) -> str:
    """Whether the rows of cases are shared, and what that means."""
    if not shared:
        return f"No rows: nobody can read off what was predicted for a single {noun}."
    return (
        f"The rows of {count(n, noun)} are in the report: all probabilities and what happened. "
        f"Whoever opens it can look up single {plural(noun)}."
    )


def lenses_shared(n_lenses: int) -> str:
    """What the report holds."""
    return (
        f"The verdict and its figures, {count(n_lenses, 'check')} with numbers and p-values, the methods "
        "with every setting, and the data's fingerprint."
    )


def opened_report(shared: Repeatable) -> str:
    """Which report's settings are in use: "Settings of the report 'Wine' of 21 November 2026"."""
    title = f" '{shared.title[:MOST_TITLE]}'" if shared.title else ""
    date = shared.date[:MOST_DATE]
    with suppress(InputError):
        date = date_words(shared.date)
    on_date = f" of {date}" if date else ""
    return f"Settings of the report{title}{on_date}"


def same_data(shared: Repeatable, fingerprint: str) -> str:
    """Whether the data in use are those of the report, in a sentence or two."""
    if fingerprint == shared.fingerprint:
        expected = "the same numbers are expected."
        if shared.test != VERDICT_TEST:
            expected = f"the same sizes are expected. {another_test(shared)}"
        elif shared.version != VERSION:
            made = f"The report was made with Caliblens {shared.version}, this is {VERSION}."
            expected = f"about {expected} {made}"
        return f"These data have the report's fingerprint, {fingerprint[:SHORT]}…: {expected}"
    sample = cases_words(shared.n, "case", shared.drawn_from)
    return sentences(
        f"These are other data: their fingerprint is {fingerprint[:SHORT]}…, "
        f"the report's is {shared.fingerprint[:SHORT]}…: other numbers are expected.",
        "" if shared.drawn_from is None else f"The report is of {sample}.",
    )


def another_test(shared: Repeatable) -> str:
    """That a report of an earlier version rests on another test than verdicts do now; else empty."""
    if shared.test == VERDICT_TEST:
        return ""
    then, now = VERDICT_TEST_NAMES[shared.test][0], VERDICT_TEST_NAMES[VERDICT_TEST][0]
    return (
        f"The earlier report rests on another test, the {then}. Now verdicts rest on the {now}, so p-values "
        "and verdicts may differ."
    )


def repeated(n_lenses: int, different: Sequence[tuple[LensResult | None, LensResult | None]]) -> str:
    """Whether a survey of the same data found what the report says."""
    if not different:
        through = all_of(n_lenses, "check")
        return f"Repeated: the verdicts and p-values are those of the report, in {through}."
    many = "1 check is" if len(different) == 1 else f"{len(different):,} checks are"
    return f"Not the same as in the report: {many} different. {_difference(*different[0])}"


def _difference(then: LensResult | None, now: LensResult | None) -> str:
    lens = (then or now).lens  # type: ignore[union-attr]
    return f"'{lens}': the report says {_result(then)}; here {_result(now)}."


def _result(earlier: LensResult | None) -> str:
    if earlier is None:
        return "nothing"
    p = p_words(earlier.adjusted, earlier.at_floor)
    return f"{_ANSWERS.get(earlier.answer, earlier.answer)}, adjusted {p}"


def no_report(p: Predictions, noun: str) -> str:
    """Said where cases are weighted or recalibrated: what a report holds is the verdict; they have none."""
    kind = "Recalibrated" if p.cross_fitted else "Weighted"
    return (
        f"{kind} {plural(noun)} have no tests and no verdict, so there is no report of them to share. "
        "Their figures can be saved one by one on the other pages."
    )


def with_comparison(names: Sequence[str]) -> str:
    """Words of the box that puts a comparison into a report."""
    return f"Include the comparison with {joined(names)}"


def with_groups(columns: Sequence[str]) -> str:
    """Words of the box that puts groups into a report."""
    return f"Include the groups of {joined(list(map(repr, columns)))}"


def comparison_comes(names: Sequence[str]) -> str:
    """Where other models could be compared, and were not yet: the way there, to have it in the report."""
    return f"Compare it with {count(len(names), 'other model')} first, to include that"


ALL_LABELS = "All labels"
"""What a report is about, where each case has several."""


def one_of_labels(label: str, labels: int) -> str:
    """Said where several labels were read, and one of them is handed on."""
    return (
        f"A report is about one label, here '{label}' of {labels:,}. Its p-values are adjusted for its own "
        "checks, not over all labels."
    )
