"""``caliblens label-noise PREDICTIONS``: how many wrong labels would explain what happened."""

import argparse

from calibcore.cli import flags
from calibcore.cli.requests import request_from
from calibcore.cli.running import Command, answer
from calibcore.numerics.progress import Progress
from calibcore.questions.label_noise import wrong_labels
from calibcore.words.terminal import wrong_labels_text


def _run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    request = request_from(arguments)
    return answer(arguments, request, lambda p: wrong_labels(p, request.spec, progress), wrong_labels_text)


COMMAND = Command(
    "label-noise",
    "how many wrong labels would explain what happened",
    ("label-noise predictions.csv --lens confidence",),
    flags.question_flags,
    _run,
)
