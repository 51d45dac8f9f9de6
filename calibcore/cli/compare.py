"""``caliblens compare A B …``: models on the same cases, which is better calibrated.

They are in one file each, or all in one.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from calibcore.cli import flags, report
from calibcore.cli.files import files_of
from calibcore.cli.requests import request_from, settings_on
from calibcore.cli.running import Work, assessed, each_or_labels, elsewhere, part, printed
from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.io import LabelsReading, Reading
from calibcore.io.options import names_from_words
from calibcore.numerics.progress import Progress
from calibcore.questions.compare import Comparison, compare
from calibcore.questions.over_labels import OverLabels, ask_each
from calibcore.settings import DiagnosisSpec
from calibcore.wording import listed

PLACE = 60
EXAMPLES = (
    "compare old-model.csv new-model.csv",
    "compare all-models.csv --model-column model",
    "compare a.csv b.csv c.csv --labels labels.csv --lens confidence --id patient",
    "compare new-model.csv old-model.csv --out report.pdf",
)

Readings = Mapping[str, Reading | LabelsReading]
SHARE = 0.5
"""Of the work, where a report is written: the comparison, then its survey; of the rest the figures."""
OF_A_REPORT = {
    "title": None, "date": None, "noun": "case", "paper": "a4", "with_rows": False,
}  # fmt: skip
"""Flags that say something about a report -> their value where they are not given."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.question_flags(command, several="one file a model, or one with all", junit=True)
    report.add_report_flags(command, of_first=True)
    add = command.add_argument_group("the comparison").add_argument
    add(
        "--id",
        metavar="NAME",
        help="the column that says which rows are one case (default: one that does in all files, else the "
        "order of the rows)",
    )
    add(
        "--models",
        metavar="A,B,…",
        help="of one file with several models: which of them, in this order (default: all)",
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
        files = _readings(arguments)
        comparison = _find(arguments, files, part(progress, 0.0, share))
        if arguments.out is not None:  # of the first model: a survey as `report` makes it, and this
            reading, rest = next(iter(files.values())), part(progress, SHARE, 1 - SHARE)
            request = replace(request, spec=replace(request.spec, lens=DiagnosisSpec().lens))
            assessment = assessed(reading.predictions, request, part(rest, 0.0, SHARE))
            rest = part(rest, SHARE, 1 - SHARE)
            origins, spec = files, request.spec
            name = next(iter(files)) if len(arguments.predictions) == 1 else arguments.model
            report.written(arguments, reading, assessment, spec, rest, [comparison], origins, name)
    return printed(arguments, comparison), 0


def _read(arguments: argparse.Namespace) -> Readings:
    request_from(arguments)
    _check(arguments)
    return _readings(arguments)


def _find(
    arguments: argparse.Namespace, files: Readings, progress: Progress | None
) -> Comparison | OverLabels:
    request = request_from(arguments)
    spec = request.spec
    how: dict[str, Any] = {
        "by": arguments.id,
        "betting": arguments.betting,
        "binning": None if arguments.binning is None else spec.binning,
    }
    several = {name: reading for name, reading in files.items() if isinstance(reading, LabelsReading)}
    of_one = {name: reading for name, reading in files.items() if isinstance(reading, Reading)}
    if several and of_one:
        a, b = next(iter(several)), next(iter(of_one))
        raise InputError(
            f"Each case of {shown(a)} has several labels, and of {shown(b)} one class. Name the label by "
            "--label to compare by that one."
        )
    if not several:
        models = {name: reading.predictions for name, reading in of_one.items()}
        spec = settings_on(next(iter(models.values())), request)
        return compare(models, spec, progress, **how)
    if arguments.junit is not None:
        raise InputError("--junit has a test a verdict, and a comparison label by label has none.")
    return ask_each(
        compare, {name: reading.predictions for name, reading in several.items()}, spec, progress, **how
    )


WORK = Work(_read, _find, lambda files: tuple(reading.predictions for reading in files.values()))


def _readings(arguments: argparse.Namespace) -> Readings:
    """Name of each model -> how it was read: from a file of its own, or from the one with all of them.

    Of several labels a case all of them are read, unless one is named.

    Raises
    ------
    InputError : a file that cannot be read, or holds one model alone; a model that is named is not there.
    """
    if len(arguments.predictions) > 1:
        for name in ("model_column", "models"):
            if getattr(arguments, name) is not None:
                flag = name.replace("_", "-")
                raise InputError(f"--{flag} is of one file with all models; there are several files.")
        paths, arguments_of_file = _named(arguments.predictions), argparse.Namespace(**vars(arguments))
        arguments_of_file.model = None  # of a report: what the first one is called
        return {name: each_or_labels(path, arguments_of_file) for name, path in paths.items()}
    (path,) = arguments.predictions
    if arguments.model is not None:
        raise InputError("--model names one model; a comparison needs 2 or more. Name them by --models A,B.")
    options = flags.options_from(arguments)
    models = files_of(arguments).models(path, arguments.labels, options).readings
    chosen = names_from_words(arguments.models or "") or tuple(models)
    for name in chosen:
        if name not in models:
            raise InputError(
                f"There is no model {shown(name)} in the file. It holds {listed(tuple(models))}."
            )
    if len(set(chosen)) < 2:
        raise InputError(
            f"Of the file one model was named, {shown(chosen[0])}; a comparison needs 2 or more. It holds "
            f"{listed(tuple(models))}."
        )
    return {name: models[name] for name in chosen}


def _check(arguments: argparse.Namespace) -> None:
    """What a report cannot be is refused before the work begins, and so is what is said of none."""
    if arguments.out is not None:
        report.check(arguments)
        return
    if arguments.model is not None and len(arguments.predictions) > 1:
        raise InputError("--model says something about a report; name the file of one by --out.")
    for name, usual in OF_A_REPORT.items():
        if getattr(arguments, name) != usual:
            flag = name.replace("_", "-")
            raise InputError(f"--{flag} says something about a report; name the file of one by --out.")


def _named(paths: Sequence[str]) -> dict[str, str]:
    """Name -> path: names of files without folder and ending, or the whole path where two are alike.

    Raises
    ------
    InputError : one is given twice.
    """
    stems = [Path(path).stem for path in paths]
    names = [path if stems.count(stem) > 1 else stem for path, stem in zip(paths, stems, strict=True)]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise InputError(f"The file {twice[0]!r} is named twice; expected other files.")
    return dict(zip(names, paths, strict=True))
