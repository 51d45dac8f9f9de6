"""``caliblens figure PREDICTIONS --out FILE``: one figure, as journals print them.

What draws is imported when it draws: the other commands do not pay for it.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibcore.assessment.assess import assess
from calibcore.assessment.survey import survey
from calibcore.charts.formats import FORMATS, MOST_ARROWS, WIDTHS
from calibcore.cli import flags
from calibcore.cli.requests import request_from, settings_on
from calibcore.cli.running import format_of, opened, part, warn, write_file
from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.diagnose import bin_pvalues_for, diagnose, reliability_for
from calibcore.diagnose.curves import curve_for
from calibcore.diagram.curves import KINDS as CURVES
from calibcore.diagram.zoom import Zoom, zooms
from calibcore.drawing import on_paper
from calibcore.errors import InputError
from calibcore.extras import need
from calibcore.hypothesis_tests.families import FAMILIES, family_of
from calibcore.numerics.progress import Progress
from calibcore.numerics.types import Float
from calibcore.questions.decide import decide
from calibcore.questions.decide import words as deciding
from calibcore.questions.without_bins import average_without_bins
from calibcore.sensitivity.bandwidths import bandwidth_sensitivity
from calibcore.sensitivity.binnings import binning_sensitivity
from calibcore.sensitivity.each_class import classes_by_evidence
from calibcore.settings import DiagnosisSpec, lens_to_words
from calibcore.transforms.lenses import TopKLens
from calibcore.transforms.nulls import Identity
from calibcore.wording import count, listed, quote, sentences
from calibcore.words import smooth
from calibcore.words.arrows import arrows_sentence, zoom_sentence, zoom_word
from calibcore.words.classes import classes_note, classes_sentence
from calibcore.words.diagram import diagram_sentence
from calibcore.words.letters import stand_ins_sentence
from calibcore.words.sensitivity import EXPLORATORY, bandwidth_sentence, exploratory, sensitivity_sentence
from calibcore.words.testing import sentence_of_test, share_words, together_sentence

HELP = "write one figure as PDF, SVG or PNG, for print"
PLACE = 40
EXAMPLES = (
    "figure predictions.csv --lens confidence --out reliability.pdf",
    "figure predictions.csv --figure classes --width 183 --out classes.svg",
)

BY_CLASSES = {3: "simplex", 4: "tetrahedron"}
"""What is drawn of so many classes if nothing is said; "reliability" of any other number."""
Drawn = tuple[Callable[[float], Any], str]
"""Millimetres of width -> the figure; the sentence that says what it shows."""


@dataclass(frozen=True)
class Wanted:
    """A figure as it was asked for, and what it is made of."""

    arguments: argparse.Namespace
    predictions: Predictions
    spec: DiagnosisSpec
    progress: Progress | None


WITH_ARROWS = (None, "simplex", "tetrahedron", "without-bins")
"""What --zoom may go with; None: what fits the number of classes."""
DRAWN_TESTS = tuple(test for family in FAMILIES.values() for test in family.redrawn)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.look_flags(command)
    flags.lens_flag(command)
    add = command.add_argument_group("the figure").add_argument
    add("--out", required=True, metavar="FILE", help="what is written: its ending is .pdf, .svg or .png")
    add(
        "--figure",
        choices=FIGURES,
        help="default by number of classes: 3 simplex, 4 tetrahedron, others reliability",
    )
    add("--width", type=int, choices=WIDTHS, default=89, help="mm: one column or two (89)")
    add("--curve", choices=CURVES, help="over the diagram of two classes, with its band")
    add("--noun", default="case", help="what one case is called (case)")
    add("--least", type=int, metavar="N", help="arrows only of bins with N cases or more")
    add("--without", metavar="CLASS", help="look straight at that side of the tetrahedron, not from above")
    add(
        "--zoom",
        metavar="PART",
        help="of arrows: near:CLASS, a corner that they crowd, or predictions, where all of them lie",
    )
    add(
        "--test", choices=DRAWN_TESTS, default="exact-omnibus", help="whose redraws are drawn (exact-omnibus)"
    )


def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """Draw and write the file; the sentence that says what it shows, for a caption.

    What can be refused is refused before the work begins.

    Raises
    ------
    InputError : another ending, what draws is not installed, a figure that does not fit the settings or the
        number of classes, a path that cannot be written.
    """
    request = request_from(arguments)
    if arguments.zoom is not None and arguments.figure not in WITH_ARROWS:
        raise _no_arrows()
    _refuse_what_no_figure_shows(arguments.figure, request.spec)
    format = format_of(arguments.out, FORMATS)
    need("A figure for print", "print")
    with opened(arguments, request) as (reading, before):
        warn(before)
        spec, predictions = request.spec, reading.predictions
        if predictions.confidence_only and arguments.lens is None and arguments.spec is None:
            spec = replace(spec, lens=TopKLens(1))  # the only one that it has
        if arguments.figure != "classes":  # which looks through lenses of two classes
            spec = settings_on(predictions, replace(request, spec=spec))
        return _written(Wanted(arguments, predictions, spec, progress), format), 0


def _written(wanted: Wanted, format: str) -> str:
    from calibcore.painters.paper import saved, stand_ins, standing_in

    with standing_in(stand_ins(wanted.predictions.class_names)) as missed:
        printed, sentence = _BEYOND_BINS.get(wanted.arguments.figure, _bins)(wanted)
        figure = printed(wanted.arguments.width)
    write_file(wanted.arguments.out, saved(figure, format))
    return sentences(sentence, stand_ins_sentence(missed.names, missed.boxes))


def _refuse_what_no_figure_shows(kind: str | None, spec: DiagnosisSpec) -> None:
    figure = kind or "reliability"
    if figure == "classes" and spec.lens != DiagnosisSpec().lens:
        raise InputError(
            f"The settings look through the lens {shown(lens_to_words(spec.lens))}; the figure 'classes' "
            "shows every class. Say so by --lens canonical, or take another figure."
        )
    if figure not in ("null", "tests", "bandwidths") and not isinstance(spec.null, Identity):
        raise InputError(
            f"The null hypothesis is '{spec.null.kind}'; the figure '{figure}' shows calibration. Take the "
            "figure 'null', 'tests' or 'bandwidths', or --null identity."
        )
    if figure in ("binnings", "bandwidths", "classes") and spec.stop_at is not None:
        raise InputError(
            f"The settings stop tests at {spec.stop_at:,} redraws as extreme; the figure '{figure}' makes "
            "all redraws. Say so by --stop-at none."
        )


def _redraws(wanted: Wanted) -> Drawn:
    """The null distribution of one test, with the p-value that the whole diagnosis has."""
    name = wanted.arguments.test
    spec = replace(wanted.spec, tests=(family_of(name).kind,), estimates=())
    diagnosis = diagnose(wanted.predictions, spec, wanted.progress)
    test = diagnosis.test(name)
    if test is None or test.result is None:
        why = "it is not made for these cases" if test is None else test.note
        raise InputError(f"There is nothing to draw of the test {quote(name)}: {why}.")
    sentence = f"{sentence_of_test(diagnosis, name)} {share_words(test.result)}"
    return on_paper("null_print", test, spec.distance), sentence


def _tests(wanted: Wanted) -> Drawn:
    """Every test on one axis."""
    diagnosis = diagnose(wanted.predictions, replace(wanted.spec, estimates=()), wanted.progress)
    if not any(test.result for test in diagnosis.tests):
        notes = [test.note.removeprefix("withheld: ") for test in diagnosis.tests]
        raise InputError(f"There are no tests to draw: {[*notes, 'none was asked for'][0]}.")
    return on_paper("aligned_print", diagnosis), together_sentence(diagnosis)


def _binnings(wanted: Wanted) -> Drawn:
    """The ECE over many ways of binning."""
    sensitivity = binning_sensitivity(wanted.predictions, wanted.spec, wanted.progress)
    sentence = f"{sensitivity_sentence(sensitivity)} {exploratory(sensitivity)}"
    return on_paper("sensitivity_print", sensitivity), sentence


def _bandwidths(wanted: Wanted) -> Drawn:
    """The exact kernel test over two decades of bandwidths."""
    sensitivity = bandwidth_sensitivity(wanted.predictions, wanted.spec, wanted.progress)
    return on_paper("bandwidth_print", sensitivity), f"{bandwidth_sentence(sensitivity)} {EXPLORATORY}"


def _classes(wanted: Wanted) -> Drawn:
    """Every class against all others, as a survey judges them."""
    result = survey(wanted.predictions, wanted.spec, progress=part(wanted.progress, 0.0, 0.5))
    classes = classes_by_evidence(assess(wanted.predictions, result, part(wanted.progress, 0.5, 0.5)))
    return on_paper("multiples_print", classes), f"{classes_sentence(classes)} {classes_note(classes)}"


def _without_bins(wanted: Wanted) -> Drawn:
    """A curve of two classes, arrows of three, of predictions in place of bins."""
    m, noun = wanted.spec.lens(wanted.predictions).m, wanted.arguments.noun
    if m not in (2, 3):
        raise InputError(f"There are {m} classes; without bins 2 or 3 can be drawn. Name a lens by --lens.")
    smoothed = average_without_bins(wanted.predictions, wanted.spec, wanted.progress)
    if m == 2:
        if wanted.arguments.zoom is not None:
            raise _no_arrows()
        return on_paper("smooth_curve_print", smoothed, noun), smooth.sentence(smoothed, wanted.spec.lens)
    zoom, where = _zoom(
        wanted.arguments.zoom, smoothed.places, smoothed.places + smoothed.arrows, smoothed.class_names
    )
    sentence = sentences(smooth.sentence(smoothed), where)
    return on_paper("smooth_print", smoothed, noun, zoom), sentence


def _decisions(wanted: Wanted) -> Drawn:
    """The decision curve."""
    decisions = decide(wanted.predictions, wanted.spec, progress=wanted.progress)
    return on_paper("decision_print", decisions, wanted.arguments.noun), deciding.headline(
        decisions, wanted.arguments.noun
    )


_BEYOND_BINS = {
    "null": _redraws, "tests": _tests, "binnings": _binnings, "bandwidths": _bandwidths, "classes": _classes,
    "without-bins": _without_bins, "decisions": _decisions,
}  # fmt: skip
"""Figures of more than the bins of one binning."""
FIGURES = ("reliability", "classical", "simplex", "tetrahedron", *_BEYOND_BINS)


def _bins(wanted: Wanted) -> Drawn:
    """The diagram of the bins."""
    arguments, predictions, spec = wanted.arguments, wanted.predictions, wanted.spec
    diagram = reliability_for(predictions, spec, wanted.progress)
    m, noun = len(diagram.class_names), arguments.noun
    kind = arguments.figure or BY_CLASSES.get(m, "reliability")
    if kind == "classical" and m != 2:
        raise InputError(
            f"There are {m} classes; the classical diagram shows 2, as a lens for one class has."
        )
    if kind in ("reliability", "classical"):
        if arguments.zoom is not None:
            raise _no_arrows()
        shape = arguments.curve
        curve = None if shape is None else curve_for(predictions, spec, shape, wanted.progress)
        sentence = diagram_sentence(diagram, noun, curve, spec.lens)
        return on_paper("reliability_print", diagram, noun, kind == "classical", curve), sentence
    least = diagram.fewest_worth_showing if arguments.least is None else arguments.least
    if not len(diagram.fullest(least)):
        raise InputError(
            f"No bin holds {count(least, noun)}: the fullest has {int(diagram.counts.max()):,}. "
            "Lower --least."
        )
    tests = bin_pvalues_for(predictions, spec, diagram.n_bins, wanted.progress)
    bins = diagram.fullest(least, MOST_ARROWS[m]) if m in MOST_ARROWS else diagram.fullest(least)
    ends = diagram.mean_prediction[bins], diagram.observed[bins]
    zoom, where = _zoom(arguments.zoom, *ends, diagram.class_names)
    sentence = sentences(arrows_sentence(diagram, tests, spec.alpha, noun), where)
    if kind == "tetrahedron":
        corner = _corner(arguments.without, diagram.class_names)
        printed = on_paper("tetrahedron_print", diagram, noun, least, corner, tests, spec.alpha, zoom=zoom)
        return printed, sentence
    drawn = diagram, noun, spec.binning, least, tests, spec.alpha
    return on_paper("simplex_print", *drawn, zoom=zoom), sentence


def _no_arrows() -> InputError:
    return InputError(
        "There are no arrows in this figure; --zoom is for 'simplex', 'tetrahedron', and 'without-bins' of "
        "3 classes."
    )


def _zoom(word: str | None, tail: Float, tip: Float, names: Sequence[str]) -> tuple[Zoom, str]:
    """The part that is drawn, one of those that the app offers, and the sentence that says which it is."""
    if word is None:
        return Zoom((0.0,) * len(names)), ""
    parts = {zoom_word(part, names): part for part in zooms(tail, tip)}
    if not parts:
        raise InputError("The arrows crowd no corner and lie far apart: there is no part for --zoom.")
    if word not in parts:
        expected = " or ".join(map(shown, parts))
        raise InputError(f"There is no part {word!r:.60} for --zoom; expected {expected}.")
    zoom = parts[word]
    return zoom, zoom_sentence(zoom, names, int(zoom.holds(tail).sum()), len(tail))


def _corner(name: str | None, names: tuple[str, ...]) -> int | None:
    if name is None:
        return None
    if name not in names:
        raise InputError(f"There is no class {name!r:.60}; expected one of {listed(names, 8)}.")
    return names.index(name)
