"""The part of a report that says what recalibration would do."""

from calibcore.drawing import on_paper, on_screen
from calibcore.io import Reading
from calibcore.questions.recalibrate import Recalibration
from calibcore.report.parts import Part
from calibcore.report.plates import Plate, plate_of
from calibcore.words import recalibrating
from calibcore.words.repeating import recalibration_command
from calibcore.words.reporting import RECALIBRATION_HEADING

METHODS_HEAD = "How recalibration was judged"
OF_CASES = ("steps", "edges", "shares", "smallest")
"""Parameters of maps that are, or may be, probabilities of single cases."""


def recalibrated_part(
    found: Recalibration, origin: Reading | str, noun: str = "case", with_rows: bool = False
) -> Part:
    """What a report says of recalibration; ``origin`` says how the file was read."""
    document = found.to_document()
    split = document["split"]
    if not with_rows:
        maps = [one["parameters"] for one in document["methods"]] + ([] if split is None else [split["map"]])
        for parameters in maps:
            for name in OF_CASES:
                parameters.pop(name, None)
    believed = "" if found.split is None else recalibrating.split_sentence(found.split, noun)
    below = " ".join(filter(None, (believed, recalibrating.CANNOT_MEND)))
    words = (recalibrating.METHOD, recalibrating.NO_TEST)
    return Part(
        "recalibration",
        document,
        _plate(found),
        (("recalibration", "Methods of recalibration", recalibrating.method_rows(found), below),),
        (METHODS_HEAD, " ".join(words)),
        RECALIBRATION_HEADING,
        recalibration_command(found, origin),
    )


def _plate(found: Recalibration) -> Plate:
    sentences = [recalibrating.headline(found), recalibrating.class_mix_sentence(found)]
    if found.methods:
        sentences.insert(1, recalibrating.gap_sentence(found, found.methods[0]))
    return plate_of(
        "recalibration",
        "What recalibration would do",
        sentences,
        recalibrating.method_rows(found),
        on_screen("recalibration.gains_figure", found),
        on_paper("gains_print", found),
    )
