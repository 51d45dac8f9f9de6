"""All tests of a diagnosis together: what they say, grouped by what they promise."""

from calibcore.diagnose import Diagnosis, NamedTest
from calibcore.hypothesis_tests import Promise
from calibcore.hypothesis_tests.families import family_of, names_of
from calibcore.transforms.nulls import Identity
from calibcore.words.phrases import ALONE, PROMISES, VERDICT_TEST_NAMES, pvalue, pvalue_in_full, pvalue_remark
from calibcore.words.results import rows_of_tests


def grouped_tests(diagnosis: Diagnosis) -> list[tuple[Promise, list[NamedTest]]]:
    """(promise, its tests), the surest promise first; withheld tests among them."""
    groups: dict[Promise, list[NamedTest]] = {promise: [] for promise in PROMISES}
    for test in diagnosis.tests:
        groups[family_of(test.name).promise].append(test)
    return [(promise, tests) for promise, tests in groups.items() if tests]


def speaks_against(test: NamedTest, alpha: float) -> bool:
    """Whether its p-value, or bound of it, is ``alpha`` or less."""
    return test.result is not None and test.result.pvalue <= alpha


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
    run = [t for t in diagnosis.tests if t.result is not None and t.result.pvalue == t.result.pvalue]
    counted = [t for t in run if t.result is not None and t.result.promise != "none"]
    if not run:
        return "No test could be run."
    what = "calibration" if isinstance(diagnosis.spec.null, Identity) else "the hypothesis"
    parts = []
    if counted:
        against, n = sum(speaks_against(t, diagnosis.spec.alpha) for t in counted), len(counted)
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
        test = diagnosis.test(name)
        if test is not None and test.result is not None:
            return f"The exact {what} has {pvalue_in_full(test.result)}."
    return "None of them is exact."


def withheld_words(diagnosis: Diagnosis) -> list[str]:
    """The tests that were not run, a line for each reason: "Withheld: A, B. The labels …"."""
    reasons: dict[str, list[str]] = {}
    for test in diagnosis.tests:
        if test.result is None:
            reasons.setdefault(test.note.removeprefix("withheld: "), []).append(names_of(test.name).full)
    return [
        f"Withheld: {'; '.join(names)}. {reason[:1].upper()}{reason[1:].rstrip('.')}."
        for reason, names in reasons.items()
    ]


def table_of_tests(diagnosis: Diagnosis, exact: bool = False) -> list[dict[str, object]]:
    """One row a test as a person reads it; ``exact``: in full precision, for the CSV."""
    if not exact:
        return [dict(row) for row in rows_of_tests(diagnosis)]
    return [_exact_row(test) for test in diagnosis.tests]


def _exact_row(test: NamedTest) -> dict[str, object]:
    result = test.result
    promise = family_of(test.name).promise
    row: dict[str, object] = {"test": test.name, "estimator": test.estimator, "promise": promise}
    if result is None:
        return row | {"statistic": "", "p_value": "", "redraws": "", "method": "", "remark": test.note}
    defined = result.pvalue == result.pvalue
    return row | {
        "statistic": result.statistic if result.statistic == result.statistic else "",
        "p_value": result.pvalue if defined else "",
        "redraws": result.n_resamples or "",
        "method": result.method,
        "remark": pvalue_remark(result),
    }
