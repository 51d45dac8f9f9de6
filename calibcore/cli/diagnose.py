"""``caliblens diagnose PREDICTIONS``: a look through one lens."""

import argparse

from calibcore.cli import flags
from calibcore.cli.command import Command
from calibcore.cli.requests import request_from
from calibcore.cli.running import for_people, opened, warn
from calibcore.data.checks import spelled_out
from calibcore.diagnose import diagnose
from calibcore.numerics.progress import Progress
from calibcore.words.terminal import diagnosis_text


def _add_arguments(command: argparse.ArgumentParser) -> None:
    flags.look_flags(command)
    flags.json_flag(command)
    flags.lens_flag(command)
    flags.made_flags(command)


def _run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    request = request_from(arguments)
    with opened(arguments, request) as (reading, before):
        if arguments.json:
            warn(before)
        diagnosis = diagnose(reading.predictions, request.spec, progress)
        if arguments.json:
            return spelled_out(diagnosis.to_json()), 0
        return for_people(diagnosis_text(diagnosis), reading, before), 0


COMMAND = Command(
    "diagnose",
    "look through one lens: diagram, estimates, tests",
    (
        "diagnose predictions.csv --lens confidence --binning equal-mass:15",
        "diagnose predictions.csv --lens class:cat --tests exact --json > cat.json",
    ),
    _add_arguments,
    _run,
)
