"""How answers to further questions look in a notebook: one view a question."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, assert_never

from calibcore.answers.blocks import (
    Answer,
    Beside,
    Block,
    Cases,
    Caution,
    Chart,
    Fold,
    Headline,
    Methods,
    Notes,
    Sentences,
    every_table,
)
from calibcore.answers.question import Question
from calibcore.answers.tables import Table
from calibcore.display import View
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.notebook.pieces import figure_of, fold, lines, page, table
from calibcore.questions.registry import QUESTIONS
from calibcore.wording import count
from calibcore.words import smooth


def _answer(about: str, headline: str, *parts: str) -> str:
    """What was looked at, the answer in a sentence, and what it rests on."""
    return page(lines(about, kind="quiet"), lines(headline, kind="answer"), *parts)


def _without_bins(of: SmoothArrows) -> str:
    return _answer(
        f"{count(of.n, 'case')} · {len(of.class_names):,} classes",
        smooth.sentence(of),
        fold("The numbers as a table", table(smooth.rows(of), "Places")),
        fold("Methods", lines(smooth.method(of))),
    )


def _smooth(of: SmoothArrows, theme: str) -> Any:
    two = len(of.class_names) == 2
    return figure_of("smooth_curve.smooth_curve_figure" if two else "simplex.smooth_figure")(of, theme)


def html_of(answer: Answer) -> str:
    """An answer as a notebook shows it."""
    cautions = [block.text for block in answer.each(Caution)]

    def written(blocks: Iterable[Block]) -> Iterator[str]:
        for block in blocks:
            match block:
                case Headline():
                    yield lines(block.text, kind="answer")
                case Cases():
                    yield lines(block.text, kind="quiet")
                case Beside():
                    yield lines(block.text)
                case Sentences():
                    yield lines(*block.lines)
                case Fold():
                    yield fold(block.title, *written(block.blocks))
                case Table():
                    yield table(block.few_rows(), block.title)
                    yield lines(*block.notes, kind="quiet")
                case Methods():
                    yield fold("Methods", lines(*block.lines, *cautions))
                case Notes():
                    yield lines(*block.lines, kind="quiet")
                case Caution() | Chart():  # cautions are in the fold, figures come by figure()
                    pass
                case _:
                    assert_never(block)

    return page(lines(" · ".join((*answer.about, answer.lens)), kind="quiet"), *written(answer.blocks))


def view_of(question: Question[Any]) -> View:
    """How what a question finds is shown: its answer, one of its tables, its first figure."""

    def shown(result: Any) -> Answer:
        told = None if question.in_notebooks is None else question.in_notebooks(result)
        return question.says(result, "case", told)

    def figure(result: Any, theme: str) -> Any:
        chart = shown(result).each(Chart)[0]
        return figure_of(chart.screen)(chart.of, theme)

    def data(result: Any) -> Any:
        tables = every_table(question.answer(result).blocks)
        return next(one for one in tables if question.frame in ("", one.name)).rows(exact=True)

    return View(lambda result: html_of(shown(result)), data, figure)


QUESTION_VIEWS: Mapping[type, View] = {
    **{result: view_of(question) for result, question in QUESTIONS.items()},
    SmoothArrows: View(_without_bins, lambda of: smooth.rows(of, exact=True), _smooth),
}
