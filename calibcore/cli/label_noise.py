"""``caliblens label-noise PREDICTIONS``: how many wrong labels would explain what happened."""

import argparse

from calibcore.cli import flags
from calibcore.cli.requests import request_from
from calibcore.cli.running import answer
from calibcore.numerics.progress import Progress
from calibcore.questions.label_noise import explain_by_wrong_labels
from calibcore.show.terminal import answer_text

HELP = "how many wrong labels would explain what happened"
EXAMPLES = ("label-noise predictions.csv --lens confidence",)
add_arguments = flags.question_flags


def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """The share of wrong labels that would explain what happened."""
    request = request_from(arguments)
    return answer(
        arguments, request, lambda p: explain_by_wrong_labels(p, request.spec, progress), answer_text
    )
