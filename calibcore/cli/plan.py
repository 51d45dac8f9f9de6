"""``caliblens plan PILOT``: how many cases it takes to see an error of a given size."""

import argparse

from calibcore.cli import flags
from calibcore.cli.files import files_of
from calibcore.cli.requests import request_from
from calibcore.cli.running import Work, elsewhere, printed
from calibcore.data.several_labels import Cases, MultiLabelPredictions
from calibcore.errors import SeveralLabelsError
from calibcore.io.several_labels import ALL_LABELS
from calibcore.numerics.progress import Progress
from calibcore.questions.over_labels import OverLabels, ask_each
from calibcore.questions.plan import Plan, is_sketch, plan

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
    request_from(arguments)
    with elsewhere(arguments.cluster):
        result = _find(arguments, _read(arguments), progress)
    return printed(arguments, result), 0


def _read(arguments: argparse.Namespace) -> Cases | str:
    """The pilot, of several labels a case all of them, or the sketch that stands in its place."""
    request_from(arguments)
    if is_sketch(arguments.predictions):
        return str(arguments.predictions)
    options = flags.options_from(arguments)
    files = files_of(arguments)
    try:
        return files.pilot(arguments.predictions, arguments.labels, options)
    except SeveralLabelsError:
        if arguments.label not in (None, ALL_LABELS):
            raise
    return files.several(arguments.predictions, arguments.labels, options).predictions


def _find(arguments: argparse.Namespace, pilot: Cases | str, progress: Progress | None) -> Plan | OverLabels:
    hypotheses = 1 if arguments.this_lens_alone else arguments.hypotheses
    if isinstance(pilot, MultiLabelPredictions):
        return ask_each(plan, pilot, request_from(arguments).spec, progress, hypotheses=hypotheses)
    return plan(pilot, request_from(arguments).spec, progress, hypotheses=hypotheses)


WORK = Work(_read, _find, lambda pilot: () if isinstance(pilot, str) else (pilot,))
