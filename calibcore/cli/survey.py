"""``caliblens survey PREDICTIONS``: a look through many lenses, with verdicts."""

import argparse
from collections.abc import Callable
from pathlib import Path

from calibcore.assessment.assess import Assessment
from calibcore.cli import flags
from calibcore.cli.flags import format_asked, options_from
from calibcore.cli.requests import Request, request_from
from calibcore.cli.running import Asking, assessed, elsewhere, exit_code, printed
from calibcore.data.checks import visible
from calibcore.data.predictions import Predictions
from calibcore.errors import SeveralLabelsError
from calibcore.io import read_labels
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


class _Surveying(Asking[Assessment]):
    """Of predictions over classes, or of all labels where each case has several and none of them is named."""

    def __call__(self, arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
        if arguments.label != ALL_LABELS:
            try:
                return super().__call__(arguments, progress)
            except SeveralLabelsError:
                if arguments.label is not None:
                    raise
        request = request_from(arguments)
        with elsewhere(arguments.cluster):
            reading = read_labels(
                Path(arguments.predictions), labels=arguments.labels, options=options_from(arguments)
            )
            assessment = assessed(reading.predictions, request, progress)
        words = printed(arguments, assessment, survey_text)
        if format_asked(arguments) == "text":
            rows = (f"- As read, {visible(row)}." for row in first_rows_of_labels(reading))
            words = "\n".join((words, *rows))
        return words, exit_code(arguments, assessment)


run = _Surveying(ask, survey_text, exit_code)
