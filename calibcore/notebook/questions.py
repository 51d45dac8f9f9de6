"""How answers to further questions look in a notebook: one view a question."""

from collections.abc import Mapping
from typing import Any

from calibcore.display import View
from calibcore.hypothesis_tests.smooth_arrows import SmoothArrows
from calibcore.notebook.figures import figure_of, frame_of
from calibcore.notebook.pieces import fold, line, page, table
from calibcore.questions.compare import Comparison
from calibcore.questions.decide import Decisions
from calibcore.questions.groups import GroupSurvey
from calibcore.questions.label_noise import WrongLabels
from calibcore.questions.monitor import Monitoring
from calibcore.questions.plan import Plan
from calibcore.questions.recalibrate import Recalibration
from calibcore.questions.training import TrainingRun
from calibcore.wording import count
from calibcore.words import (
    comparing,
    deciding,
    grouping,
    monitoring,
    planning,
    recalibrating,
    smooth,
    training,
    wrong_labels,
)
from calibcore.words.looking import name_in, name_shown_in
from calibcore.words.phrases import one_row_sentence


def _comparison(of: Comparison) -> str:
    first, *rest = [comparing.pair_sentence(of, pair) for pair in of.pairs]
    return page(
        line(f"{count(of.n, 'case')} · {count(len(of.models), 'model')} · {name_in(of)}", "quiet"),
        line(comparing.headline(of), "answer"),
        line(comparing.best_score(of)),
        table(comparing.model_rows(of), "Models by typical gap"),
        fold("Pair by pair", line(first), *map(line, rest), table(comparing.pair_rows(of), "Pairs")),
        fold("What each model leaves out", table(comparing.nested_rows(of), "What each model leaves out")),
        fold("Methods", *map(line, (comparing.METHOD, comparing.SCORES_METHOD, comparing.NESTED_METHOD))),
        *(line(note, "quiet") for note in (*of.notes, comparing.joined_sentence(of))),
    )


def _recalibration(of: Recalibration) -> str:
    split = of.split
    return page(
        line(f"{count(of.n, 'case')} · {len(of.class_names):,} classes · {name_in(of)}", "quiet"),
        line(recalibrating.headline(of), "answer"),
        line(one_row_sentence(of.n, of.spec.unit, of.spec.seed), "quiet"),
        line(recalibrating.gap_sentence(of, of.methods[0]) if of.methods else ""),
        line("" if split is None else recalibrating.split_sentence(split)),
        table(recalibrating.method_rows(of), "Methods"),
        line(recalibrating.of_temperature(of)),
        line(recalibrating.class_mix_sentence(of)),
        line(recalibrating.CANNOT_MEND, "quiet"),
        fold("Methods", line(recalibrating.METHOD), line(recalibrating.NO_TEST)),
        *(line(why, "quiet") for why in recalibrating.refused_sentences(of)),
    )


def _decisions(of: Decisions) -> str:
    return page(
        line(f"{count(of.n, 'case')} · {len(of.class_names):,} classes · {name_in(of)}", "quiet"),
        line(deciding.headline(of), "answer"),
        line(deciding.sets_sentence(of.sets, of.spec.alpha)),
        line(one_row_sentence(of.n, of.spec.unit, of.spec.seed), "quiet"),
        table(deciding.threshold_rows(of, deciding.MOST_ROWS), "Net benefits in 100 cases"),
        fold("Methods", line(deciding.METHOD), line(deciding.BEFOREHAND)),
    )


def _plan(of: Plan) -> str:
    return page(
        line(f"{len(of.class_names):,} classes · {name_in(of)}", "quiet"),
        line(planning.headline(of), "answer"),
        line(planning.hardest_sentence(of)),
        line(planning.source_sentence(of)),
        line(planning.unit_sentence(of)),
        table(planning.plan_rows(of), "How small an error is seen"),
        fold("Methods", line(planning.METHOD.format(alpha=of.spec.alpha)), line(planning.OTHER_ERRORS)),
    )


def _wrong_labels(of: WrongLabels) -> str:
    return page(
        line(f"{count(of.n, 'case')} · {of.m:,} classes · {name_in(of)}", "quiet"),
        line(wrong_labels.sentence(of), "answer"),
        line(one_row_sentence(of.n, of.spec.unit, of.spec.seed), "quiet"),
        fold("Methods", line(wrong_labels.METHOD)),
    )


def _training(of: TrainingRun) -> str:
    return page(
        line(f"{count(of.n, 'case')} · {count(len(of.epochs), 'epoch')} · {name_in(of)}", "quiet"),
        line(training.headline(of), "answer"),
        line(training.choice_sentence(of)),
        line(training.reference_sentence(of)),
        table(training.epoch_rows(of), "Epochs"),
        fold("Methods", line(training.METHOD), line(training.NO_CHOICE)),
        *(line(note, "quiet") for note in of.notes),
    )


def _groups(of: GroupSurvey) -> str:
    cases = f"{count(of.n, 'case')} · {count(len(of.groups), 'group')} · {name_shown_in(of)}"
    return page(
        line(cases, "quiet"),
        line(grouping.headline(of), "answer"),
        line(grouping.global_sentence(of)),
        line("" if of.worst is None else grouping.worst_sentence(of, of.worst)),
        table(grouping.group_rows(of), "Groups"),
        line(grouping.withheld_sentence(of), "quiet"),
        line(grouping.NOT_IMPLIED, "quiet"),
        fold("Methods", *map(line, grouping.methods(of))),
        *(line(note, "quiet") for note in (*of.notes, *grouping.column_sentences(of))),
    )


def _monitoring(of: Monitoring) -> str:
    kind = f"{count(of.n, 'case')} · {len(of.class_names):,} classes · {name_shown_in(of)}"
    return page(
        line(kind, "quiet"),
        line(monitoring.headline(of), "answer"),
        *map(line, monitoring.more(of)),
        line(monitoring.grave_sentence(of)),
        line(monitoring.windows_sentence(of)),
        fold("Windows", table(monitoring.window_rows(of), "Windows")),
        fold("Methods", line(monitoring.METHOD), line(monitoring.ORDER)),
        *(line(note, "quiet") for note in (*of.notes, monitoring.unit_sentence(of))),
        line(monitoring.order_sentence(of), "quiet"),
    )


def _without_bins(of: SmoothArrows) -> str:
    return page(
        line(f"{count(of.n, 'case')} · {len(of.class_names):,} classes", "quiet"),
        line(smooth.sentence(of), "answer"),
        fold("The numbers as a table", table(smooth.rows(of), "Places")),
        fold("Methods", line(smooth.method(of))),
    )


def _smooth(of: SmoothArrows, theme: str) -> Any:
    two = len(of.class_names) == 2
    return figure_of("smooth_curve.smooth_curve_figure" if two else "simplex.smooth_figure")(of, theme)


QUESTION_VIEWS: Mapping[type, View] = {
    SmoothArrows: View(_without_bins, frame_of(lambda found: smooth.rows(found, exact=True)), _smooth),
    Recalibration: View(_recalibration, frame_of(recalibrating.exact_method_rows)),
    GroupSurvey: View(_groups, frame_of(grouping.exact_group_rows), figure_of("forest.groups_figure")),
    Monitoring: View(
        _monitoring,
        frame_of(lambda found: monitoring.window_rows(found, exact=True)),
        figure_of("evidence.evidence_figure"),
    ),
    Decisions: View(
        _decisions, frame_of(deciding.exact_threshold_rows), figure_of("decisions.decision_figure")
    ),
    Plan: View(_plan, frame_of(planning.exact_plan_rows)),
    WrongLabels: View(_wrong_labels, frame_of(wrong_labels.rows)),
    TrainingRun: View(_training, frame_of(training.exact_epoch_rows), figure_of("training.training_figure")),
    Comparison: View(_comparison, frame_of(comparing.exact_pair_rows), figure_of("forest.comparison_figure")),
}
