"""What a report may hold beside the survey, where its author wants it: a part each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibcore.answers import QUESTIONS
from calibcore.answers.blocks import Caution, Chart, Methods, Notes, Sentences, every_table
from calibcore.data.times import DayOrder
from calibcore.drawing import on_paper, on_screen
from calibcore.io import Reading
from calibcore.questions.compare import Comparison
from calibcore.questions.plan import Plan
from calibcore.questions.recalibrate import Recalibration
from calibcore.report.cleaning import named_comparison, one_line, short_name
from calibcore.report.plates import Plate, plate_of
from calibcore.report.privacy import comparison_without_cases
from calibcore.wording import in_noun, plural, sentences
from calibcore.words import comparing, planning, recalibrating, reporting
from calibcore.words.looking import name_in
from calibcore.words.repeating import (
    Repeat,
    comparison_command,
    plan_command,
    recalibration_command,
)

OF_CASES = ("steps", "edges", "shares", "smallest")
"""Parameters of maps that are, or may be, probabilities of single cases."""


@dataclass(frozen=True, eq=False)
class Table:
    """Rows with the same keys, what stands above and below them."""

    name: str
    title: str
    rows: Sequence[Mapping[str, object]]
    note: str = ""


@dataclass(frozen=True, eq=False)
class Part:
    """A question that was asked beside the survey, and what came of it.

    Attributes
    ----------
    document : what was found, with names as they are shown; nothing of single cases unless rows are wanted
    plate : its figure
    tables : its tables, in their order
    methods : heading and paragraph
    heading : what stands above the command
    repeat : the command that gives the same again
    """

    document: Mapping[str, Any]
    plate: Plate
    tables: tuple[Table, ...]
    methods: tuple[str, str]
    heading: str
    repeat: Repeat

    @property
    def name(self) -> str:
        """Its key in the report's document, "comparison" say."""
        return self.plate.name


def compared(comparison: Comparison, origins: Mapping[str, Reading | str], with_rows: bool = False) -> Part:
    """What a report says of a comparison; ``origins`` says by name how the file of each model was read."""
    of = named_comparison(comparison)
    of = of if with_rows else comparison_without_cases(of)
    rows = comparing.model_rows(of)
    plate = plate_of(
        "comparison",
        f"Compared through the same lens: {name_in(of)}",
        (comparing.headline(of), comparing.best_score(of)),
        rows,
        on_screen("forest.comparison_figure", of),
        on_paper("comparison_print", of),
    )
    joined = " ".join((comparing.joined_sentence(of), *of.notes))
    nested, beside = comparing.nested_rows(of), comparing.BETTER_IS_NOT_ALL
    tables = (
        Table("models", "Models compared, by typical gap", rows, joined),
        Table("pairs", "Pair by pair", comparing.pair_rows(of), "Differences are first less second."),
        Table("left-out", "What each model leaves out", nested, beside),
    )
    methods = " ".join((comparing.METHOD, comparing.SCORES_METHOD, comparing.NESTED_METHOD))
    return Part(
        of.to_document(),
        plate,
        tables,
        ("How models were compared", methods),
        reporting.COMPARISON_HEADING,
        comparison_command(comparison, origins),
    )


def recalibrated_part(
    found: Recalibration, origin: Reading | str, noun: str = "case", with_rows: bool = False
) -> Part:
    """What a report says of recalibration; ``origin`` says how the file was read."""
    document, rows = found.to_document(), recalibrating.method_rows(found)
    if not with_rows:
        split = document["split"]
        maps = [one["parameters"] for one in document["methods"]] + ([] if split is None else [split["map"]])
        for parameters in maps:
            for name in OF_CASES:
                parameters.pop(name, None)
    gap = recalibrating.gap_sentence(found, found.methods[0]) if found.methods else ""
    plate = plate_of(
        "recalibration",
        "What recalibration would do",
        (recalibrating.headline(found), gap, recalibrating.class_mix_sentence(found)),
        rows,
        on_screen("recalibration.gains_figure", found),
        on_paper("gains_print", found),
    )
    believed = "" if found.split is None else recalibrating.split_sentence(found.split, noun)
    below = sentences(believed, recalibrating.CANNOT_MEND)
    return Part(
        document,
        plate,
        (Table("recalibration", "Methods of recalibration", rows, below),),
        ("How recalibration was judged", f"{recalibrating.METHOD} {recalibrating.NO_TEST}"),
        reporting.RECALIBRATION_HEADING,
        recalibration_command(found, origin),
    )


def answered(
    found: Any,
    origin: Reading | str,
    noun: str = "case",
    with_rows: bool = False,
    dates: DayOrder | None = None,
) -> Part | None:
    """What a report says of an answer; ``origin`` says how the file was read, ``dates`` how dates were. None
    where all of it would be about single cases, and no rows are wanted."""
    question = QUESTIONS[type(found)]
    told = found if with_rows else question.without_cases(found)
    if told is None:
        return None
    shown = question.named(found, short_name, one_line)
    told = shown if told is found else question.named(told, short_name, one_line)
    answer = question.says(shown, noun, told)
    (chart,), (methods,) = answer.each(Chart), answer.each(Methods)
    resting = (line for block in answer.each(Sentences) for line in block.lines)
    notes = [line for block in answer.each(Notes) for line in block.lines]
    notes += [block.text for block in answer.each(Caution)]
    in_words = answer.lens in chart.caption
    plate = plate_of(
        question.name,
        question.title if in_words else f"{question.title}: {answer.lens}",
        (answer.headline, chart.caption, *resting),
        chart.table.few_rows(),
        on_screen(chart.screen, chart.of, **chart.named),
        on_paper(chart.paper, chart.of, **chart.named),
    )
    tables = [
        Table(
            table.name,
            f"{table.title}, {answer.lens}",
            table.few_rows(),
            sentences(*table.notes, *(() if i else notes)),
        )
        for i, table in enumerate(every_table(answer.blocks))
        if table.items or table.notes
    ]
    return Part(
        question.document(shown, told),
        plate,
        tuple(tables),
        (methods.title, " ".join(methods.lines)),
        question.again,
        question.repeat(found, origin, *((dates,) if question.dated else ())),
    )


def planned_part(found: Plan, origin: Reading | str, noun: str = "case") -> Part:
    """What a report says of how many cases would tell; ``origin`` says how the file was read."""
    rows = planning.plan_rows(found, noun)
    plate = plate_of(
        "plan",
        planning.ENOUGH.replace("cases", plural(noun)),
        (in_noun(words, noun) for words in planning.plan_sentences(found)),
        rows,
        on_screen("enough.enough_figure", found, noun=noun),
        on_paper("enough_print", found, noun),
    )
    return Part(
        found.to_document(),
        plate,
        (Table("plan", f"How small an error is seen, {name_in(found)}", rows),),
        ("How it was planned", in_noun(f"{planning.method_sentence(found)} {planning.OTHER_ERRORS}", noun)),
        reporting.PLAN_HEADING,
        plan_command(found, origin),
    )
