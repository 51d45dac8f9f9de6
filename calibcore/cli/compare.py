"""``caliblens compare A B …``: models on the same cases, which is better calibrated."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from calibcore.data.checks import spelled_out
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.io import ReadOptions, read
from calibcore.numerics.progress import Progress
from calibcore.questions.compare import compare
from calibcore.spec import DiagnosisSpec
from calibcore.words.terminal import comparison_text


def add_arguments(command: argparse.ArgumentParser) -> None:
    """The flags that only this command has."""
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


def answer(
    arguments: argparse.Namespace, options: ReadOptions, spec: DiagnosisSpec, progress: Progress | None
) -> str:
    """What is printed: the comparison as text or, with ``--json``, as one JSON object.

    Raises
    ------
    InputError : a file that cannot be read, named in the sentence; models that cannot be compared.
    """
    labels = None if arguments.labels is None else Path(arguments.labels)
    models: dict[str, Predictions] = {}
    for name, path in named(arguments.predictions).items():
        try:
            models[name] = read(Path(path), labels=labels, options=options).predictions
        except InputError as error:
            raise error.reworded(f"{path}: {error}") from None
    comparison = compare(models, spec, progress, by=arguments.id, betting=arguments.betting)
    return spelled_out(comparison.to_json()) if arguments.json else comparison_text(comparison)


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
