"""``caliblens label-noise PREDICTIONS``: how many wrong labels would explain what happened."""

import argparse
from collections.abc import Callable

from calibcore.cli import flags
from calibcore.cli.requests import Request
from calibcore.cli.running import asking
from calibcore.data.predictions import Predictions
from calibcore.numerics.progress import Progress
from calibcore.questions.label_noise import WrongLabels, explain_by_wrong_labels

PLACE = 130
EXAMPLES = ("label-noise predictions.csv --lens confidence",)
add_arguments = flags.question_flags


def ask(
    _: argparse.Namespace, request: Request, progress: Progress | None
) -> Callable[[Predictions], WrongLabels]:
    """The share of wrong labels that would explain what happened."""
    return lambda p: explain_by_wrong_labels(p, request.spec, progress)


run = asking(ask)
