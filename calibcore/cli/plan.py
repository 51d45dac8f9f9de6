"""``caliblens plan PILOT``: how many cases it takes to see an error of a given size."""

import argparse
from pathlib import Path

from calibcore.cli import flags
from calibcore.cli.requests import request_from
from calibcore.cli.running import elsewhere, printed
from calibcore.data.predictions import Predictions
from calibcore.io.unlabelled import read_pilot
from calibcore.numerics.progress import Progress
from calibcore.questions.plan import is_sketch, plan

PLACE = 120
EXAMPLES = (
    "plan pilot.csv --tolerance 0.05",
    "plan beta:2,5 --tolerance 0.05 --json",
    "plan pilot.csv --lens confidence --this-lens-alone",
    "plan dirichlet:2,1,1 --lens confidence --tolerance 0.02",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.question_flags(command)
    together = command.add_mutually_exclusive_group()
    together.add_argument(
        "--hypotheses",
        type=int,
        metavar="N",
        help="how many are tested together, of a survey with other checks than it has by itself",
    )
    together.add_argument(
        "--this-lens-alone",
        action="store_true",
        help="plan for a test through this lens alone, not for one of the checks of a survey",
    )


def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """How many cases show an error, as the pilot says."""
    request = request_from(arguments)
    pilot: Predictions | str = arguments.predictions
    with elsewhere(arguments.cluster):
        if not is_sketch(arguments.predictions):
            options = flags.options_from(arguments)
            pilot = read_pilot(Path(arguments.predictions), labels=arguments.labels, options=options)
        result = plan(
            pilot, request.spec, progress, hypotheses=1 if arguments.this_lens_alone else arguments.hypotheses
        )
    return printed(arguments, result), 0
