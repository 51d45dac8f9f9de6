"""``caliblens survey PREDICTIONS``: a look through many lenses, with verdicts."""

import argparse
from collections.abc import Callable

from calibcore.assessment.assess import Assessment
from calibcore.cli import flags
from calibcore.cli.requests import Request
from calibcore.cli.running import asking, assessed, exit_code
from calibcore.data.predictions import Predictions
from calibcore.numerics.progress import Progress
from calibcore.terminal import survey_text

HELP = "look through many lenses, p-values adjusted"
PLACE = 20
EXAMPLES = (
    "survey predictions.csv",
    "survey probabilities.npy --labels labels.csv --class-names cat,dog,owl",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.look_flags(command)
    flags.json_flag(command)
    flags.survey_flags(command)


def ask(
    _: argparse.Namespace, request: Request, progress: Progress | None
) -> Callable[[Predictions], Assessment]:
    """A survey and its verdicts."""
    return lambda p: assessed(p, request, progress)


run = asking(ask, survey_text, exit_code)
