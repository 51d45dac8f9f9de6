"""The answer of one look: how far off it is, what was claimed and what happened, and the tests."""

from collections.abc import Sequence
from functools import partial
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
from calibcore.answers.measures import (
    estimates_table,
    measures_table,
    parts_table,
    recalibration_table,
    scores_table,
)
from calibcore.answers.nouns import said_of
from calibcore.answers.tables import Column, Table
from calibcore.diagnose import Diagnosis, NamedTest
from calibcore.hypothesis_tests import Component, TestResult
from calibcore.hypothesis_tests.families import family_of, names_of
from calibcore.words.looking import name_of, sentence_case
from calibcore.words.omnibus import has_two, looks_at_words, mostly_words
from calibcore.words.phrases import (
    PROMISES,
    cases_words,
    classes_words,
    pvalue,
    pvalue_remark,
    result_of,
)
from calibcore.words.ranks import ranks_sentence
from calibcore.words.results import (
    bins_heading,
    bins_outside,
    claim_and_outcome,
    doubts,
    methods,
    no_p_sentence,
)
from calibcore.words.sizes import size_sentence
from calibcore.words.testing import statistic_words, units_sentence, verdict_test_sentence

NO_TESTS = "No tests were asked for."


def says(diagnosis: Diagnosis, noun: str = "case") -> Answer:
    """The answer of one look, whatever else was looked at."""
    spec, diagram, gap = diagnosis.spec, diagnosis.reliability, diagnosis.typical_gap
    claim = claim_and_outcome(diagram, spec.lens, noun)
    size = "" if gap is None else size_sentence(spec.lens, gap, diagnosis.frequencies)
    outside = bins_outside(diagram)
    name = name_of(diagnosis)
    of_ranks = "" if diagnosis.ranks is None else ranks_sentence(diagnosis.ranks, spec.alpha)
    no_p = no_p_sentence(diagram)
    answer = Answer(
        (
            sentence_case(cases_words(diagnosis.n, noun, diagnosis.drawn_from)),
            classes_words(diagnosis.m, diagnosis.kind),
        ),
        f"{name}, {bins_heading(diagram, spec.binning, noun)}",
        (
            Headline(size or claim),
            Sentences((claim if size else "", verdict_test_sentence(diagnosis) or no_p, of_ranks)),
            Cases(units_sentence(diagnosis)),
            Doubts(doubts(diagnosis, noun)),
            diagram_chart(
                diagram, f"Reliability: {name}", outside, "" if outside == claim else outside, noun
            ),
            *(() if no_p else (p_values_table(diagnosis),)),
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
    return said_of(answer, noun)


def _folds(*tables: Table[Any]) -> list[Block]:
    """Tables that not everyone reads, those that have rows."""
    return [Fold(table.title, (table,)) for table in tables if table.items]


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
        Column("Looks at", "component", lambda component: component.name, partial(looks_at_words, diagnosis)),
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
