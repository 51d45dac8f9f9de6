"""A report holds the answer of any question, with any number of figures and methods."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibcore import (
    CanonicalLens,
    Comparison,
    Decisions,
    Predictions,
    compare,
    decide,
    monitor,
    plan,
    recalibrate,
    survey_groups,
)
from calibcore.answers.blocks import Answer, Chart, Methods
from calibcore.answers.question import Question
from calibcore.questions.registry import QUESTIONS
from calibcore.report import Report, report_of, to_html, to_pdf
from calibcore.report.front_page import FOR_STATISTICIANS, LOOK_ELSEWHERE
from calibcore.report.parts import Part, answered
from tests.report.reported import DATE, SPEC, Page, drawn, judged_of, pages_of, squeezed

WHOLE = replace(SPEC, lens=CanonicalLens())


@cache
def decided() -> Decisions:
    return decide(judged_of(90, 2)[0], SPEC)


def test_the_first_page_names_the_parts_that_found_a_problem() -> None:
    """Whoever reads it alone hands on nothing that a later page contradicts."""
    p, judged = judged_of(90, 2)
    quiet = replace(decided(), simultaneous_pvalue=0.5)
    loud = replace(quiet, simultaneous_pvalue=0.016)

    def reported(*answers: object) -> Report:
        return report_of(p, judged, SPEC, title="Net", date=DATE, answers=answers)

    silent, told = reported(quiet), reported(loud)
    title = QUESTIONS[Decisions].title
    sentence = next(words for words in told.cautions if "found a problem" in words)
    assert sentence.startswith("Another part of this report found a problem: the model delivers ")
    assert sentence.endswith(f"it promises ('{title}').")
    assert not any("found a problem" in words for words in silent.cautions)
    assert "unchecked" in " ".join(silent.front.to_do)
    assert LOOK_ELSEWHERE in told.front.to_do
    assert "unchecked" not in " ".join(told.front.to_do)
    assert "no check of this survey found an error" in " ".join(told.front.not_to_conclude)
    first = squeezed(Page(to_html(told)).text).partition(squeezed(FOR_STATISTICIANS))[0]
    assert squeezed(sentence) in first


def test_every_question_of_a_report_says_what_it_has_against_a_model() -> None:
    reported = [question for question in QUESTIONS.values() if question.without_cases is not None]
    silent = [question.command for question in reported if question.against is Question.against]
    assert silent == ["plan"]  # which looks at no outcome

    probs, labels = np.tile([[0.9, 0.1], [0.3, 0.7]], (60, 1)), np.tile([0, 1, 1, 1], 30)
    off = Predictions.from_arrays(probs, labels, ["ill", "well"], {"site": np.repeat(["A", "B"], 60)})
    fair = Predictions.from_arrays(np.tile([[0.5, 0.5], [0.01, 0.99]], (60, 1)), labels, ["ill", "well"])
    results = (
        decide(off),
        monitor(off),
        recalibrate(off),
        survey_groups(off, ["site"]),
        compare({"off": off, "fair": fair}),
    )
    against = {
        type(result).__name__: QUESTIONS[type(result)].against(result, off.fingerprint) for result in results
    }
    assert all(against.values()), against
    assert against["GroupSurvey"] == "miscalibrated in 2 of 2 groups"
    assert QUESTIONS[Comparison].against(results[-1], fair.fingerprint) == ""


def part(monkeypatch: pytest.MonkeyPatch, charts: int, methods: int) -> Part:
    """Of the question about decisions, were its answer to have so many of each."""
    question: Question[Decisions] = QUESTIONS[Decisions]

    def says(result: Decisions, noun: str = "case", shared: Decisions | None = None) -> Answer:
        answer = question.says(result, noun, shared)
        (chart,), (method,) = answer.each(Chart), answer.each(Methods)
        rest = [block for block in answer.blocks if not isinstance(block, Chart | Methods)]
        more = [replace(chart, title=f"Chart {i}", says=f"Shows {i}.") for i in range(charts)]
        said = [replace(method, title=f"Methods {i}") for i in range(methods)]
        return replace(answer, blocks=(*rest, *more, *said))

    monkeypatch.setitem(QUESTIONS, Decisions, replace(question, says=says))
    found = answered(decided(), "a file")
    assert found is not None
    return found


@pytest.mark.parametrize("charts", [0, 1, 3])
@pytest.mark.parametrize("methods", [0, 2])
def test_any_number_of_figures_and_methods(
    monkeypatch: pytest.MonkeyPatch, charts: int, methods: int
) -> None:
    found = part(monkeypatch, charts, methods)
    headline = QUESTIONS[Decisions].answer(decided()).headline
    assert [plate.name for plate in found.plates] == ["decisions", *["decisions-decisions"] * 2][:charts]
    assert [head for head, _ in found.methods] == [f"Methods {i}" for i in range(methods)]
    if charts:
        assert found.plates[0].says.startswith(headline)
        assert found.plates[0].reading
        assert [(plate.title, plate.says.partition(".")[0]) for plate in found.plates[1:]] == [
            (f"Chart {i}", f"Shows {i}") for i in range(1, charts)
        ]
    else:
        assert found.tables[0].title == "What decisions at a threshold are worth"
        assert found.tables[0].rows[0] == {"Answer": headline}


@pytest.mark.slow
def test_an_answer_without_a_figure_stands_in_every_report(monkeypatch: pytest.MonkeyPatch) -> None:
    part(monkeypatch, 0, 1)
    p, judged = judged_of(90, 2)
    made: Report = report_of(p, judged, SPEC, title="x", date=DATE, answers=[decided()])
    headline = squeezed(QUESTIONS[Decisions].answer(decided()).headline)
    assert headline in squeezed(to_html(made))
    assert headline in squeezed("".join(pages_of(to_pdf(made))))


def test_a_table_is_titled_by_what_its_numbers_are_of() -> None:
    watched = answered(monitor(drawn(90, 3), WHOLE, window=40), "a file")
    assert watched is not None
    assert watched.plates[0].title.endswith(": all classes together")
    assert watched.tables[0].title == "Observed minus predicted in windows of 40 cases: the likeliest class"


def test_a_title_that_asks_ends_as_a_question() -> None:
    planned = answered(plan(drawn(90, 3), WHOLE), "a file")
    assert planned is not None
    assert planned.plates[0].title == "How many cases would tell: all classes together?"
