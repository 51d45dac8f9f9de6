"""The answer of one look: what was claimed and what happened, the tests, and all other numbers as tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calibcore.answers.blocks import (
    Answer,
    Block,
    Cases,
    Doubts,
    Fold,
    Headline,
    Methods,
    Sentences,
)
from calibcore.answers.diagram import diagram_chart
from calibcore.answers.tables import Column, Table
from calibcore.diagnose import Diagnosis, Estimate, NamedTest
from calibcore.hypothesis_tests import Component, TestResult
from calibcore.hypothesis_tests.families import family_of, names_of
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.measures import (
    AS_GIVEN,
    COEFFICIENT_NAMES,
    DECOMPOSITION_NAMES,
    DIFFERS,
    ECE,
    ESTIMATE_NAMES,
    MCE,
    NET,
    OF_LENS,
    SCORES,
    SKCE,
    UNADJUSTED,
    estimate_number,
    level_words,
    score_words,
    without_unit,
)
from calibcore.words.omnibus import LOOKS_AT, has_two, mostly_words
from calibcore.words.phrases import (
    PROMISES,
    cases_words,
    error,
    expected,
    kernel_error,
    number,
    pvalue,
    pvalue_remark,
    redrawn_p,
    result_of,
)
from calibcore.words.results import bins_heading, bins_outside, claim_and_outcome, doubts, methods, null_range
from calibcore.words.sizes import net_gap, size_sentence
from calibcore.words.testing import statistic_words, units_sentence, verdict_test_sentence

IF_CALIBRATED = "If calibrated, 9 times in 10"
"""Head of the range that chance gives."""
LOW_AND_HIGH = ("if calibrated, low", "if calibrated, high")
"""Its ends in full precision."""
NO_TESTS = "No tests were asked for."


def says(diagnosis: Diagnosis, noun: str = "case") -> Answer:
    """The answer of one look, whatever else was looked at."""
    spec, diagram, gap = diagnosis.spec, diagnosis.reliability, diagnosis.typical_gap
    claim = claim_and_outcome(diagram, spec.lens, noun)
    size = "" if gap is None else size_sentence(spec.lens, gap, diagnosis.frequencies)
    outside = bins_outside(diagram)
    name = name_of(diagnosis)
    return Answer(
        (sentence_case(cases_words(diagnosis.n, noun, diagnosis.drawn_from)), f"{diagnosis.m:,} classes"),
        f"{name}, {bins_heading(diagram, spec.binning, noun)}",
        (
            Headline(size or claim),
            Sentences((claim if size else "", verdict_test_sentence(diagnosis))),
            Cases(units_sentence(diagnosis)),
            Doubts(doubts(diagnosis, noun)),
            diagram_chart(
                diagram, f"Reliability: {name}", outside, "" if outside == claim else outside, noun
            ),
            p_values_table(diagnosis),
            *_folds(
                measures_table(diagnosis),
                scores_table(diagnosis),
                estimates_table(diagnosis),
                recalibration_table(diagnosis),
                parts_table(diagnosis),
            ),
            Methods("Methods and data", tuple(methods(diagnosis))),
        ),
    )


def _folds(*tables: Table[Any]) -> list[Block]:
    """Tables that not everyone reads, those that have rows."""
    return [Fold(table.title, (table,)) for table in tables if table.items]


# --- the other measures ---------------------------------------------------------------


@dataclass(frozen=True)
class Measure:
    """A measure of how far off a model is.

    Attributes
    ----------
    words : as a person reads its value; empty where only the file has it
    by_chance : where it lies for a calibrated model
    key, value, low, high : the same in full precision; without a ``key`` only people read it
    """

    name: str
    words: str
    by_chance: str = ""
    differs: str = ""
    key: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None


def measures_table(diagnosis: Diagnosis) -> Table[Measure]:
    """A row a measure beside the typical gap, and how it differs from that."""
    columns: tuple[Column[Measure], ...] = (
        Column("Measure", "", lambda measure: measure.name),
        Column("", "measure", lambda measure: measure.key),
        Column("Value", "", lambda measure: measure.words),
        Column("", "value", lambda measure: measure.value),
        Column(IF_CALIBRATED, "", lambda measure: measure.by_chance),
        Column(
            "", ("if calibrated, low", "if calibrated, high"), lambda measure: (measure.low, measure.high)
        ),
        Column("How it differs", "", lambda measure: measure.differs, below=True),
    )
    distances, kernel = _distances(diagnosis), _kernel_errors(diagnosis)
    read = (*distances, *(kernel[kind] for kind in ("unbiased", "biased", "linear") if kind in kernel))
    written = (*distances, *kernel.values())
    diagram = diagnosis.reliability
    if diagram.has_bars:
        read += (
            Measure(
                "Bins outside",
                f"{diagram.outside.sum():,} of {diagram.n_bins:,}",
                f"{expected(diagram.expected_outside)} on average",
                "How many bins lie outside their bars, not how far.",
            ),
        )
    return Table("measures", "More measures", columns, read, in_full=written)


def _distances(diagnosis: Diagnosis) -> list[Measure]:
    """The net gap of two classes, the average gap and the largest."""
    errors, spec, classes = diagnosis.calibration_error, diagnosis.spec, diagnosis.frequencies
    measures = []
    if len(classes) == 1:
        words = net_gap(spec.lens, classes)
        measures.append(Measure(NET, words, "", DIFFERS[NET], "net gap", classes[0].gap.value))
    for name, key in ((ECE, "ece"), (MCE, "mce")):
        words, ends = error(errors[key], spec.distance), (errors.get(f"{key}_low"), errors.get(f"{key}_high"))
        by_chance = level_words(diagnosis, key)
        measures.append(Measure(name, words, by_chance, DIFFERS[name], key, errors[key], *ends))
    return measures


def _kernel_errors(diagnosis: Diagnosis) -> dict[str, Measure]:
    """By how it is estimated."""
    return {
        kind: Measure(
            f"{SKCE}, {kind}",
            kernel_error(value),
            null_range(diagnosis) if kind == "unbiased" else "",
            DIFFERS[SKCE] if kind == "unbiased" else "",
            f"skce {kind}",
            value,
        )
        for kind, value in diagnosis.skce.items()
    }


def scores_table(diagnosis: Diagnosis) -> Table[str]:
    """A row a score of the predictions as given, with its standard error."""
    scores, errors = diagnosis.scores, diagnosis.score_errors
    columns: tuple[Column[str], ...] = (
        Column("Score", "score", lambda key: key, SCORES.__getitem__),
        Column("", "value", scores.__getitem__),
        Column("Value ± standard error", "", lambda key: score_words(diagnosis, key)),
        Column("", "standard error", errors.__getitem__),
    )
    known = tuple(key for key in SCORES if key in scores)
    return Table("scores", "Scores of the predictions as given", columns, known, notes=(AS_GIVEN,))


def estimates_table(diagnosis: Diagnosis) -> Table[Estimate]:
    """A row an estimate: its value, where 9 in 10 lie under calibration, its exact p."""

    def level(estimate: Estimate) -> tuple[float | None, ...]:
        return tuple((estimate.level or {}).get(name) for name in ("mean", "low", "high"))

    def range_words(estimate: Estimate) -> str | None:
        if estimate.level is None:
            return None
        low, high = (estimate_number(estimate.name, estimate.level[end]) for end in ("low", "high"))
        return f"{without_unit(low)} to {high}"

    def remark(estimate: Estimate) -> str:
        origin = "" if estimate.of == "lens" else "of the predictions as given"
        return "; ".join(filter(None, (origin, estimate.note)))

    def value_words(estimate: Estimate) -> str | None:
        return None if estimate.value is None else estimate_number(estimate.name, estimate.value)

    def p(value: float) -> str:
        return redrawn_p(value, diagnosis.spec.resamples, short=True)

    columns: tuple[Column[Estimate], ...] = (
        Column("Estimate", "estimate", lambda estimate: estimate.name, ESTIMATE_NAMES.__getitem__),
        Column("", "of", lambda estimate: estimate.of),
        Column("Value", "", value_words, unknown="–"),
        Column("", "value", lambda estimate: estimate.value),
        Column(IF_CALIBRATED, "", range_words, unknown="–"),
        Column("", ("if calibrated, mean", "if calibrated, low", "if calibrated, high"), level),
        Column("Exact p", "exact p", lambda estimate: estimate.pvalue, p, unknown="–"),
        Column("Remark", "", remark),
        Column("", "remark", lambda estimate: estimate.note),
    )
    return Table("estimates", "Other estimates", columns, diagnosis.estimates, notes=(UNADJUSTED,))


def recalibration_table(diagnosis: Diagnosis) -> Table[str]:
    """A row a coefficient with its 95 % interval; none for more than two classes."""
    coefficients = diagnosis.recalibration

    def value(name: str) -> float | None:
        coefficient = coefficients[name]
        return None if coefficient is None else coefficient["estimate"]

    def ends(name: str) -> tuple[float | None, float | None]:
        low, high = (None, None) if coefficients[name] is None else coefficients[name]["interval"]
        return low, high

    def remark(name: str) -> str:
        notes = "intercept_with_slope_fixed_at_1_notes" if "fixed" in name else "cox_notes"
        return " ".join(coefficients[notes])

    def in_words(value: float) -> str:
        return number(value, 3)

    columns: tuple[Column[str], ...] = (
        Column("Coefficient", "coefficient", lambda name: name, COEFFICIENT_NAMES.__getitem__),
        Column("Value", "value", value, in_words, unknown="–"),
        Column(
            "95 % interval",
            ("low", "high"),
            ends,
            lambda low, high: f"{in_words(low)} to {in_words(high)}",
            unknown="–",
        ),
        Column("Remark", "", remark),
    )
    return Table(
        "recalibration",
        "Recalibration",
        columns,
        tuple(name for name in COEFFICIENT_NAMES if name in coefficients),
    )


def parts_table(diagnosis: Diagnosis) -> Table[tuple[str, str, float]]:
    """A row a part of a score, in the order in which they add up."""
    parts = tuple(
        (name, part, value) for name, each in diagnosis.decompositions.items() for part, value in each.items()
    )
    columns: tuple[Column[tuple[str, str, float]], ...] = (
        Column("Score", "score", lambda part: part[0], DECOMPOSITION_NAMES.__getitem__),
        Column("Part", "part", lambda part: part[1], lambda name: name.replace("_", " ")),
        Column("Value", "value", lambda part: part[2], lambda value: number(value, 5)),
    )
    return Table("parts-of-scores", "Parts of the scores", columns, parts, notes=(OF_LENS,))


# --- the tests ------------------------------------------------------------------------


def p_values_table(diagnosis: Diagnosis) -> Table[NamedTest]:
    """A row a test: its statistic, its p and what that promises."""

    def statistic(test: NamedTest) -> str | None:
        result = test.result
        if result is None:
            return None
        return statistic_words(test.estimator, result.statistic, diagnosis.spec.distance)

    columns: tuple[Column[NamedTest], ...] = (
        Column("Test", "test", lambda test: test.name, lambda name: names_of(name).full),
        Column("", "estimator", lambda test: test.estimator),
        Column("", "promise", lambda test: family_of(test.name).promise),
        Column("Statistic", "", statistic, unknown="–"),
        Column("", "statistic", lambda test: _exact(test, "statistic")),
        Column("p-value", "", lambda test: test.result and pvalue(test.result), unknown="–"),
        Column("", "p_value", lambda test: _exact(test, "pvalue")),
        Column("Promise", "", lambda test: test.result and PROMISES[test.result.promise], unknown="–"),
        Column("", "redraws", lambda test: _exact(test, "n_resamples") or ""),
        Column("", "method", lambda test: _exact(test, "method")),
        Column(
            "Remark",
            "remark",
            lambda test: test.note if test.result is None else pvalue_remark(test.result),
        ),
    )
    none = () if diagnosis.tests else (NO_TESTS,)
    return Table("tests", "Tests", columns, diagnosis.tests, rows_are="tests", notes=none)


def _exact(test: NamedTest, name: str) -> Any:
    """A field of its result; empty where the test was not run, or the number is not defined."""
    value = getattr(test.result, name, "")
    return "" if value != value else value


def says_test(result: TestResult) -> Answer:
    """A test by itself."""
    return Answer((), "", (statistic_table(result),))


def statistic_table(result: TestResult) -> Table[TestResult]:
    """A test by itself, in a row."""
    columns: tuple[Column[TestResult], ...] = (
        Column("Statistic", "statistic", lambda test: test.statistic, _statistic),
        Column("p-value", "", pvalue),
        Column("", "p", lambda test: test.pvalue),
        Column("", "method", lambda test: test.method),
        Column("Promise", "promise", lambda test: test.promise, PROMISES.__getitem__),
        Column("", "redraws", lambda test: test.n_resamples),
        Column("Remark", "", pvalue_remark),
        Column("Method", "", lambda test: test.method),
    )
    return Table("test", "The test", columns, (result,))


def _statistic(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")


def components_table(diagnosis: Diagnosis) -> Table[Component]:
    """A row a component of the omnibus test, what stands out most first; none where it was not run."""
    result = result_of(diagnosis, "exact-omnibus")
    components: Sequence[Component] = () if result is None else result.components
    most = None if result is None else result.decided_by  # as it is named, whatever the tails of others
    draws, two = 0 if result is None else result.n_resamples, has_two(diagnosis)
    columns: tuple[Column[Component], ...] = (
        Column("Looks at", "component", lambda component: component.name, LOOKS_AT.__getitem__),
        Column("Would show", "", lambda component: mostly_words(component.name, component.direction, two)),
        Column("", "statistic", lambda component: component.statistic),
        Column("", "tail", lambda component: component.tail),
        Column(
            "Redraws that show as much",
            "redraws as extreme",
            lambda component: component.as_extreme,
            lambda redraws: f"{redraws:,} of {draws:,}",
            unknown="–",
        ),
    )
    rows = tuple(sorted(components, key=lambda component: (component != most, -component.tail)))
    return Table("components", "What the test looks at", columns, rows, rows_are="components")


# --- as one list ----------------------------------------------------------------------


@dataclass(frozen=True)
class Number:
    """A number of a diagnosis; ``promise`` of tests alone."""

    name: str
    value: float | None = None
    pvalue: float | None = None
    note: str | None = None
    promise: str | None = None


def numbers_table(diagnosis: Diagnosis) -> Table[Number]:
    """A row a number: scores, typical gap, calibration errors, estimates, tests with their statistic."""
    columns: tuple[Column[Number], ...] = (
        Column("", "name", lambda number: number.name),
        Column("", "value", lambda number: number.value),
        Column("", "p", lambda number: number.pvalue),
        Column("", "note", lambda number: number.note),
        Column("", "promise", lambda number: number.promise),
    )
    gap = {} if diagnosis.typical_gap is None else {"typical gap": diagnosis.typical_gap.value}
    errors = {name: diagnosis.calibration_error[name] for name in ("ece", "mce")}
    kernel = {f"skce-{kind}": value for kind, value in diagnosis.skce.items()}
    every = {**diagnosis.scores, **gap, **errors, **kernel}
    numbers = [Number(name, value) for name, value in every.items()]
    numbers += [Number(each.name, each.value, each.pvalue, each.note) for each in diagnosis.estimates]
    for test in diagnosis.tests:
        result = test.result
        if result is None:
            numbers.append(Number(f"test {test.name}", note=test.note))
        else:
            told = (result.statistic, result.pvalue, test.note, result.promise)
            numbers.append(Number(f"test {test.name}", *told))
    return Table("numbers", "Every number", columns, tuple(numbers))
