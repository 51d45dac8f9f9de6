"""``caliblens recalibrate PREDICTIONS``: what recalibration would do, and the map to take along."""

import argparse
import json

from calibcore.cli import flags
from calibcore.cli.command import Command
from calibcore.cli.outputs import format_of, write_file
from calibcore.cli.requests import refuse_what_verdicts_do_not_need, request_from
from calibcore.cli.running import for_people, opened, warn
from calibcore.data.checks import spelled_out
from calibcore.errors import InputError
from calibcore.numerics.progress import Progress
from calibcore.questions.recalibrate import MAPS, recalibrate
from calibcore.questions.recalibrate.run import FOLDS
from calibcore.words.terminal import recalibration_text


def _add_arguments(command: argparse.ArgumentParser) -> None:
    flags.look_flags(command)
    flags.json_flag(command)
    flags.lens_flag(command)
    group = command.add_argument_group("the recalibration")
    group.add_argument(
        "--method",
        action="append",
        choices=list(MAPS),
        help="may be given several times (default: all that fit the data)",
    )
    group.add_argument("--folds", type=int, metavar="K", default=FOLDS, help=f"of the cross-fit ({FOLDS})")
    group.add_argument(
        "--split-by",
        metavar="NAME",
        help="a column with two values: cases of the first fit the map that is judged, the others judge it "
        "(default: random halves)",
    )
    group.add_argument(
        "--out", metavar="FILE", help="write the best map, fitted to all cases: .json, or .py for NumPy code"
    )


def _run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    request = request_from(arguments)
    refuse_what_verdicts_do_not_need(arguments.command, request.spec)
    kind = None if arguments.out is None else format_of(arguments.out, ("json", "py"))
    with opened(arguments, request) as (reading, before):
        if arguments.json:
            warn(before)
        found = recalibrate(
            reading.predictions,
            arguments.method,
            request.spec,
            progress,
            folds=arguments.folds,
            split_by=arguments.split_by,
        )
        if kind is not None:
            if not found.methods:
                raise InputError("None of the methods fits these data: there is no map to write.")
            best = found.methods[0].map
            document = json.dumps(best.to_document() | {"class_names": list(found.class_names)})
            write_file(arguments.out, (document + "\n" if kind == "json" else best.code()).encode())
        if arguments.json:
            return spelled_out(found.to_json()), 0
        return for_people(recalibration_text(found), reading, before), 0


COMMAND = Command(
    "recalibrate",
    "what recalibration would do, with an honest gain",
    (
        "recalibrate predictions.csv",
        "recalibrate predictions.csv --method temperature --out temperature.py",
    ),
    _add_arguments,
    _run,
)
