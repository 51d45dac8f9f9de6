"""``caliblens groups FILE --by COLUMN``: is the model calibrated in every group, and where is it worst."""

import argparse
from dataclasses import replace

from calibcore.cli import flags
from calibcore.cli.command import Command
from calibcore.cli.requests import question_from
from calibcore.cli.running import answer
from calibcore.io import Reading
from calibcore.numerics.progress import Progress
from calibcore.questions.groups import GroupSurvey, groups
from calibcore.questions.groups.redrawn import STATISTICS
from calibcore.questions.groups.run import default_lens
from calibcore.words.terminal import groups_text


def _add_arguments(command: argparse.ArgumentParser) -> None:
    flags.question_flags(command)
    group = command.add_argument_group("the groups")
    group.add_argument(
        "--by",
        action="append",
        required=True,
        metavar="COLUMN",
        help="a column of text, numbers or dates; may be given several times",
    )
    group.add_argument("--worst", action="store_true", help="also search for where the model is off most")
    group.add_argument("--statistic", choices=STATISTICS, default=STATISTICS[0], help=f"({STATISTICS[0]})")
    flags.dates_flag(group)


def _run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    request = question_from(arguments)

    def ask(reading: Reading) -> GroupSurvey:
        spec = request.spec
        if arguments.lens is None and arguments.spec is None:
            spec = replace(spec, lens=default_lens(reading.predictions.m))
        return groups(
            reading.predictions,
            arguments.by,
            spec,
            progress,
            statistic=arguments.statistic,
            worst=arguments.worst,
            dates=arguments.dates,
        )

    return answer(arguments, request, ask, groups_text)


COMMAND = Command(
    "groups",
    "whether the model is calibrated in every group of cases",
    (
        "groups predictions.csv --by site --by sex",
        "groups predictions.csv --by site --by age --unit patient --worst --json > groups.json",
    ),
    _add_arguments,
    _run,
)
