"""Tests in words: how many redraws were as extreme, what a p-value promises, what all tests say."""

from typing import NamedTuple

import numpy as np

from calibcore.assessment.verdict_tests import EARLIER_TEST, VERDICT_TEST
from calibcore.diagnose import Diagnosis, NamedTest
from calibcore.hypothesis_tests import Promise, TestResult
from calibcore.hypothesis_tests.families import family_of, names_of
from calibcore.hypothesis_tests.histogram import as_large_from, histogram
from calibcore.numerics.distances import DISTANCES
from calibcore.transforms.nulls import Identity
from calibcore.wording import count, sentences
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.phrases import (
    ALONE,
    PROMISES,
    VERDICT_TEST_NAMES,
    as_extreme,
    error,
    error_level,
    kernel_error,
    number,
    number_p,
    pvalue,
    pvalue_in_full,
    pvalue_remark,
    redrawn_p,
    result_of,
    units_words,
)
from calibcore.words.tables import Rows
from calibcore.words.texts import paragraph

STATISTICS = {"ece": "an average gap (ECE)", "ucme": "a kernel error at the test locations"}
"""Estimator -> what is as large or not; a kernel error where nothing is said."""


ROWS_AS_THEY_COME = paragraph("remarks", "rows as they come")
DISAGREE = paragraph("remarks", "rows disagree")
FAR_BELOW, FAR_ABOVE = 10, 4
"""How many times below the level p is by one row of each, and above it by all rows, where they disagree."""


class Redraws(NamedTuple):
    """What redraws are: many of them, one of them, and what they show beside their bars."""

    sets: str
    single: str
    chance: str


_KEPT = "A redraw keeps the predictions and draws outcomes from {null}"
_RESAMPLED = "resampled sets of predictions, with outcomes drawn from them,"
REDRAWS: dict[Promise, Redraws] = {
    "exact": Redraws("sets of outcomes drawn from {null}", _KEPT, "if calibrated"),
    "bound": Redraws(_RESAMPLED, _KEPT, "if calibrated"),
    "asymptotic": Redraws(
        "bootstrap samples of a calibrated model",
        "A redraw is a bootstrap sample of the cases, centred as for a calibrated model",
        "if calibrated, roughly",
    ),
    "none": Redraws(
        _RESAMPLED,
        "A redraw takes some cases twice and leaves others out, and so compares with other data",
        "if calibrated, on other cases",
    ),
}
"""Promise of a test -> what its redraws are."""


def statistic_words(estimator: str, value: float, distance: str) -> str:
    """The statistic of a test as a person reads it; "–" where it is not defined."""
    if value != value:
        return "–"
    if estimator == "ece":
        return error(value, distance)
    if estimator == "omnibus":
        return "impossible" if value == float("inf") else f"{value:.2f}"
    if estimator in ("ucme", "spiegelhalter-z"):  # χ² and z
        return number(value, 2)
    return kernel_error(value)


def verdict_test_sentence(diagnosis: Diagnosis) -> str:
    """The surest test in a sentence: the omnibus, else the exact kernel test, of a stream that of the blocks;
    empty when none was run."""
    names = (VERDICT_TEST, EARLIER_TEST, "exact-block")
    return next((sentence for name in names if (sentence := sentence_of_test(diagnosis, name))), "")


def units_sentence(diagnosis: Diagnosis) -> str:
    """What one row a unit says, and what all rows say; empty where every row is an independent case.

    Stands beside every p of them: "412 rows of 87 units (patient). In the check of all classes together, not
    adjusted for other checks: by one row of each …".
    """
    units = diagnosis.units
    if units is None:
        return ""
    spec = diagnosis.spec
    rows = f"{units_words(units.rows, units.units, spec.unit)}."
    result = result_of(diagnosis, VERDICT_TEST)
    parts = [] if result is None else [f"by one row of each (exact) {pvalue(result)}"]
    if units.pvalue is not None:
        parts.append(f"by all rows (approximate) {redrawn_p(units.pvalue, units.n_resamples)}")
    which = f"In the check of {name_of(diagnosis)}, not adjusted for other checks"
    words = f" {which}: {'; '.join(parts)}." if parts else ""
    why = f"All rows are not tested: {units.withheld}." if units.withheld else ""
    drawn = f"The one row of each is drawn by seed {spec.seed}."
    return sentences(f"{rows}{words}", why, drawn, "" if rows_doubt(diagnosis) else ROWS_AS_THEY_COME)


def rows_doubt(diagnosis: Diagnosis) -> str:
    """That one row a unit and all rows disagree, and why; empty where they do not."""
    units, result = diagnosis.units, result_of(diagnosis, VERDICT_TEST)
    if units is None or result is None:
        return ""
    return DISAGREE if rows_disagree(result.pvalue, units.pvalue, diagnosis.spec.alpha) else ""


def rows_disagree(one_row: float, all_rows: float | None, alpha: float) -> bool:
    """Whether the p of one row a unit is far below the level and that of all rows far above it.

    Of calibrated models whose units have as many rows whatever happens, that are at most α/10.
    """
    return all_rows is not None and one_row <= alpha / FAR_BELOW and all_rows > alpha * FAR_ABOVE


def sentence_of_test(diagnosis: Diagnosis, name: str) -> str:
    """A test in natural frequencies, or what its formula says; empty when it was not run."""
    test = diagnosis.test(name)
    if test is None or test.result is None:
        return ""
    result = test.result
    what = STATISTICS.get(test.estimator, "a kernel error")
    if result.null_distribution is None:
        return _by_formula(result, test.estimator, what)
    as_large = as_extreme(result)
    times = f"{as_large:,}" if as_large else "None"
    sets = REDRAWS[result.promise].sets.format(null=diagnosis.spec.null.phrase())
    large = "stood out at least as much" if test.estimator == "omnibus" else f"had {what} at least as large"
    return f"{times} of {result.n_resamples:,} {sets} {large}."


def heading_of_test(diagnosis: Diagnosis, name: str) -> str:
    """:func:`sentence_of_test` behind its answer: "By this test alone chance may explain it. 68 of 199 …"."""
    sentence, test = sentence_of_test(diagnosis, name), diagnosis.test(name)
    if not sentence or test is None or test.result is None:
        return sentence
    p, promise = test.result.pvalue, test.result.promise
    if p != p or (promise == "bound" and p >= 1):  # which says for itself that it cannot tell
        return sentence
    poor = p <= diagnosis.spec.alpha
    if promise == "bound" and not poor:
        return f"By this bound one cannot tell. {sentence}"
    chance = "chance is a poor explanation" if poor else "chance may explain it"
    which = "By this test, which promises nothing," if promise == "none" else "By this test alone"
    return f"{which} {chance}. {sentence}"


def _by_formula(result: TestResult, estimator: str, what: str) -> str:
    p = result.pvalue
    if p != p:
        return f"The p-value is {pvalue_remark(result)}."
    if result.promise == "bound":
        if p >= 1:
            return "This bound says nothing here: it allows every value."
        return (
            f"A calibrated model shows {what} at least as large with a probability of {number_p(p, True)} "
            "at most, whatever the number of cases."
        )
    size = "a z at least as far from 0" if estimator == "spiegelhalter-z" else f"{what} at least as large"
    return f"With many cases, a calibrated model shows {size} with a probability of about {number_p(p)}."


def share_words(result: TestResult) -> str:
    """How the p-value of redraws comes about: "p = 0.034, the hatched share …: 34 of 1,000"."""
    if result.null_distribution is None:
        return ""
    as_large, draws = as_extreme(result), result.n_resamples
    if result.stopped_early:  # then the observed value is not counted with the redraws
        return f"{pvalue(result)}, the hatched share: {as_large:,} of {draws:,}, where the test stopped."
    counted = f"the observed one counted: {as_large + 1:,} of {draws + 1:,}."
    if not as_large:
        return f"{pvalue(result)}: no redraw lies beyond the line, {counted}"
    return f"{pvalue(result)}, the hatched share with {counted}"


def chance_words(result: TestResult) -> str:
    """What the redraws of a test are, beside their bars."""
    if "null" in result.details and result.promise in ("exact", "bound"):
        return "if the hypothesis holds"
    return REDRAWS[result.promise].chance


def redraws_words(diagnosis: Diagnosis, test: NamedTest) -> str:
    """What the figure of a test with redraws shows: p as a share, what was redrawn, and the promise."""
    result = test.result
    if result is None or result.null_distribution is None:
        return ""
    promise = f"{PROMISES[result.promise]}, {ALONE}"
    redrawn = redrawn_words(diagnosis, result)
    return f"{names_of(test.name).full}: {share_words(result)} {redrawn}: {promise}."


def redrawn_words(diagnosis: Diagnosis, result: TestResult) -> str:
    """What a redraw is, as a sentence without its end."""
    source = diagnosis.spec.null.phrase().replace("the model's own predictions", "them")
    return REDRAWS[result.promise].single.format(null=source)


def rows_of_redraws(test: NamedTest, distance: str, exact: bool = False) -> Rows:
    """One row a bar of the figure; ``exact``: the observed value and every redraw, in the order drawn."""
    result = test.result
    if result is None or result.null_distribution is None:
        return []
    if exact:
        large = result.null_distribution >= as_large_from(result)
        first = {"redraw": "observed", "statistic": result.statistic, "at least as large": ""}
        return [first] + [
            {"redraw": draw, "statistic": value, "at least as large": "yes" if as_large else "no"}
            for draw, (value, as_large) in enumerate(
                zip(result.null_distribution.tolist(), large.tolist(), strict=True), start=1
            )
        ]
    histogram_bars = histogram(result)
    in_points = test.estimator == "ece" and DISTANCES[distance].in_points
    unit = " (points)" if in_points else ""
    decimals = 1 if float(np.diff(histogram_bars.edges).min()) >= 0.001 else 2
    plain = test.estimator == "omnibus"
    edges = [
        f"{100 * e:.{decimals}f}" if in_points else f"{e:.2f}" if plain else kernel_error(e)
        for e in histogram_bars.edges.tolist()
    ]
    return [
        {
            f"From{unit}": low,
            f"To{unit}": high,
            "Redraws": cases,
            "At least as large": "yes" if beyond else "",
        }
        for low, high, cases, beyond in zip(
            edges[:-1], edges[1:], histogram_bars.counts.tolist(), histogram_bars.beyond.tolist(), strict=True
        )
    ]


# --- all tests together ---------------------------------------------------------------


def grouped_tests(diagnosis: Diagnosis) -> list[tuple[Promise, list[NamedTest]]]:
    """(promise, its tests), the surest promise first; withheld tests among them."""
    groups: dict[Promise, list[NamedTest]] = {promise: [] for promise in PROMISES}
    for test in diagnosis.tests:
        groups[family_of(test.name).promise].append(test)
    return [(promise, tests) for promise, tests in groups.items() if tests]


def row_words(test: NamedTest) -> str:
    """Its p-value beside its row: "p = 0.001, the smallest possible", "not defined", "withheld"."""
    if test.result is None:
        return "withheld"
    if test.result.pvalue != test.result.pvalue:
        return "not defined"
    return pvalue(test.result)


def smallest_possible(test: NamedTest) -> bool:
    """Whether no redraw was as extreme, so that more redraws might have given a smaller p."""
    return test.result is not None and test.result.at_floor


def together_sentence(diagnosis: Diagnosis) -> str:
    """How many tests of this lens have a small p, and what the exact one says; no verdict, which is the
    survey's."""
    results = [test.result for test in diagnosis.tests if test.result is not None]
    run = [result for result in results if result.pvalue == result.pvalue]
    counted = [result for result in run if result.promise != "none"]
    if not run:
        return "No test could be run."
    what = "calibration" if isinstance(diagnosis.spec.null, Identity) else "the hypothesis"
    parts = []
    if counted:
        against, n = sum(r.pvalue <= diagnosis.spec.alpha for r in counted), len(counted)
        level = f"a p of {diagnosis.spec.alpha:g} or less, {ALONE}"
        if n == 1:
            parts.append(f"The one test of {what} {'has' if against else 'does not have'} {level}.")
        else:
            subject = f"All {n} tests" if against == n else f"{against or 'None'} of {n} tests"
            parts.append(f"{subject} of {what} {'have' if against > 1 else 'has'} {level}.")
    parts.append(_exact_words(diagnosis))
    if len(counted) < len(run):
        parts.append(
            "The one without guarantee is not counted." if counted else "The only test has no guarantee."
        )
    return " ".join(parts)


def _exact_words(diagnosis: Diagnosis) -> str:
    tests = {name: short for name, (_full, short) in VERDICT_TEST_NAMES.items()}
    for name, what in (tests | {"exact-ece": "test of the average gap"}).items():
        if (result := result_of(diagnosis, name)) is not None:
            return f"The exact {what} has {pvalue_in_full(result)}."
    return "None of them is exact."


def withheld_words(diagnosis: Diagnosis) -> list[str]:
    """The tests that were not run, a line for each reason: "Withheld: A, B. The labels …"."""
    reasons: dict[str, list[str]] = {}
    for test in diagnosis.tests:
        if test.result is None:
            reasons.setdefault(test.note.removeprefix("withheld: "), []).append(names_of(test.name).full)
    return [
        f"Withheld: {'; '.join(names)}. {sentence_case(reason).rstrip('.')}."
        for reason, names in reasons.items()
    ]


# --- two side by side -----------------------------------------------------------------


def gap_beside_chance(gap: TestResult, distance: str) -> str:
    """An ECE, where it would lie by chance alone, and its exact p."""
    assert gap.null_distribution is not None
    low, high = (float(q) for q in np.quantile(gap.null_distribution, (0.05, 0.95), method="inverted_cdf"))
    return (
        f"Average gap (ECE) {error(gap.statistic, distance)}. A calibrated model shows from "
        f"{error_level(low, high, distance)} here, 9 times in 10. "
        f"The exact test of this ECE gives {pvalue_in_full(gap)}. It is {PROMISES[gap.promise]}, {ALONE}."
    )


def what_compares(same_model: bool, n: int, noun: str = "case") -> str:
    """What may be compared between the two figures, and what not (V19 §4.3)."""
    if same_model:
        return (
            "Two views of one model, on the same scales. Compare where and how far they deviate, and the "
            "typical gaps by their intervals. Do not compare the two average gaps (ECE): each view has its "
            "own level by chance, so compare each with the range beside it. "
            "A calibrated model is calibrated in both."
        )
    both = f"the same {count(n, noun)}" if n > 1 else f"the same {noun}"
    return (
        f"Two models on {both}, on the same scales. Compare where and how far they deviate, and the "
        "typical gaps by their intervals. Do not compare the two average gaps (ECE): each model has its own "
        "level by chance, so compare each with the range beside it. A smaller p does not mean a larger error."
    )
