"""``caliblens survey PREDICTIONS``: a look through many lenses, with verdicts."""

import argparse

from calibcore.cli import flags
from calibcore.cli.command import Command
from calibcore.cli.requests import request_from
from calibcore.cli.running import assessed, exit_code, for_people, opened, warn
from calibcore.data.checks import spelled_out
from calibcore.numerics.progress import Progress
from calibcore.words.terminal import survey_text


def _add_arguments(command: argparse.ArgumentParser) -> None:
    flags.look_flags(command)
    flags.json_flag(command)
    flags.survey_flags(command)


def _run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    request = request_from(arguments)
    with opened(arguments, request) as (reading, before):
        if arguments.json:
            warn(before)
        assessment = assessed(reading.predictions, request, progress)
        code = exit_code(arguments, assessment)
        if arguments.json:
            return spelled_out(assessment.to_json()), code
        return for_people(survey_text(assessment), reading, before), code


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
