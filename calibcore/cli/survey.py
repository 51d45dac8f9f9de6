"""``caliblens survey PREDICTIONS``: a look through many lenses, with verdicts."""

import argparse
from functools import partial

from calibcore.cli import flags
from calibcore.cli.requests import request_from
from calibcore.cli.running import answer, assessed, exit_code
from calibcore.numerics.progress import Progress
from calibcore.show.terminal import survey_text

HELP = "look through many lenses, p-values adjusted"
EXAMPLES = (
    "survey predictions.csv",
    "survey probabilities.npy --labels labels.csv --class-names cat,dog,owl",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.look_flags(command)
    flags.json_flag(command)
    flags.survey_flags(command)


def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """A survey and its verdicts."""
    request = request_from(arguments)
    code = partial(exit_code, arguments)
    return answer(arguments, request, lambda p: assessed(p, request, progress), survey_text, code)
