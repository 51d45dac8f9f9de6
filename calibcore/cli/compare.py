"""``caliblens compare A B …``: models on the same cases, which is better calibrated."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from calibcore.cli import flags, report
from calibcore.cli.requests import request_from
from calibcore.cli.running import assessed, elsewhere, one_of_several, part, printed
from calibcore.errors import InputError
from calibcore.numerics.progress import Progress
from calibcore.questions.compare import compare
from calibcore.settings import DiagnosisSpec

PLACE = 60
EXAMPLES = (
    "compare old-model.csv new-model.csv",
    "compare a.csv b.csv c.csv --labels labels.csv --lens confidence --id patient",
    "compare new-model.csv old-model.csv --out report.pdf",
)

SHARE = 0.5
"""Of the work, where a report is written: the comparison, then its survey; of the rest the figures."""
OF_A_REPORT = {
    "title": None, "model": None, "date": None, "noun": "case", "paper": "a4", "with_rows": False,
}  # fmt: skip
"""Flags that say something about a report -> their value where they are not given."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.question_flags(command, several="one file a model")
    report.add_report_flags(command, of_first=True)
    add = command.add_argument_group("the comparison").add_argument
    add(
        "--id",
        metavar="NAME",
        help="the column that says which rows are one case (default: one that does in all files, else the "
        "order of the rows)",
    )
    add(
        "--betting",
        action="store_true",
        help="also the interval of the Brier difference that holds at any number of cases (wider)",
    )


def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """Compare the models; with ``--out`` the first one's report holds it."""
    request = request_from(arguments)
    _check(arguments)
    share = 1.0 if arguments.out is None else SHARE
    with elsewhere(arguments.cluster):
        paths = _named(arguments.predictions)
        files = {name: one_of_several(path, arguments) for name, path in paths.items()}
        models = {name: reading.predictions for name, reading in files.items()}
        looking = part(progress, 0.0, share)
        comparison = compare(
            models,
            request.spec,
            looking,
            by=arguments.id,
            betting=arguments.betting,
            binning=None if arguments.binning is None else request.spec.binning,
        )
        if arguments.out is not None:  # of the first model: a survey as `report` makes it, and this
            reading, rest = next(iter(files.values())), part(progress, SHARE, 1 - SHARE)
            request = replace(request, spec=replace(request.spec, lens=DiagnosisSpec().lens))
            assessment = assessed(reading.predictions, request, part(rest, 0.0, SHARE))
            rest = part(rest, SHARE, 1 - SHARE)
            origins, spec = files, request.spec
            report.written(arguments, reading, assessment, spec, rest, [comparison], origins)
    return printed(arguments, comparison), 0


def _check(arguments: argparse.Namespace) -> None:
    """What a report cannot be is refused before the work begins, and so is what is said of none."""
    if arguments.out is not None:
        report.check(arguments)
        return
    for name, usual in OF_A_REPORT.items():
        if getattr(arguments, name) != usual:
            flag = name.replace("_", "-")
            raise InputError(f"--{flag} says something about a report; name the file of one by --out.")


def _named(paths: Sequence[str]) -> dict[str, str]:
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
