"""How answers to further questions look in a notebook: one view a question."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, assert_never

from calibcore.answers import QUESTIONS
from calibcore.answers.blocks import (
    Answer,
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
from calibcore.questions.compare import Comparison
from calibcore.questions.label_noise import WrongLabels
from calibcore.questions.plan import Plan
from calibcore.questions.recalibrate import Recalibration
from calibcore.questions.training import TrainingRun
from calibcore.wording import count
from calibcore.words import (
    comparing,
    planning,
    recalibrating,
    smooth,
    training,
    wrong_labels,
)
from calibcore.words.looking import name_in
from calibcore.words.phrases import one_row_sentence


def _answer(about: str, headline: str, *parts: str) -> str:
    """What was looked at, the answer in a sentence, and what it rests on."""
    return page(lines(about, kind="quiet"), lines(headline, kind="answer"), *parts)


def _comparison(of: Comparison) -> str:
    pairs = lines(*(comparing.pair_sentence(of, pair) for pair in of.pairs))
    methods = lines(comparing.METHOD, comparing.SCORES_METHOD, comparing.NESTED_METHOD)
    return _answer(
        f"{count(of.n, 'case')} · {count(len(of.models), 'model')} · {name_in(of)}",
        comparing.headline(of),
        lines(comparing.best_score(of)),
        table(comparing.model_rows(of), "Models by typical gap"),
        fold("Pair by pair", pairs, table(comparing.pair_rows(of), "Pairs")),
        fold("What each model leaves out", table(comparing.nested_rows(of), "What each model leaves out")),
        fold("Methods", methods),
        lines(*of.notes, comparing.joined_sentence(of), kind="quiet"),
    )


def _recalibration(of: Recalibration) -> str:
    gap = recalibrating.gap_sentence(of, of.methods[0]) if of.methods else ""
    split = "" if of.split is None else recalibrating.split_sentence(of.split)
    return _answer(
        f"{count(of.n, 'case')} · {len(of.class_names):,} classes · {name_in(of)}",
        recalibrating.headline(of),
        lines(one_row_sentence(of.n, of.spec.unit, of.spec.seed), kind="quiet"),
        lines(gap, split),
        table(recalibrating.method_rows(of), "Methods"),
        lines(recalibrating.of_temperature(of), recalibrating.class_mix_sentence(of)),
        lines(recalibrating.CANNOT_MEND, kind="quiet"),
        fold("Methods", lines(recalibrating.METHOD, recalibrating.NO_TEST)),
        lines(*recalibrating.refused_sentences(of), kind="quiet"),
    )


def _plan(of: Plan) -> str:
    return _answer(
        f"{len(of.class_names):,} classes · {name_in(of)}",
        planning.headline(of),
        lines(*planning.plan_sentences(of)[1:]),
        table(planning.plan_rows(of), "How small an error is seen"),
        fold("Methods", lines(planning.method_sentence(of), planning.OTHER_ERRORS)),
    )


def _wrong_labels(of: WrongLabels) -> str:
    return _answer(
        f"{count(of.n, 'case')} · {of.m:,} classes · {name_in(of)}",
        wrong_labels.sentence(of),
        lines(one_row_sentence(of.n, of.spec.unit, of.spec.seed), kind="quiet"),
        fold("Methods", lines(wrong_labels.METHOD)),
    )


def _training(of: TrainingRun) -> str:
    return _answer(
        f"{count(of.n, 'case')} · {count(len(of.epochs), 'epoch')} · {name_in(of)}",
        training.headline(of),
        lines(training.choice_sentence(of), training.reference_sentence(of)),
        table(training.epoch_rows(of), "Epochs"),
        fold("Methods", lines(training.METHOD, training.NO_CHOICE)),
        lines(*of.notes, kind="quiet"),
    )


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
                case Sentences():
                    yield lines(*block.lines)
                case Fold():
                    yield fold(block.title, *written(block.blocks))
                case Table():
                    yield table(block.few_rows(), block.title)
                    yield lines(*block.notes, kind="quiet")
                case Notes():
                    yield lines(*block.lines, kind="quiet")
                case Methods():
                    yield fold("Methods", lines(*block.lines, *cautions))
                case Caution() | Chart():  # cautions are in the fold, figures come by figure()
                    pass
                case _:
                    assert_never(block)

    return page(lines(" · ".join((*answer.about, answer.lens)), kind="quiet"), *written(answer.blocks))


def view_of(question: Question[Any]) -> View:
    """How what a question finds is shown: its answer, its first table, its first figure."""

    def shown(result: Any) -> Answer:
        told = None if question.in_notebooks is None else question.in_notebooks(result)
        return question.says(result, "case", told)

    def figure(result: Any, theme: str) -> Any:
        chart = shown(result).each(Chart)[0]
        return figure_of(chart.screen)(chart.of, theme)

    def data(result: Any) -> Any:
        return next(every_table(question.answer(result).blocks)).rows(exact=True)

    return View(lambda result: html_of(shown(result)), data, figure)


QUESTION_VIEWS: Mapping[type, View] = {
    **{result: view_of(question) for result, question in QUESTIONS.items()},
    SmoothArrows: View(_without_bins, lambda of: smooth.rows(of, exact=True), _smooth),
    Recalibration: View(_recalibration, recalibrating.exact_method_rows),
    Plan: View(_plan, partial(planning.plan_rows, exact=True)),
    WrongLabels: View(_wrong_labels, wrong_labels.rows),
    TrainingRun: View(_training, training.exact_epoch_rows, figure_of("training.training_figure")),
    Comparison: View(_comparison, comparing.exact_pair_rows, figure_of("forest.comparison_figure")),
}
