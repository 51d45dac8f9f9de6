"""``caliblens survey PREDICTIONS``: a look through many lenses, with verdicts."""

import argparse
from collections.abc import Callable

from calibcore.assessment.assess import Assessment
from calibcore.cli import flags
from calibcore.cli.requests import Request, request_from
from calibcore.cli.running import asking, assessed, exit_code
from calibcore.data.several_labels import Cases, MultiLabelPredictions
from calibcore.numerics.progress import Progress
from calibcore.terminal import survey_text

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


def ask(_: argparse.Namespace, request: Request, progress: Progress | None) -> Callable[[Cases], Assessment]:
    """A survey and its verdicts."""
    return lambda p: assessed(p, request, progress)


def _of_labels(
    arguments: argparse.Namespace, cases: MultiLabelPredictions, progress: Progress | None
) -> Assessment:
    return ask(arguments, request_from(arguments), progress)(cases)


run = asking(ask, survey_text, exit_code, _of_labels)
