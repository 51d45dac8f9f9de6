"""The part of a report that sets its model beside others on the same cases."""

from collections.abc import Mapping
from dataclasses import replace

from calibcore.drawing import on_paper, on_screen
from calibcore.io import Reading
from calibcore.questions.compare import Comparison
from calibcore.report.cleaning import LONGEST_NAME, one_line
from calibcore.report.parts import Part
from calibcore.report.plates import Plate, plate_of
from calibcore.report.privacy import comparison_without_cases
from calibcore.words import comparing
from calibcore.words.looking import name_in
from calibcore.words.repeating import comparison_command
from calibcore.words.reporting import COMPARISON_HEADING

METHODS_HEAD = "How models were compared"


def compared(comparison: Comparison, origins: Mapping[str, Reading | str], with_rows: bool = False) -> Part:
    """What a report says of a comparison; ``origins`` says by name how the file of each model was read."""
    repeat = comparison_command(comparison, origins)
    full = _named(comparison)
    of = full if with_rows else comparison_without_cases(full)
    joined = " ".join((comparing.joined_sentence(of), *of.notes))
    return Part(
        "comparison",
        of.to_document(),
        _plate(of),
        (
            ("models", "Models compared, by typical gap", comparing.model_rows(of), joined),
            ("pairs", "Pair by pair", comparing.pair_rows(of), "Differences are first less second."),
            (
                "left-out",
                "What each model leaves out",
                comparing.nested_rows(of),
                comparing.BETTER_IS_NOT_ALL,
            ),
        ),
        (METHODS_HEAD, " ".join((comparing.METHOD, comparing.SCORES_METHOD, comparing.NESTED_METHOD))),
        COMPARISON_HEADING,
        repeat,
    )


def _named(comparison: Comparison) -> Comparison:
    """With names that a report can show: one line each, not too long, no two alike."""
    names: dict[str, str] = {}
    for model in comparison.models:
        short, number = one_line(model.name, LONGEST_NAME), 1
        while (shown := short if number == 1 else f"{short} ({number})") in names.values():
            number += 1
        names[model.name] = shown
    return replace(
        comparison,
        models=tuple(replace(model, name=names[model.name]) for model in comparison.models),
        pairs=tuple(replace(pair, a=names[pair.a], b=names[pair.b]) for pair in comparison.pairs),
        nested=tuple(
            replace(one, model=names[one.model], given=names[one.given]) for one in comparison.nested
        ),
        notes=tuple(one_line(note) for note in comparison.notes),
    )


def _plate(comparison: Comparison) -> Plate:
    sentences = (comparing.headline(comparison), comparing.best_score(comparison))
    return plate_of(
        "comparison",
        f"Compared through the same lens: {name_in(comparison)}",
        sentences,
        comparing.model_rows(comparison),
        on_screen("forest.comparison_figure", comparison),
        on_paper("comparison_print", comparison),
    )
