"""``caliblens groups FILE --by COLUMN``: is the model calibrated in every group, and where is it worst."""

import argparse
from collections.abc import Callable
from dataclasses import replace

from calibcore.cli import flags
from calibcore.cli.requests import Request
from calibcore.cli.running import asking
from calibcore.data.predictions import Predictions
from calibcore.numerics.progress import Progress
from calibcore.questions.groups import GroupSurvey, survey_groups
from calibcore.questions.groups.ask import lens_of_groups
from calibcore.questions.groups.redrawn import STATISTICS

PLACE = 90
EXAMPLES = (
    "groups predictions.csv --by site --by sex",
    "groups predictions.csv --by site --by age --unit patient --worst --json > groups.json",
)


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.question_flags(command, printed=flags.HANDED_ON, junit=True)
    group = command.add_argument_group("the groups")
    add = group.add_argument
    add(
        "--by",
        action="append",
        required=True,
        metavar="COLUMN",
        help="a column of text, numbers or dates; may be given several times",
    )
    add("--worst", action="store_true", help="also search for where the model is off most")
    add(
        "--statistic",
        choices=STATISTICS,
        default=STATISTICS[0],
        help=f"what is tested in each group ({STATISTICS[0]})",
    )
    flags.dates_flag(group)
    command.add_argument(
        "--with-rows",
        action="store_true",
        help="with --json also groups of fewer than 20 cases, and counts that tell of so few by a difference",
    )


def ask(
    arguments: argparse.Namespace, request: Request, progress: Progress | None
) -> Callable[[Predictions], GroupSurvey]:
    """What is found in each group of each column."""

    def find(p: Predictions) -> GroupSurvey:
        by, worst, dates = arguments.by, arguments.worst, arguments.dates
        spec = request.spec
        if arguments.lens is None and arguments.spec is None and not p.label_of:
            spec = replace(spec, lens=lens_of_groups(p))
        result = survey_groups(p, by, spec, progress, statistic=arguments.statistic, worst=worst, dates=dates)
        handed_on = flags.format_asked(arguments) == "json" and not arguments.with_rows
        return result.without_cases() if handed_on else result

    return find


run = asking(ask)
