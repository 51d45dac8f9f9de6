"""``caliblens figure PREDICTIONS --out FILE``: one figure, as journals print them.

What draws is imported when it draws: the other commands do not pay for it.
"""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from calibcore.assessment.assess import assess
from calibcore.assessment.survey import survey
from calibcore.cli.outputs import format_of, write_file
from calibcore.data.predictions import Predictions, listed
from calibcore.diagnose import bin_pvalues_for, diagnose, reliability_for
from calibcore.diagnose.curves import curve_for
from calibcore.diagram.curves import KINDS as CURVES
from calibcore.diagram.outlines import bin_outlines
from calibcore.diagram.reliability import Reliability
from calibcore.errors import InputError
from calibcore.extras import need
from calibcore.figures.formats import FORMATS, WIDTHS
from calibcore.hypothesis_tests.families import FAMILIES, family_of
from calibcore.numerics.progress import Progress
from calibcore.sensitivity.bandwidths import bandwidth_sensitivity
from calibcore.sensitivity.binnings import binning_sensitivity
from calibcore.sensitivity.each_class import classes_by_evidence
from calibcore.spec import DiagnosisSpec
from calibcore.wording import count
from calibcore.words.arrows import arrows_sentence
from calibcore.words.bandwidths import EXPLORATORY, bandwidth_sentence
from calibcore.words.classes import classes_note, classes_sentence
from calibcore.words.diagram import diagram_sentence
from calibcore.words.letters import stand_ins_sentence
from calibcore.words.sensitivity import exploratory, sensitivity_sentence
from calibcore.words.testing import sentence_of_test, share_words
from calibcore.words.together import together_sentence

if TYPE_CHECKING:
    from calibcore.printing import Figure

FIGURES = (
    "reliability", "classical", "simplex", "tetrahedron", "null", "tests", "binnings", "bandwidths",
    "classes",
)  # fmt: skip
BY_CLASSES = {3: "simplex", 4: "tetrahedron"}
"""What is drawn of so many classes if nothing is said; "reliability" of any other number."""
DRAWN_TESTS = tuple(test for family in FAMILIES.values() for test in family.redrawn)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The flags that only this command has."""
    group = command.add_argument_group("the figure")
    group.add_argument(
        "--out", required=True, metavar="FILE", help="what is written: its ending is .pdf, .svg or .png"
    )
    group.add_argument(
        "--figure",
        choices=FIGURES,
        help="default by number of classes: 3 simplex, 4 tetrahedron, others reliability",
    )
    group.add_argument("--width", type=int, choices=WIDTHS, default=89, help="mm: one column or two (89)")
    group.add_argument("--curve", choices=CURVES, help="over the diagram of two classes, with its band")
    group.add_argument("--noun", default="case", help="what one case is called (case)")
    group.add_argument("--least", type=int, metavar="N", help="arrows only of bins with N cases or more")
    group.add_argument(
        "--without", metavar="CLASS", help="look straight at that side of the tetrahedron, not from above"
    )
    group.add_argument(
        "--test", choices=DRAWN_TESTS, default="exact-omnibus", help="whose redraws are drawn (exact-omnibus)"
    )


def check(arguments: argparse.Namespace) -> None:
    """What can be refused before the work begins: :class:`InputError` for another ending, or where what draws
    is not installed."""
    format_of(arguments.out, FORMATS)
    need("A figure for print", "print")


def write(
    arguments: argparse.Namespace, predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None
) -> str:
    """Draw and write the file; returns the sentence that says what it shows, for a caption.

    Raises
    ------
    InputError : another ending, a figure that does not fit the number of classes, a path that cannot be
        written.
    """
    format = format_of(arguments.out, FORMATS)
    draw = _OTHERS.get(arguments.figure, _bins)
    from calibcore.printing import saved, stand_ins, standing_in

    with standing_in(stand_ins(predictions.class_names)) as missed:
        drawn, says = draw(arguments, predictions, spec, progress)
    write_file(arguments.out, saved(drawn, format))
    return " ".join(filter(None, (says, stand_ins_sentence(missed.names, missed.boxes))))


def _redraws(
    arguments: argparse.Namespace, predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None
) -> "tuple[Figure, str]":
    """The null distribution of one test, with the p-value that the whole diagnosis has."""
    family = family_of(arguments.test).kind
    diagnosis = diagnose(predictions, replace(spec, tests=(family,), estimates=()), progress)
    test = diagnosis.test(arguments.test)
    if test is None or test.result is None:
        why = "it is not made for these cases" if test is None else test.note
        raise InputError(f"There is nothing to draw of the test {arguments.test!r}: {why}.")
    from calibcore.printing import null_print

    says = f"{sentence_of_test(diagnosis, test.name)} {share_words(test.result)}"
    return null_print(test, spec.distance, arguments.width), says


def _tests(
    arguments: argparse.Namespace, predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None
) -> "tuple[Figure, str]":
    """Every test on one axis."""
    diagnosis = diagnose(predictions, replace(spec, estimates=()), progress)
    if not diagnosis.tests:
        raise InputError("There are no tests to draw: weighted cases give estimates only.")
    from calibcore.printing import aligned_print

    return aligned_print(diagnosis, arguments.width), together_sentence(diagnosis)


def _binnings(
    arguments: argparse.Namespace, predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None
) -> "tuple[Figure, str]":
    """The ECE over many ways of binning."""
    found = binning_sensitivity(predictions, spec, progress)
    from calibcore.printing import sensitivity_print

    return sensitivity_print(found, arguments.width), f"{sensitivity_sentence(found)} {exploratory(found)}"


def _bandwidths(
    arguments: argparse.Namespace, predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None
) -> "tuple[Figure, str]":
    """The exact kernel test over two decades of bandwidths."""
    found = bandwidth_sensitivity(predictions, spec, progress)
    from calibcore.printing import bandwidth_print

    return bandwidth_print(found, arguments.width), f"{bandwidth_sentence(found)} {EXPLORATORY}"


def _classes(
    arguments: argparse.Namespace, predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None
) -> "tuple[Figure, str]":
    """Every class against all others, as a survey judges them."""

    def half(start: float) -> Progress | None:
        return progress and (lambda fraction, words: progress(start + fraction / 2, words))

    surveyed = survey(predictions, spec, progress=half(0))
    classes = classes_by_evidence(assess(predictions, surveyed, half(0.5)))
    from calibcore.printing import multiples_print

    return multiples_print(classes, arguments.width), f"{classes_sentence(classes)} {classes_note(classes)}"


_OTHERS = {
    "null": _redraws, "tests": _tests, "binnings": _binnings, "bandwidths": _bandwidths, "classes": _classes,
}  # fmt: skip
"""Figures of more than the bins of one binning."""


def _bins(
    arguments: argparse.Namespace, predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None
) -> "tuple[Figure, str]":
    """The diagram of the bins."""
    found = reliability_for(predictions, spec, progress)
    m, noun, width = len(found.class_names), arguments.noun, arguments.width
    kind = arguments.figure or BY_CLASSES.get(m, "reliability")
    if kind == "classical" and m != 2:
        raise InputError(
            f"There are {m} classes; the classical diagram shows 2, as a lens for one class has."
        )
    from calibcore.printing import reliability_print, simplex_print, tetrahedron_print

    if kind in ("reliability", "classical"):
        kept = None if arguments.curve is None else curve_for(predictions, spec, arguments.curve, progress)
        says = diagram_sentence(found, noun, kept)
        return reliability_print(found, noun, kind == "classical", kept, width=width), says
    least = found.fewest_worth_showing if arguments.least is None else arguments.least
    if not len(found.fullest(least)):
        raise InputError(
            f"No bin holds {count(least, noun)}: the fullest has {int(found.counts.max()):,}. Lower --least."
        )
    tests = bin_pvalues_for(predictions, spec, found.n_bins, progress)
    says = arrows_sentence(found, tests, spec.alpha)
    if kind == "tetrahedron":
        corner = _corner(arguments, found)
        return tetrahedron_print(found, noun, least, corner, tests, spec.alpha, width=width), says
    cells = bin_outlines(spec.lens(predictions).probs, spec.binning) if m == 3 else ()
    drawn = simplex_print(found, noun, spec.binning, least, tests, spec.alpha, cells, width=width)
    return drawn, says


def _corner(arguments: argparse.Namespace, diagram: Reliability) -> int | None:
    if arguments.without is None:
        return None
    if arguments.without not in diagram.class_names:
        raise InputError(
            f"There is no class {arguments.without!r:.60}; expected one of {listed(diagram.class_names, 8)}."
        )
    return diagram.class_names.index(arguments.without)
