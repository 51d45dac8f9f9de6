"""What a command is asked for: the settings of ``--spec``, and the flags that override them.

What the settings ask for and a command does not do is refused: it would be another answer than was asked for.
"""

import argparse
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, cast

from calibcore.assessment.rerun import Repeatable, repeatable
from calibcore.cli.files import files_of
from calibcore.data.outside_text import shown
from calibcore.data.several_labels import Cases
from calibcore.diagnose.parts import in_usual_bins
from calibcore.diagram.binning import Binning
from calibcore.errors import InputError
from calibcore.flags import NONE, entries, numbers_from_list
from calibcore.kernels import KERNELS, Kernel, with_kind
from calibcore.settings import ESTIMATES, TESTS, DiagnosisSpec, lens_from_words, lens_to_words
from calibcore.settings.text import loaded
from calibcore.settings.words import binning_from_words, binning_to_words
from calibcore.transforms.lenses import Lens

SURVEYS = ("survey", "report")
"""Commands that look through many lenses and come to a verdict."""
FREE_LOOKS = ("diagnose", "stream", "figure")
"""Commands that make the tests and estimates that are asked for; the others what their verdicts rest on."""
EVERY_TEST = (TESTS, TESTS[1:])
"""What asks for no test in particular: all of them, and all that earlier versions had."""
OF_SURVEYS = {
    "tests": (TESTS, ("exact-omnibus",), TESTS[1:], ("exact",)),
    "estimates": (ESTIMATES, ()),
}
"""What settings may say of what a survey makes: nothing in particular, or just that; then as earlier versions
wrote it."""
MOST_LENSES_NAMED = 12


@dataclass(frozen=True)
class Request:
    """Settings; of a survey also its lenses and its binning of many classes, None where nothing was said.

    ``binning_given``: whether any binning was asked for; else each number of classes has its usual one.
    ``shared``: the survey or report that they come from, if they do.
    """

    spec: DiagnosisSpec
    lenses: tuple[Lens, ...] | None = None
    many: Binning | None = None
    binning_given: bool = True
    shared: Repeatable | None = None


def request_from(arguments: argparse.Namespace) -> Request:
    """What a command is asked for.

    Raises
    ------
    InputError : settings that cannot be read, or that the command cannot honour.
    """
    document = None if arguments.spec is None else _document_of(arguments)
    of_survey = arguments.command in SURVEYS
    request = _of_survey(arguments, document) if of_survey else Request(_through(arguments, document))
    binning_given = arguments.spec is not None or arguments.binning is not None
    request = replace(request, spec=overridden(arguments, request.spec), binning_given=binning_given)
    if of_survey and request.lenses is None:
        _refuse_a_single_lens(arguments.command, request.spec)
    if arguments.command not in FREE_LOOKS:
        _refuse_what_verdicts_do_not_need(arguments.command, request.spec)
    return request


def settings_on(cases: Cases, request: Request) -> DiagnosisSpec:
    """The settings of a look at the cases through one lens: in the bins of a survey where none were named.

    Raises
    ------
    InputError : the lens does not fit the cases.
    """
    return request.spec if request.binning_given else in_usual_bins(cases, request.spec)


def _spec_of(document: Any) -> DiagnosisSpec:
    """Settings out of a document of settings, or of a whole diagnosis."""
    if document is None:
        return DiagnosisSpec()
    inside = isinstance(document, dict) and isinstance(document.get("spec"), dict)
    return DiagnosisSpec.from_document(document["spec"] if inside else document)


def _of_survey(arguments: argparse.Namespace, document: "Repeatable | Any") -> Request:
    """What a survey is asked for, out of the settings of a survey where ``document`` is one."""
    if isinstance(document, Repeatable):
        start = DiagnosisSpec()
        two, many = document.two or document.many, document.many if document.two else None
        spec = replace(document.spec, lens=start.lens, tests=start.tests, estimates=start.estimates)
        spec = replace(spec, binning=two or start.binning)
        request = Request(spec, document.lenses, many, shared=document)
    else:
        request = Request(_spec_of(document))
    if arguments.lens:
        request = replace(request, lenses=tuple(lens_from_words(words) for words in arguments.lens))
    if arguments.binning is not None:  # of all lenses
        request = replace(request, many=None)
    if arguments.binning_of_many is not None:
        request = replace(request, many=binning_from_words(arguments.binning_of_many))
    return request


def _through(arguments: argparse.Namespace, document: "Repeatable | Any") -> DiagnosisSpec:
    """The settings of one look, out of those of a survey where ``document`` is one."""
    lens = None if arguments.lens is None else lens_from_words(arguments.lens)
    if not isinstance(document, Repeatable):
        spec = _spec_of(document)
        return replace(spec, lens=lens or spec.lens)
    many = len(document.lenses)
    if lens is None and arguments.command == "figure" and arguments.figure == "classes":
        return replace(
            document.spec, lens=DiagnosisSpec().lens, binning=document.two or document.spec.binning
        )
    if lens is None and many > 1:
        names = ", ".join(shown(lens_to_words(each)) for each in document.lenses[:MOST_LENSES_NAMED])
        raise InputError(
            f"The survey in {arguments.spec!r} has {many:,} lenses, and {arguments.command} looks through "
            f"one. Name it by --lens: {names}{', …' if many > MOST_LENSES_NAMED else ''}."
        )
    lens = lens or document.lenses[0]
    look = next((spec for spec in document.looks if spec.lens == lens), None)
    tests, estimates = document.spec.tests, document.spec.estimates
    if look is not None:
        return replace(look, tests=tests, estimates=estimates)
    binnings = {binning for binning in (document.two, document.many) if binning is not None}
    if len(binnings) > 1 and arguments.binning is None:
        bins = " and ".join(sorted(map(binning_to_words, binnings)))
        raise InputError(
            f"The survey in {arguments.spec!r} has no lens {shown(lens_to_words(lens))}, and its bins are "
            f"{bins}, by the number of classes. Name those to be used by --binning."
        )
    return replace(document.spec, lens=lens, binning=next(iter(binnings), document.spec.binning))


def given(arguments: argparse.Namespace, settings: type, but: Collection[str] = ()) -> dict[str, Any]:
    """Field of ``settings`` -> what its flag was given; but for fields that are read elsewhere."""
    typed = [(entry, getattr(arguments, entry.dest, None)) for entry in entries(settings)]
    return {
        entry.field: entry.read(word) for entry, word in typed if word is not None and entry.field not in but
    }


def overridden(arguments: argparse.Namespace, spec: DiagnosisSpec) -> DiagnosisSpec:
    """The settings with the flags, but for the lens."""
    changes = given(arguments, type(spec), but=("lens",))
    kernel: Kernel = replace(cast(Any, spec.kernel), **given(arguments, Kernel))
    if "kernel" in changes:
        kernel = with_kind(kernel, KERNELS[changes["kernel"]])
    return replace(spec, **(changes | {"kernel": kernel}))


def _refuse_a_single_lens(command: str, spec: DiagnosisSpec) -> None:
    """Raises :class:`InputError` where the settings of a survey name a lens, and no flag does."""
    if spec.lens != DiagnosisSpec().lens:
        words = lens_to_words(spec.lens)
        raise InputError(
            f"The settings look through the lens {shown(words)} alone, and {command} through "
            "several. Name them by --lens (it may be given several times), or take 'diagnose'."
        )


def _refuse_what_verdicts_do_not_need(command: str, spec: DiagnosisSpec) -> None:
    """Raises :class:`InputError` for tests and estimates on which no verdict rests."""
    for name, fits in OF_SURVEYS.items():
        if getattr(spec, name) not in fits:
            given, makes = ", ".join(getattr(spec, name)) or NONE, ",".join(fits[1]) or NONE
            raise InputError(
                f"The settings ask for the {name} {given}; {command} makes {makes} through each lens. "
                f"Say so by --{name} {makes}, or take 'diagnose'."
            )


def _document_of(arguments: argparse.Namespace) -> "Repeatable | Any":
    """What ``--spec`` names, parsed; of a survey or a report what repeats it."""
    path = arguments.spec
    try:
        text = files_of(arguments).text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The settings {path!r} cannot be read: expected a file of JSON text.") from error
    document = loaded(text, "The settings are")
    return repeatable(text) if isinstance(document, dict) and "lenses" in document else document


def thresholds_from(words: str | None) -> tuple[float, ...] | None:
    """``--thresholds``: those of the lens where nothing is said."""
    return None if words is None else numbers_from_list(words, "The thresholds are", "numbers as in 0.2,0.5")
