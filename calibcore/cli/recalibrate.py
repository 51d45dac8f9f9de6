"""``caliblens recalibrate PREDICTIONS``: what recalibration would do, and the map to take along."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace

from calibcore.cli import flags
from calibcore.cli.files import files_of
from calibcore.cli.requests import Request, settings_on
from calibcore.cli.running import asking, each_label, format_of
from calibcore.data.outside_text import shown
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import MultiLabelPredictions
from calibcore.errors import InputError
from calibcore.io import LabelsReading, Reading
from calibcore.io.several_labels import ALL_LABELS
from calibcore.numerics.progress import Progress
from calibcore.questions.over_labels import OverLabels
from calibcore.questions.recalibrate import (
    MAPS,
    Recalibration,
    RecalibrationMap,
    recalibrate,
)
from calibcore.questions.recalibrate.ask import FOLDS, recalibrated
from calibcore.questions.recalibrate.by_label import METHODS
from calibcore.questions.recalibrate.gain import with_probabilities
from calibcore.questions.recalibrate.label_maps import LabelMap, json_of, label_maps, mapped
from calibcore.questions.recalibrate.words import recalibrated_rows
from calibcore.wording import listed
from calibcore.words.tables import csv_of

PLACE = 80
EXAMPLES = (
    "recalibrate predictions.csv",
    "recalibrate predictions.csv --method temperature --out temperature.py",
    "recalibrate predictions.csv --apply new.csv --out new-recalibrated.csv",
    "recalibrate new.csv --map temperature.json --out new-recalibrated.csv",
)

FORMATS = ("json", "py", "csv")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.question_flags(command)
    add = command.add_argument_group("the recalibration").add_argument
    add(
        "--method",
        action="append",
        choices=list(MAPS),
        help="may be given several times (default: all that fit the data)",
    )
    add("--folds", type=int, metavar="K", default=FOLDS, help=f"of the cross-fit ({FOLDS})")
    add(
        "--split-by",
        metavar="NAME",
        help="a column with two values: cases of the first fit the map that is judged, the others judge it "
        "(default: random halves)",
    )
    add(
        "--apply",
        metavar="FILE",
        help="other predictions of the same classes: the best map, fitted to all cases, makes what --out "
        "names of them",
    )
    add(
        "--map",
        metavar="FILE",
        help="a map that --out wrote before, as .json: it is applied to the predictions, nothing is fitted",
    )
    add(
        "--out",
        metavar="FILE",
        help="write the best map, fitted to all cases: .json, or .py for NumPy code; or .csv: the "
        "recalibrated predictions, those of --apply or --map, else cross-fitted ones of these cases, marked "
        "as such",
    )


def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """What recalibration would do, or what a map that is there makes of the predictions."""
    _check(arguments)
    if arguments.map is not None:
        return _mapped(arguments), 0
    return _asking(arguments, progress)


def ask(
    arguments: argparse.Namespace, request: Request, progress: Progress | None
) -> Callable[[Predictions], Recalibration]:
    """What recalibration would do; with ``--out`` the map, or what it makes, is written."""

    def find(p: Predictions) -> Recalibration:
        spec, how = settings_on(p, request), {"folds": arguments.folds, "split_by": arguments.split_by}
        result = recalibrate(p, arguments.method, spec, progress, **how)
        if arguments.out is not None:
            if not result.methods:
                raise InputError("None of the methods fits these data: there is no map to write.")
            files_of(arguments).write(arguments.out, _made(arguments, p, result).encode())
        return result

    return find


def _of_labels(
    arguments: argparse.Namespace, cases: MultiLabelPredictions, progress: Progress | None
) -> OverLabels:
    """What recalibration would do to each label; with ``--out`` the best map of each is written."""
    if arguments.out is not None and (arguments.apply is not None or not arguments.out.endswith(".json")):
        raise InputError(
            "Of several labels --out writes the map of each, as .json. Name one label by --label for its "
            "code or its predictions."
        )
    methods = arguments.method or list(METHODS)
    each = argparse.Namespace(**{**vars(arguments), "out": None, "method": methods})
    result = each_label(ask, each, cases, progress)
    if arguments.out is not None:
        files_of(arguments).write(arguments.out, json_of(result.labels).encode())
    return result


_asking = asking(ask, of_labels=_of_labels)


def _read(arguments: argparse.Namespace) -> Reading | LabelsReading:
    _check(arguments)
    return _asking.work.read(arguments)


WORK = replace(_asking.work, read=_read)
"""Of ``--map``, which asks nothing, there is none."""


def _check(arguments: argparse.Namespace) -> None:
    """What cannot be meant is refused before the work begins."""
    if arguments.map is not None:
        for name in ("method", "apply", "split_by", "json", "format"):
            if getattr(arguments, name):
                flag = name.replace("_", "-")
                raise InputError(f"--map applies a map that is there and fits nothing; leave --{flag} out.")
    for name in ("apply", "map"):
        if getattr(arguments, name) is not None and arguments.out is None:
            raise InputError(f"--{name} makes predictions; name the file for them by --out, as .csv.")
    if arguments.out is not None:
        mapped = arguments.apply is not None or arguments.map is not None
        format_of(arguments.out, ("csv",) if mapped else FORMATS)


def _made(arguments: argparse.Namespace, predictions: Predictions, result: Recalibration) -> str:
    """What ``--out`` holds."""
    best = result.methods[0].map
    if arguments.apply is not None:
        return _csv(arguments.apply, best, result.class_names, arguments)
    match format_of(arguments.out, FORMATS):
        case "json":
            return best.json_code(result.class_names) + "\n"
        case "py":
            return best.confidence_code() if predictions.confidence_only else best.code()
        case _:
            rows = result.spec.independent(predictions)
            marked = recalibrated(rows, best.kind, result.folds, result.spec.seed)
            return csv_of(recalibrated_rows(marked))


def _mapped(arguments: argparse.Namespace) -> str:
    """A map that is there, applied to the predictions."""
    try:
        text = files_of(arguments).text(arguments.map)
    except (OSError, ValueError):
        raise InputError(f"The file {shown(arguments.map)} cannot be read: expected JSON text.") from None
    try:
        maps = label_maps(text)
        fitted, names = RecalibrationMap.from_json(text) if maps is None else (None, ())
    except InputError as error:
        raise InputError(
            f"The file {shown(arguments.map)} holds no map as --out writes it, as .json. {error}"
        ) from None
    if maps is not None and arguments.label in (None, ALL_LABELS):
        return _all_mapped(arguments, maps)
    if maps is not None:
        fitted, names = _one_of(maps, arguments.label)
    assert fitted is not None, "else there are maps of labels"
    made = _csv(arguments.predictions, fitted, names, arguments)
    files_of(arguments).write(arguments.out, made.encode())
    return f"The map '{fitted.label}' was applied; its probabilities are in {arguments.out}."


def _one_of(maps: Mapping[str, LabelMap], label: str) -> tuple[RecalibrationMap, tuple[str, ...]]:
    if label not in maps:
        raise InputError(f"There is no map of the label {shown(label)}; there are {listed(tuple(maps))}.")
    return maps[label].map, maps[label].class_names


def _all_mapped(arguments: argparse.Namespace, maps: Mapping[str, LabelMap]) -> str:
    """The map of each of several labels, applied to the predictions of it."""
    files, options = files_of(arguments), flags.options_from(arguments)
    cases, known = files.labels_for_map(arguments.predictions, arguments.labels, tuple(maps), options)
    rows = recalibrated_rows(mapped(cases, maps))
    if not known:
        rows = [{k: value for k, value in row.items() if k not in cases.label_names} for row in rows]
    files.write(arguments.out, csv_of(rows).encode())
    rest = tuple(name for name in cases.label_names if name not in maps)
    stay = f" {listed(rest, 5)} {'has' if len(rest) == 1 else 'have'} no map and stay." if rest else ""
    were = "map of a label was" if len(maps) == 1 else "maps of labels were"
    return f"{len(maps):,} {were} applied; the probabilities are in {arguments.out}.{stay}"


def _csv(path: str, fitted: RecalibrationMap, names: tuple[str, ...], arguments: argparse.Namespace) -> str:
    """Predictions of a file after the map, with labels where it has some."""
    given, labelled = files_of(arguments).for_map(path, names, flags.options_from(arguments))
    after = with_probabilities(given, fitted(given.probs))
    rows = recalibrated_rows(after)
    return csv_of(rows if labelled else [{k: v for k, v in row.items() if k != "label"} for row in rows])
