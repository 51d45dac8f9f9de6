"""``caliblens label-noise PREDICTIONS``: how many wrong labels would explain what happened."""

import argparse

from calibcore.cli import flags
from calibcore.cli.command import Command
from calibcore.cli.requests import question_from
from calibcore.cli.running import answer
from calibcore.io import Reading
from calibcore.numerics.progress import Progress
from calibcore.questions.label_noise import WrongLabels, wrong_labels
from calibcore.words.terminal import wrong_labels_text


def _add_arguments(command: argparse.ArgumentParser) -> None:
    flags.question_flags(command)


def _run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    request = question_from(arguments)

    def ask(reading: Reading) -> WrongLabels:
        return wrong_labels(reading.predictions, request.spec, progress)

    return answer(arguments, request, ask, wrong_labels_text)


COMMAND = Command(
    "label-noise",
    "how many wrong labels would explain what happened",
    ("label-noise predictions.csv --lens confidence",),
    _add_arguments,
    _run,
)
