"""Whole answers as a person reads them on a terminal."""

from collections.abc import Mapping, Sequence

from calibcore.assessment.assess import Assessment
from calibcore.assessment.survey import Survey, verdict_test_name
from calibcore.data.checks import visible
from calibcore.diagnose import Diagnosis
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
from calibcore.words.estimates import (
    UNADJUSTED,
    rows_of_decompositions,
    rows_of_estimates,
    rows_of_recalibration,
)
from calibcore.words.frequencies import rows_of_frequencies
from calibcore.words.looking import sentence_case
from calibcore.words.measures import measures_notes, measures_of_lenses, rows_of_measures
from calibcore.words.phrases import PROMISES, VERDICT_TEST_NAMES, cases_words, one_row_sentence
from calibcore.words.results import (
    bins_heading,
    claim_and_outcome,
    methods,
    rows_of_tests,
)
from calibcore.words.scores import AS_GIVEN, OF_LENS, score_rows
from calibcore.words.sizes import size_sentence, tolerance_words
from calibcore.words.temperature import temperature_sentence
from calibcore.words.testing import units_sentence, verdict_test_sentence
from calibcore.words.verdict_rows import lens_notes, survey_cells
from calibcore.words.verdicts import (
    as_a_whole,
    chip_text,
    not_said,
    worst_class,
)

LONGEST = 80
"""Characters of a cell."""


def _cell(text: str) -> str:
    cell = visible(text)
    return cell if len(cell) <= LONGEST else f"{cell[: LONGEST - 1]}…"


def _table(rows: Sequence[Mapping[str, str]], right: tuple[str, ...] = ()) -> list[str]:
    """Aligned lines with a head."""
    heads = list(rows[0])
    rows = [{head: _cell(row[head]) for head in heads} for row in rows]
    widths = {head: max(len(head), *(len(row[head]) for row in rows)) for head in heads}

    def line(cells: Mapping[str, str]) -> str:
        parts = [cells[h].rjust(widths[h]) if h in right else cells[h].ljust(widths[h]) for h in heads]
        return "  " + "  ".join(parts).rstrip()

    return [line({head: head for head in heads}), *map(line, rows)]


def _section(rows: list[dict[str, str]], *after: str) -> list[str]:
    return [*_table(rows), *(f"  {line}" for line in after), ""] if rows else []


def _cases(result: Diagnosis) -> str:
    return sentence_case(cases_words(result.n, "case", result.drawn_from))


def diagnosis_text(diagnosis: Diagnosis) -> str:
    """A diagnosis as a person reads it on a terminal."""
    spec, diagram = diagnosis.spec, diagnosis.reliability
    lines = [
        f"{_cases(diagnosis)}, {diagnosis.m} classes; {spec.lens.phrase()}, "
        f"{bins_heading(diagram, spec.binning)}",
        "",
        claim_and_outcome(diagram, spec.lens),
        *filter(None, (_size(diagnosis), verdict_test_sentence(diagnosis), units_sentence(diagnosis))),
        "",
        *_measures(diagnosis),
        "",
        *_section(score_rows(diagnosis), AS_GIVEN),
        *_section(rows_of_estimates(diagnosis), UNADJUSTED),
        *_section(rows_of_recalibration(diagnosis)),
        *_section(rows_of_decompositions(diagnosis), OF_LENS),
        *(_table(rows_of_tests(diagnosis)) if diagnosis.tests else ["No tests were asked for."]),
        "",
        *(f"- {line}" for line in methods(diagnosis)),
    ]
    return "\n".join(map(visible, lines))


def _size(diagnosis: Diagnosis) -> str:
    gap = diagnosis.typical_gap
    return "" if gap is None else size_sentence(diagnosis.spec.lens, gap, diagnosis.frequencies)


def _measures(diagnosis: Diagnosis) -> list[str]:
    """The other measures, and below them how they differ."""
    rows = rows_of_measures(diagnosis)
    differs = [f"{row['Measure'].partition(',')[0]}: {row['How it differs']}" for row in rows]
    cells = [{name: row[name] for name in row if name != "How it differs"} for row in rows]
    lines = [line for line, row in zip(differs, rows, strict=True) if row["How it differs"]]
    return ["More measures", *_table(cells), *(f"  {line}" for line in lines)]


ADJUSTMENT_WORDS = {
    "holm": "Holm",
    "benjamini-hochberg": "Benjamini–Hochberg, which needs tests that do not speak against each other "
    "(positive dependence)",
}


def comparison_text(comparison: Comparison) -> str:
    """A comparison as a person reads it on a terminal."""
    lens, seed = comparison.spec.lens.phrase(), comparison.spec.seed
    lines = [
        f"{count(comparison.n, 'case')}, {count(len(comparison.models), 'model')}; {lens}",
        "",
        *filter(None, (comparing.headline(comparison), comparing.best_score(comparison))),
        "",
        *_table(comparing.model_rows(comparison)),
        "",
        *_table(comparing.pair_rows(comparison)),
        "",
        *_table(comparing.nested_rows(comparison)),
        "",
        *(comparing.pair_sentence(comparison, pair) for pair in comparison.pairs),
        "",
        f"- {comparing.joined_sentence(comparison)}",
        *(f"- {note}" for note in comparison.notes),
        f"- {comparing.METHOD}",
        f"- {comparing.SCORES_METHOD}",
        f"- {comparing.NESTED_METHOD} It takes {comparison.resamples:,} redraws, seed {seed}.",
        f"- {comparing.BETTER_IS_NOT_ALL}",
    ]
    return "\n".join(map(visible, lines))


def training_text(run: TrainingRun) -> str:
    """A training run as a person reads it on a terminal."""
    lines = [
        f"{count(run.n, 'case')}, {count(len(run.epochs), 'epoch')}; {run.spec.lens.phrase()}",
        "",
        training.headline(run),
        training.choice_sentence(run),
        training.reference_sentence(run),
        "",
        *_table(training.epoch_rows(run), right=("Epoch", "Adjusted p")),
        "",
        *(f"- {note}" for note in run.notes),
        f"- {training.METHOD} It takes {run.spec.resamples:,} redraws, seed {run.spec.seed}.",
        f"- {training.NO_CHOICE}",
    ]
    return "\n".join(map(visible, lines))


def recalibration_text(found: Recalibration) -> str:
    """What recalibration would do, as a person reads it on a terminal."""
    split = found.split
    lines = [
        f"{count(found.n, 'case')}, {len(found.class_names)} classes; {found.spec.lens.phrase()}",
        "",
        recalibrating.headline(found),
        *filter(None, (one_row_sentence(found.n, found.spec.unit, found.spec.seed),)),
        *([recalibrating.gap_sentence(found, found.methods[0])] if found.methods else []),
        *([] if split is None else [recalibrating.split_sentence(split)]),
        "",
        *(_table(recalibrating.method_rows(found), right=("Adjusted p",)) if found.methods else []),
        *(f"  {line}" for line in recalibrating.refused_sentences(found)),
        "",
        temperature_sentence(found.temperature),
        recalibrating.class_mix_sentence(found),
        recalibrating.CANNOT_MEND,
        "",
        f"- {recalibrating.METHOD} It takes {found.folds} folds, seed {found.spec.seed}.",
        f"- {recalibrating.NO_TEST}",
    ]
    return "\n".join(map(visible, lines))


def groups_text(found: GroupSurvey) -> str:
    """Calibration group by group, as a person reads it on a terminal."""
    lines = [
        f"{count(found.n, 'case')}, {count(len(found.groups), 'group')}; {found.spec.lens.phrase()}",
        "",
        grouping.headline(found),
        *filter(None, (grouping.global_sentence(found),)),
        *([] if found.worst is None else [grouping.worst_sentence(found, found.worst)]),
        "",
        *_table(grouping.group_rows(found), right=("Cases", "Adjusted p")),
        *(f"  {line}" for line in (grouping.withheld_sentence(found),) if line),
        "",
        grouping.NOT_IMPLIED,
        "",
        *(f"- {note}" for note in found.notes),
        *(f"- {line}" for line in (*grouping.column_sentences(found), *grouping.methods(found))),
    ]
    return "\n".join(map(visible, lines))


WINDOWS_SHOWN = 12
"""Of the windows of a monitoring the last: a terminal holds no more."""


def monitoring_text(found: Monitoring) -> str:
    """What monitoring found, as a person reads it on a terminal."""
    rows = [{name: str(cell) for name, cell in row.items()} for row in monitoring.window_rows(found)]
    lines = [
        f"{count(found.n, 'case')}, {len(found.class_names)} classes; {found.spec.lens.phrase()}",
        "",
        monitoring.headline(found),
        *monitoring.more(found),
        *filter(None, (monitoring.grave_sentence(found),)),
        monitoring.windows_sentence(found),
        "",
        *([*_table(rows[-WINDOWS_SHOWN:]), ""] if rows else []),
        *(f"- {note}" for note in found.notes),
        *(f"- {line}" for line in (monitoring.unit_sentence(found),) if line),
        f"- {monitoring.order_sentence(found)}",
        f"- {monitoring.METHOD}",
        f"- {monitoring.ORDER}",
    ]
    return "\n".join(map(visible, lines))


def decisions_text(found: Decisions) -> str:
    """What the probabilities are worth at thresholds, as a person reads it on a terminal."""
    few = found.thresholds if len(found.thresholds) <= deciding.SENTENCES else ()
    of_model = found.spec.lens.within.answers
    lines = [
        f"{count(found.n, 'case')}, {len(found.class_names)} classes; {found.spec.lens.phrase()}",
        "",
        deciding.headline(found),
        *filter(None, [one_row_sentence(found.n, found.spec.unit, found.spec.seed)]),
        *filter(None, [deciding.sets_sentence(found.sets, found.spec.alpha)]),
        *(
            sentence
            for one in few
            for sentence in (
                deciding.threshold_sentence(found, one),
                deciding.frequency_sentence(found, one),
                deciding.selective_sentence(one) if of_model else deciding.treat_all_sentence(one),
                deciding.other_sentence(one),
            )
            if sentence
        ),
        "",
        "Net benefits in 100 cases",
        *_table(deciding.threshold_rows(found, deciding.MOST_ROWS), right=("Threshold", "p")),
        "",
        f"- {deciding.METHOD} It takes {found.spec.resamples:,} redraws, seed {found.spec.seed}.",
        f"- {deciding.BEFOREHAND}",
    ]
    return "\n".join(map(visible, lines))


def plan_text(plan: Plan) -> str:
    """How many cases are enough, as a person reads it on a terminal."""
    lines = [
        f"{len(plan.class_names)} classes; {plan.spec.lens.phrase()}",
        "",
        planning.headline(plan),
        planning.hardest_sentence(plan),
        planning.source_sentence(plan),
        *filter(None, [planning.unit_sentence(plan)]),
        "",
        *_table(planning.plan_rows(plan), right=("Cases",)),
        "",
        f"- {planning.METHOD.format(alpha=plan.spec.alpha)} Seed {plan.spec.seed}.",
        f"- {planning.OTHER_ERRORS}",
    ]
    return "\n".join(map(visible, lines))


def wrong_labels_text(found: WrongLabels) -> str:
    """How many wrong labels would explain what happened, as a person reads it on a terminal."""
    lines = [
        f"{count(found.n, 'case')}, {found.m} classes; {found.spec.lens.phrase()}",
        "",
        wrong_labels.sentence(found),
        *filter(None, [one_row_sentence(found.n, found.spec.unit, found.spec.seed)]),
        "",
        f"- {wrong_labels.METHOD} It takes {found.spec.resamples:,} redraws, seed {found.spec.seed}.",
    ]
    return "\n".join(map(visible, lines))


def _of_whole(survey: Survey) -> Diagnosis:
    """The look at all classes together, else the first."""
    return next((d for d in survey.diagnoses if d.spec.lens.whole), survey.diagnoses[0])


def _redraws(spec: DiagnosisSpec) -> str:
    if spec.stop_at is None:
        return f"{spec.resamples:,} redraws"
    return f"up to {spec.resamples:,} redraws, fewer where {spec.stop_at:,} were as extreme before"


def survey_text(assessment: Assessment) -> str:
    """A survey and its verdicts as a person reads them on a terminal."""
    survey, verdicts = assessment.survey, assessment.verdicts
    first = survey.diagnoses[0]
    rows = survey_cells(survey.diagnoses, verdicts)
    worst = worst_class(verdicts)
    lines = [
        f"{_cases(first)}, {first.m} classes, {count(len(rows), 'lens')}",
        "",
        chip_text(as_a_whole(verdicts)),
        *filter(None, (*planning.whole_parts_and_cases(verdicts), units_sentence(_of_whole(survey)))),
        *([] if assessment.temperature is None else [temperature_sentence(assessment.temperature)]),
        "",
        *_table(rows, right=("Adjusted p",)),
        *(f"  {lens}: not tested. {reason}" for lens, reason in survey.refused),
        *([] if worst is None else [worst[1]]),
        "",
        not_said(),
        "",
        *_table(rows_of_frequencies(assessment.frequencies)),
        "",
        "More measures",
        *_table(measures_of_lenses(survey.diagnoses)),
        *(f"  {line}" for line in measures_notes()),
        "",
        f"- Verdict: miscalibrated if the adjusted p is {first.spec.alpha:g} or less. Consistent if it is "
        f"larger and an error of {tolerance_words(first.spec.tolerance)} would have been seen.",
        f"- {lens_notes(verdicts)}",
        f"- Adjusted p: {VERDICT_TEST_NAMES[verdict_test_name(first)][0]}, "
        f"{PROMISES['exact']} ({_redraws(first.spec)}, seed {first.spec.seed}). Adjusted for the number of "
        f"lenses: {ADJUSTMENT_WORDS[first.spec.adjustment]}.",
        *(f"- {note}" for note in first.notes),
        f"- Caliblens {first.version}; fingerprint {first.fingerprint}.",
    ]
    return "\n".join(map(visible, lines))
