"""``caliblens label-noise PREDICTIONS``: how many wrong labels would explain what happened."""

import argparse
import json

from calibcore.cli import flags
from calibcore.cli.command import Command
from calibcore.cli.requests import refuse_what_verdicts_do_not_need, request_from
from calibcore.cli.running import for_people, opened, warn
from calibcore.data.checks import spelled_out
from calibcore.numerics.progress import Progress
from calibcore.questions.label_noise import wrong_labels
from calibcore.words.terminal import wrong_labels_text


def _add_arguments(command: argparse.ArgumentParser) -> None:
    flags.look_flags(command)
    flags.json_flag(command)
    flags.lens_flag(command)


def _run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    request = request_from(arguments)
    refuse_what_verdicts_do_not_need(arguments.command, request.spec)
    with opened(arguments, request) as (reading, before):
        if arguments.json:
            warn(before)
        found = wrong_labels(reading.predictions, request.spec, progress)
        if arguments.json:
            return spelled_out(json.dumps(found.to_document(), ensure_ascii=False)), 0
        return for_people(wrong_labels_text(found), reading, before), 0


COMMAND = Command(
    "label-noise",
    "how many wrong labels would explain what happened",
    ("label-noise predictions.csv --lens confidence",),
    _add_arguments,
    _run,
)
