"""``caliblens diagnose PREDICTIONS``: a look through one lens."""

import argparse

from calibcore.cli import flags
from calibcore.cli.requests import request_from
from calibcore.cli.running import answer
from calibcore.diagnose import diagnose
from calibcore.numerics.progress import Progress
from calibcore.show.terminal import diagnosis_text

HELP = "look through one lens: diagram, estimates, tests"
EXAMPLES = (
    "diagnose predictions.csv --lens confidence --binning equal-mass:15",
    "diagnose predictions.csv --lens class:cat --tests exact --json > cat.json",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.question_flags(command)
    flags.made_flags(command)


def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """What a look through one lens finds."""
    request = request_from(arguments)
    return answer(arguments, request, lambda p: diagnose(p, request.spec, progress), diagnosis_text)
