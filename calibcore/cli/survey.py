"""``caliblens survey PREDICTIONS``: a look through many lenses, with verdicts."""

import argparse
from functools import partial

from calibcore.assessment.assess import Assessment
from calibcore.cli import flags
from calibcore.cli.command import Command
from calibcore.cli.requests import request_from
from calibcore.cli.running import answer, assessed, exit_code
from calibcore.io import Reading
from calibcore.numerics.progress import Progress
from calibcore.words.terminal import survey_text


def _add_arguments(command: argparse.ArgumentParser) -> None:
    flags.look_flags(command)
    flags.json_flag(command)
    flags.survey_flags(command)


def _run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    request = request_from(arguments)

    def ask(reading: Reading) -> Assessment:
        return assessed(reading.predictions, request, progress)

    return answer(arguments, request, ask, survey_text, partial(exit_code, arguments))


COMMAND = Command(
    "survey",
    "look through many lenses, p-values adjusted",
    (
        "survey predictions.csv",
        "survey probabilities.npy --labels labels.csv --class-names cat,dog,owl",
    ),
    _add_arguments,
    _run,
)
