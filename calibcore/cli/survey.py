"""``caliblens survey PREDICTIONS``: a look through many lenses, with verdicts."""

import argparse
from collections.abc import Callable

from calibcore.assessment.assess import Assessment
from calibcore.cli import flags
from calibcore.cli.files import files_of
from calibcore.cli.flags import format_asked, options_from
from calibcore.cli.requests import Request, request_from
from calibcore.cli.running import (
    FOR_PROGRAMS,
    Work,
    asking,
    assessed,
    elsewhere,
    exit_code,
    printed,
    remarks_before,
    warn,
)
from calibcore.data.checks import visible
from calibcore.data.predictions import Predictions
from calibcore.errors import SeveralLabelsError
from calibcore.io import LabelsReading, Reading
from calibcore.io.several_labels import ALL_LABELS
from calibcore.numerics.progress import Progress
from calibcore.terminal import survey_text
from calibcore.words.readings import first_rows_of_labels

HELP = "look through many lenses, p-values adjusted"
PLACE = 20
EXAMPLES = (
    "survey predictions.csv",
    "survey predictions.csv --server https://caliblens.example.org --fail-if miscalibrated",
    "survey probabilities.npy --labels labels.csv --class-names cat,dog,owl",
    "survey findings.csv --label effusion",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.look_flags(command)
    flags.server_flag(command)
    flags.pipeline_flags(command, junit=True)
    flags.survey_flags(command)


def ask(
    _: argparse.Namespace, request: Request, progress: Progress | None
) -> Callable[[Predictions], Assessment]:
    """A survey and its verdicts."""
    return lambda p: assessed(p, request, progress)


_OF_ONE = asking(ask, survey_text, exit_code).work


def _read(arguments: argparse.Namespace) -> Reading | LabelsReading:
    """Predictions over classes, or all labels where each case has several and none of them is named."""
    if arguments.label != ALL_LABELS:
        try:
            return _OF_ONE.read(arguments)
        except SeveralLabelsError:
            if arguments.label is not None:
                raise
    request_from(arguments)
    return files_of(arguments).several(arguments.predictions, arguments.labels, options_from(arguments))


def _find(
    arguments: argparse.Namespace, reading: Reading | LabelsReading, progress: Progress | None
) -> Assessment:
    return assessed(reading.predictions, request_from(arguments), progress)


def _said(arguments: argparse.Namespace, reading: Reading | LabelsReading, assessment: Assessment) -> str:
    if isinstance(reading, Reading):
        return _OF_ONE.said(arguments, reading, assessment)
    words = printed(arguments, assessment, survey_text)
    if format_asked(arguments) != "text":
        return words
    rows = (f"- As read, {visible(row)}." for row in first_rows_of_labels(reading))
    return "\n".join((words, *rows))


WORK = Work(_read, _find, lambda reading: (reading.predictions,), _said, exit_code)


def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """Read, tell what has to be known first, and look."""
    with elsewhere(arguments.cluster):
        reading = _read(arguments)
        if isinstance(reading, Reading) and format_asked(arguments) in FOR_PROGRAMS:
            warn(remarks_before(reading, request_from(arguments)))
        assessment = _find(arguments, reading, progress)
        return _said(arguments, reading, assessment), exit_code(arguments, assessment)
