"""The answer about what recalibration would do."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from calibcore.answers.blocks import (
    Answer,
    Beside,
    Cases,
    Caution,
    Chart,
    Fold,
    Headline,
    Methods,
    Sentences,
)
from calibcore.answers.question import Question
from calibcore.answers.tables import Column, Table
from calibcore.data.predictions import Predictions
from calibcore.flags import can_be_typed
from calibcore.io import Reading
from calibcore.numerics.progress import Progress
from calibcore.questions.recalibrate import MAPS, Method, Recalibration, recalibrate
from calibcore.questions.recalibrate import words as recalibrating
from calibcore.questions.recalibrate.ask import FOLDS
from calibcore.questions.recalibrate.by_label import BY_LABEL
from calibcore.settings import DiagnosisSpec
from calibcore.transforms.lenses import LabelLens, Lens
from calibcore.wording import count
from calibcore.words.looking import classes_in, name_in
from calibcore.words.phrases import one_row_sentence
from calibcore.words.repeating import (
    COMPARED,
    Command,
    Repeat,
    as_asked,
)
from calibcore.words.sizes import gap_cell, typical_digits

OF_CASES = ("steps", "edges", "shares", "smallest")
"""Parameters of maps that are, or may be, probabilities of single cases."""


def says(recalibration: Recalibration, noun: str = "case", _shared: Recalibration | None = None) -> Answer:
    """The answer; all of it may be told, but for parameters of maps, which stand in the document alone."""
    table = methods_table(recalibration, noun)
    chart = Chart(
        name="improve",
        title=table.title,
        says=recalibrating.figure_sentence(recalibration),
        screen="recalibration.gains_figure",
        paper="gains_print",
        of=recalibration,
        noun="",
        table=table,
        term="gain",
        table_open=True,
    )
    refused = tuple(recalibrating.refused_sentences(recalibration))
    return Answer(
        (count(recalibration.n, noun), classes_in(recalibration)),
        name_in(recalibration),
        (
            Headline(recalibrating.headline(recalibration)),
            Cases(one_row_sentence(recalibration.n, recalibration.spec.unit, recalibration.spec.seed)),
            Sentences(tuple(recalibrating.evidence_sentences(recalibration))),
            table,
            chart,
            Fold(f"Not tried: {len(refused)}", (Sentences(refused),) if refused else ()),
            Beside(recalibrating.of_temperature(recalibration)),
            Sentences((recalibrating.class_mix_sentence(recalibration),)),
            Methods(
                "How recalibration was judged",
                (recalibrating.METHOD, recalibrating.NO_TEST),
                f"It takes {recalibration.folds} folds, seed {recalibration.spec.seed}.",
            ),
            Caution(recalibrating.CANNOT_MEND),
        ),
    )


def methods_table(recalibration: Recalibration, noun: str = "case") -> Table[Method]:
    """A row a method, in the order of the figure. Below it whether a map is itself off."""
    digits = typical_digits([method.typical_gap for method in recalibration.methods])

    def brier(method: Method) -> tuple[float, ...]:
        return method.brier.value, method.brier.low, method.brier.high

    def adjusted(method: Method) -> str | None:
        return recalibrating.adjusted_words(method, short=True) or None

    columns: tuple[Column[Method], ...] = (
        Column("Method", "method", lambda method: method.kind, lambda kind: MAPS[kind].label),
        Column("Answer", "", lambda method: method, recalibrating.answer_words),
        Column("", "answer", lambda method: method.answer),
        Column(recalibrating.SHARES, "", lambda method: method, recalibrating.share_words),
        Column("", "gain, share of the loss", lambda method: method.share),
        Column(
            "Brier gain",
            ("Brier gain", "Brier gain, low", "Brier gain, high"),
            brier,
            recalibrating.brier_words,
        ),
        Column("Log loss gain", "", lambda method: method.log_loss, recalibrating.gain_words, unknown="–"),
        Column("", "log loss gain", lambda method: method.log_loss and method.log_loss.value),
        Column("By chance", "", lambda method: method.test, recalibrating.by_chance_words, unknown="–"),
        Column("", "p", lambda method: method.test and method.test.pvalue),
        Column("Adjusted p", "", adjusted, right=True, unknown="–"),
        Column("", "adjusted p", lambda method: method.adjusted),
        Column("Typical gap after", "", lambda method: method.typical_gap, lambda gap: gap_cell(gap, digits)),
        Column("", "typical gap after", lambda method: method.typical_gap.value),
        Column("", "accuracy after", lambda method: method.accuracy),
        Column("Remark", "", lambda method: method.note),
    )
    split = recalibration.split
    believed = "" if split is None else recalibrating.split_sentence(recalibration, split, noun)
    return Table(
        "recalibration",
        "Methods of recalibration, by their Brier gain",
        columns,
        recalibration.methods,
        rows_are="methods",
        notes=(believed,),
        of_lens=False,
    )


def _document(recalibration: Recalibration, shared: Recalibration) -> dict[str, Any]:
    """With all parameters of its maps where all may be told, else without those of single cases."""
    document = recalibration.to_document()
    if shared is recalibration:
        return document
    split = document["split"]
    maps = [method["parameters"] for method in document["methods"]]
    for parameters in maps if split is None else [*maps, split["map"]]:
        for name in OF_CASES:
            parameters.pop(name, None)
    return document


def _ask(
    predictions: Predictions, spec: DiagnosisSpec, _lenses: Sequence[Lens] | None, **more: Any
) -> Callable[[Progress | None], Recalibration]:
    """Through the lens that it has where none is said: a report looks through many. A label has its own."""
    as_given = spec if isinstance(spec.lens, LabelLens) else replace(spec, lens=DiagnosisSpec().lens)
    return lambda progress: recalibrate(predictions, spec=as_given, progress=progress, **more)


def recalibration_command(recalibration: Recalibration, origin: Reading | str) -> Repeat:
    """The command that says the same of recalibration again."""
    command = Command("recalibrate", origin)
    methods = {method.kind for method in recalibration.methods} | set(recalibration.refused)
    if methods != set(MAPS):
        for kind in MAPS:
            if kind in methods:
                command.flag("--method", kind)
    if recalibration.folds != FOLDS:
        command.flag("--folds", str(recalibration.folds))
    if (
        recalibration.split is not None
        and recalibration.split.by is not None
        and can_be_typed(recalibration.split.by)
    ):
        command.flag("--split-by", recalibration.split.by)
    return command.repeat(as_asked(recalibration.spec), COMPARED)


QUESTION = Question(
    name="recalibration",
    result=Recalibration,
    title="What recalibration would do",
    help="what recalibration would do, with an honest gain",
    says=says,
    without_cases=copy,  # nothing but parameters is left out, see _document
    repeat=recalibration_command,
    again="And this one says the same of recalibration:",
    document=_document,
    place=20,
    what="The recalibration was made",
    without_counts=copy,
    against=recalibrating.against,
    flag="also what recalibration would do, as 'recalibrate' says it",
    ask=_ask,
    by_label=BY_LABEL,
)
