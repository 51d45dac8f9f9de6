"""Answers to further questions as a person reads them on a terminal."""

from calibcore.questions.compare import Comparison
from calibcore.questions.decide import Decisions
from calibcore.questions.groups import GroupSurvey
from calibcore.questions.label_noise import WrongLabels
from calibcore.questions.monitor import Monitoring
from calibcore.questions.plan import Plan
from calibcore.questions.recalibrate import Recalibration
from calibcore.questions.training import TrainingRun
from calibcore.spec import DiagnosisSpec
from calibcore.wording import count
from calibcore.words import (
    comparing,
    deciding,
    grouping,
    monitoring,
    planning,
    recalibrating,
    training,
    wrong_labels,
)
from calibcore.words.lens_names import name_in, name_shown_in
from calibcore.words.phrases import one_row_sentence
from calibcore.words.terminal.layout import blocks, indented, points, table

WINDOWS_SHOWN = 12
"""Of the windows of a monitoring the last: a terminal holds no more."""


def _redrawn(spec: DiagnosisSpec) -> str:
    return f"It takes {spec.resamples:,} redraws, seed {spec.seed}."


def comparison_text(comparison: Comparison) -> str:
    """A comparison as a person reads it on a terminal."""
    lens, seed = name_in(comparison), comparison.spec.seed
    return blocks(
        [f"{count(comparison.n, 'case')}, {count(len(comparison.models), 'model')}; {lens}"],
        [comparing.headline(comparison), comparing.best_score(comparison)],
        table(comparing.model_rows(comparison)),
        table(comparing.pair_rows(comparison)),
        table(comparing.nested_rows(comparison)),
        [comparing.pair_sentence(comparison, pair) for pair in comparison.pairs],
        points(
            comparing.joined_sentence(comparison),
            *comparison.notes,
            comparing.METHOD,
            comparing.SCORES_METHOD,
            f"{comparing.NESTED_METHOD} It takes {comparison.resamples:,} redraws, seed {seed}.",
            comparing.BETTER_IS_NOT_ALL,
        ),
    )


def training_text(run: TrainingRun) -> str:
    """A training run as a person reads it on a terminal."""
    return blocks(
        [f"{count(run.n, 'case')}, {count(len(run.epochs), 'epoch')}; {name_in(run)}"],
        [training.headline(run), training.choice_sentence(run), training.reference_sentence(run)],
        table(training.epoch_rows(run), right=("Epoch", "Adjusted p")),
        points(*run.notes, f"{training.METHOD} {_redrawn(run.spec)}", training.NO_CHOICE),
    )


def recalibration_text(found: Recalibration) -> str:
    """What recalibration would do, as a person reads it on a terminal."""
    split = found.split
    return blocks(
        [f"{count(found.n, 'case')}, {len(found.class_names)} classes; {name_in(found)}"],
        [
            recalibrating.headline(found),
            one_row_sentence(found.n, found.spec.unit, found.spec.seed),
            recalibrating.gap_sentence(found, found.methods[0]) if found.methods else "",
            "" if split is None else recalibrating.split_sentence(split),
        ],
        [
            *table(recalibrating.method_rows(found), right=("Adjusted p",)),
            *indented(*recalibrating.refused_sentences(found)),
        ],
        [
            recalibrating.of_temperature(found),
            recalibrating.class_mix_sentence(found),
            recalibrating.CANNOT_MEND,
        ],
        points(
            f"{recalibrating.METHOD} It takes {found.folds} folds, seed {found.spec.seed}.",
            recalibrating.NO_TEST,
        ),
    )


def groups_text(found: GroupSurvey) -> str:
    """Calibration group by group, as a person reads it on a terminal."""
    return blocks(
        [f"{count(found.n, 'case')}, {count(len(found.groups), 'group')}; {name_shown_in(found)}"],
        [
            grouping.headline(found),
            grouping.global_sentence(found),
            "" if found.worst is None else grouping.worst_sentence(found, found.worst),
        ],
        [
            *table(grouping.group_rows(found), right=("Cases", "Adjusted p")),
            *indented(grouping.withheld_sentence(found)),
        ],
        [grouping.NOT_IMPLIED],
        points(*found.notes, *grouping.column_sentences(found), *grouping.methods(found)),
    )


def monitoring_text(found: Monitoring) -> str:
    """What monitoring found, as a person reads it on a terminal."""
    rows = [{name: str(cell) for name, cell in row.items()} for row in monitoring.window_rows(found)]
    return blocks(
        [f"{count(found.n, 'case')}, {len(found.class_names)} classes; {name_shown_in(found)}"],
        [
            monitoring.headline(found),
            *monitoring.more(found),
            monitoring.grave_sentence(found),
            monitoring.windows_sentence(found),
        ],
        table(rows[-WINDOWS_SHOWN:]),
        points(
            *found.notes,
            monitoring.unit_sentence(found),
            monitoring.order_sentence(found),
            monitoring.METHOD,
            monitoring.ORDER,
        ),
    )


def decisions_text(found: Decisions) -> str:
    """What the probabilities are worth at thresholds, as a person reads it on a terminal."""
    few = found.thresholds if len(found.thresholds) <= deciding.SENTENCES else ()
    of_model = found.spec.lens.within.answers
    return blocks(
        [f"{count(found.n, 'case')}, {len(found.class_names)} classes; {name_in(found)}"],
        [
            deciding.headline(found),
            one_row_sentence(found.n, found.spec.unit, found.spec.seed),
            deciding.sets_sentence(found.sets, found.spec.alpha),
            *(
                sentence
                for one in few
                for sentence in (
                    deciding.threshold_sentence(found, one),
                    deciding.frequency_sentence(found, one),
                    deciding.selective_sentence(found, one) if of_model else deciding.treat_all_sentence(one),
                    deciding.other_sentence(one),
                )
            ),
        ],
        [
            "Net benefits in 100 cases",
            *table(deciding.threshold_rows(found, deciding.MOST_ROWS), right=("Threshold", "p")),
        ],
        points(f"{deciding.METHOD} {_redrawn(found.spec)}", deciding.BEFOREHAND),
    )


def plan_text(plan: Plan) -> str:
    """How many cases are enough, as a person reads it on a terminal."""
    return blocks(
        [f"{len(plan.class_names)} classes; {name_in(plan)}"],
        [
            planning.headline(plan),
            planning.hardest_sentence(plan),
            planning.source_sentence(plan),
            planning.unit_sentence(plan),
        ],
        table(planning.plan_rows(plan), right=("Cases",)),
        points(
            f"{planning.METHOD.format(alpha=plan.spec.alpha)} Seed {plan.spec.seed}.", planning.OTHER_ERRORS
        ),
    )


def wrong_labels_text(found: WrongLabels) -> str:
    """How many wrong labels would explain what happened, as a person reads it on a terminal."""
    return blocks(
        [f"{count(found.n, 'case')}, {found.m} classes; {name_in(found)}"],
        [wrong_labels.sentence(found), one_row_sentence(found.n, found.spec.unit, found.spec.seed)],
        points(f"{wrong_labels.METHOD} {_redrawn(found.spec)}"),
    )
