"""``caliblens compare A B …``: models on the same cases, which is better calibrated."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from calibcore.cli import flags
from calibcore.cli.command import Command
from calibcore.cli.requests import refuse_what_verdicts_do_not_need, request_from
from calibcore.cli.running import elsewhere
from calibcore.data.checks import spelled_out
from calibcore.errors import InputError
from calibcore.io import Reading, read
from calibcore.numerics.progress import Progress
from calibcore.questions.compare import compare
from calibcore.words.terminal import comparison_text


def _add_arguments(command: argparse.ArgumentParser) -> None:
    flags.look_flags(command, several="one file a model")
    flags.json_flag(command)
    flags.lens_flag(command)
    group = command.add_argument_group("the comparison")
    group.add_argument(
        "--id",
        metavar="NAME",
        help="the column that says which rows are one case (default: one that does in all files, else the "
        "order of the rows)",
    )
    group.add_argument(
        "--betting",
        action="store_true",
        help="also the interval of the Brier difference that holds at any number of cases (wider)",
    )


def _run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    request = request_from(arguments)
    refuse_what_verdicts_do_not_need(arguments.command, request.spec)
    with elsewhere(arguments.cluster):
        models = {name: reading.predictions for name, reading in readings(arguments).items()}
        comparison = compare(models, request.spec, progress, by=arguments.id, betting=arguments.betting)
    return spelled_out(comparison.to_json()) if arguments.json else comparison_text(comparison), 0


def readings(arguments: argparse.Namespace) -> dict[str, Reading]:
    """Name -> how the file of a model was read.

    Raises
    ------
    InputError : a file that cannot be read, named in the sentence.
    """
    labels = None if arguments.labels is None else Path(arguments.labels)
    options = flags.options_from(arguments)
    found: dict[str, Reading] = {}
    for name, path in named(arguments.predictions).items():
        try:
            found[name] = read(Path(path), labels=labels, options=options)
        except InputError as error:
            raise error.reworded(f"{path}: {error}") from None
    return found


def named(paths: Sequence[str]) -> dict[str, str]:
    """Name -> path: names of files without folder and ending, or the whole path where two are alike.

    Raises
    ------
    InputError : one file alone, or one given twice.
    """
    if len(paths) < 2:
        raise InputError(
            "There is one file of predictions; a comparison needs one for each of 2 or more models."
        )
    stems = [Path(path).stem for path in paths]
    names = [path if stems.count(stem) > 1 else stem for path, stem in zip(paths, stems, strict=True)]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"The file {twice[0]!r} is named twice; expected other files.")
    return dict(zip(names, paths, strict=True))


COMMAND = Command(
    "compare",
    "models on the same cases: which is better calibrated",
    (
        "compare old-model.csv new-model.csv",
        "compare a.csv b.csv c.csv --labels labels.csv --lens confidence --id patient",
    ),
    _add_arguments,
    _run,
)
