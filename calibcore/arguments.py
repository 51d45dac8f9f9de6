"""The arguments of the command line: which there are, and what they say.

Words as in the README's table.
"""

import argparse
import difflib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from calibcore import figure_command, report_command
from calibcore.distances import DISTANCES
from calibcore.estimators.skce import PRECISIONS
from calibcore.io import ReadOptions
from calibcore.io.left_out import rows_from_words
from calibcore.io.option_words import names_from_words
from calibcore.io.values import KINDS
from calibcore.kernels import METRICS, Kernel
from calibcore.limits import PREFIX, SERVER, VERSION
from calibcore.predictions import InputError
from calibcore.reliability import BARS
from calibcore.spec import (
    ADJUSTMENTS,
    BIN_ADJUSTMENTS,
    BINNING_WORDS,
    ESTIMATES,
    KERNELS,
    LENS_WORDS,
    NULL_WORDS,
    TESTS,
    DiagnosisSpec,
    bandwidth_from_words,
    binning_from_words,
    lens_from_words,
    null_from_words,
)

PLAIN_SETTINGS = (
    "distance", "resamples", "seed", "bars", "shuffle", "alpha", "stop_at", "bootstrap", "block_size",
    "locations", "precision", "adjustment", "bin_adjustment", "tolerance",
)  # fmt: skip
"""Settings whose flag gives the value as it is."""

SURVEYS = ("survey", "report")
"""Commands that look through many lenses and come to a verdict."""

NOWHERE = "none"
"""What ``--cluster`` says for: on this machine alone."""


class _Parser(argparse.ArgumentParser):
    """Says in one sentence what is wrong, without every flag there is."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As the parent's, and refuses what it does not know where it stands: there its flags are known."""
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            word = rest[0].partition("=")[0]
            if not word.startswith("-"):
                self.error(f"{word!r:.60} is one argument too many.")
            near = difflib.get_close_matches(word, self._option_string_actions, 1)
            self.error(f"There is no flag {word!r:.60}" + (f"; did you mean {near[0]}?" if near else "."))
        return found, rest

    def error(self, message: str) -> NoReturn:
        """One sentence and where to look, on stderr; exit code 2."""
        said = message[:1].upper() + message[1:] + ("" if message[-1:] in ".?" else ".")
        self.exit(2, f"{said} For what there is: {self.prog} --help\n")


def parser() -> argparse.ArgumentParser:
    """The arguments; words as in the README's table."""
    top = _Parser(prog="python -m calibcore", description="Can a classifier's probabilities be believed?")
    top.add_argument("--version", action="version", version=f"caliblens {VERSION}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    one = commands.add_parser("diagnose", help="look through one lens: diagram, estimates, tests")
    many = commands.add_parser("survey", help="look through many lenses, p-values adjusted")
    sliced = commands.add_parser("stream", help="diagnose a Parquet file that need not fit into memory")
    drawn = commands.add_parser("figure", help="write one figure as PDF, SVG or PNG, for print")
    told = commands.add_parser("report", help="a survey as a report to hand on: HTML, PDF or JSON")
    for command in (one, many, sliced, drawn, told):
        _reading_arguments(command)
        _setting_arguments(command)
    for command in (one, many, drawn, told):
        _place_arguments(command)
    sliced.add_argument("--cluster", default=NOWHERE, help=argparse.SUPPRESS)  # refused in a sentence
    for command in (one, many, sliced):
        command.add_argument("--json", action="store_true", help="print one JSON object")
    for command in (one, sliced, drawn):
        command.add_argument("--lens", help=LENS_WORDS)
    figure_command.add_arguments(drawn)
    for command in (one, sliced):
        command.add_argument(
            "--estimates", help=f"some of {','.join(ESTIMATES)}, or none (default: all that apply)"
        )
        command.add_argument("--tests", help=f"some of {','.join(TESTS)}, or none (default: all)")
    report_command.add_arguments(told)
    for command in (many, told):
        report_command.add_gate(command)
        command.add_argument(
            "--lens",
            action="append",
            help=f"may be given several times (default: confidence, canonical, each class): {LENS_WORDS}",
        )
    return top


def _reading_arguments(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("what is read")
    group.add_argument(
        "predictions", metavar="PREDICTIONS", help="CSV, TSV, Parquet, Feather, NPZ, NPY, JSON or XLSX"
    )
    group.add_argument("--labels", metavar="FILE", help="the labels, if they are in a file of their own")
    group.add_argument("--label-column", metavar="NAME", help="the column that holds the labels")
    group.add_argument(
        "--probability-columns",
        metavar="A,B,…",
        help="the columns of predictions, in the order of the classes",
    )
    group.add_argument("--count-column", metavar="NAME", help="how many identical cases a row stands for")
    group.add_argument("--weight-column", metavar="NAME", help="weights; they give estimates, no tests")
    group.add_argument("--values", choices=[v for v in KINDS if v != "auto"], help="what the numbers are")
    group.add_argument("--label-base", type=int, choices=(0, 1), help="integer labels count from 0 or 1")
    group.add_argument("--header", choices=("yes", "no"), help="whether the first line names the columns")
    group.add_argument("--delimiter", metavar="C", help="what separates the columns ('tab' for a tab)")
    group.add_argument("--class-names", metavar="A,B,…", help="the classes, in the order of the columns")
    group.add_argument("--renormalise", action="store_true", help="divide every row by its sum")
    group.add_argument("--leave-out-rows", metavar="N,N-N,…", help="cases not to read, from 1: 3,17,25-40")
    group.add_argument(
        "--join",
        metavar="NAME",
        help="how the rows of two files belong together: 'rows', in their order, or by this column of both",
    )
    group.add_argument(
        "--swap-files",
        choices=("yes", "no"),
        help="whether the predictions are in the file of --labels",
    )


def _setting_arguments(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("how it is looked at (each overrides --spec)")
    group.add_argument("--spec", metavar="FILE", help="settings as JSON, or a diagnosis as --json prints it")
    group.add_argument("--binning", help=BINNING_WORDS)
    group.add_argument("--distance", choices=list(DISTANCES))
    group.add_argument("--kernel", choices=list(KERNELS))
    group.add_argument("--metric", choices=METRICS)
    group.add_argument("--bandwidth", help="median, median-with-diagonal, mean or a number")
    group.add_argument("--resamples", type=int, metavar="N", help="redraws of each Monte Carlo test")
    group.add_argument("--bars", choices=BARS, help="how consistency bars are made for two classes")
    group.add_argument("--interval", metavar="LOW,HIGH", help="levels of the consistency bars: 0.05,0.95")
    group.add_argument("--shuffle", action="store_true", default=None, help="put the rows in random order")
    group.add_argument("--alpha", type=float, help="level that a survey draws enough for: 0.05")
    group.add_argument(
        "--tolerance", type=float, help="error that would matter, for the verdicts of a survey: 0.05"
    )
    _rarer_arguments(command)
    group.add_argument("--seed", type=int, metavar="N", help="of all randomness: 0")


def _rarer_arguments(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("settings that most people leave alone")
    group.add_argument("--class-weights", metavar="W,W,…", help="weights of the classes in the kernel")
    group.add_argument("--null", help=f"hypothesis of the exact tests: {NULL_WORDS}")
    group.add_argument(
        "--stop-at", type=int, metavar="H", help="stop an exact test at H redraws as extreme (10 is usual)"
    )
    group.add_argument(
        "--bootstrap", type=int, metavar="N", help="samples for an interval of the ECE (0: none)"
    )
    group.add_argument("--block-size", type=int, metavar="S", help="cases in a block of the block estimator")
    group.add_argument("--locations", type=int, metavar="J", help="test locations of the UCME")
    group.add_argument("--precision", choices=PRECISIONS, help="of the kernel sums")
    group.add_argument("--adjustment", choices=ADJUSTMENTS, help="of the p-values of a survey")
    group.add_argument("--bin-adjustment", choices=BIN_ADJUSTMENTS, help="of the p-values of the bins")


def _place_arguments(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("where it is computed")
    group.add_argument(
        "--cluster",
        metavar="ADDRESS",
        default=SERVER.cluster,
        help=f"of dask.distributed, tcp://HOST:PORT or tls://HOST:PORT, or {NOWHERE} "
        f"(default: {PREFIX}CLUSTER if that is set, else {NOWHERE})",
    )


def spec_from(arguments: argparse.Namespace) -> DiagnosisSpec:
    """Settings from ``--spec`` and the flags that override it."""
    spec = DiagnosisSpec()
    if arguments.spec is not None:
        spec = _spec_in(_text_of(arguments.spec))
    changes: dict[str, Any] = {
        name: getattr(arguments, name) for name in PLAIN_SETTINGS if getattr(arguments, name) is not None
    }
    if arguments.binning is not None:
        changes["binning"] = binning_from_words(arguments.binning)
    if arguments.interval is not None:
        low_high = _numbers(arguments.interval, "The interval is", "two numbers as in 0.05,0.95", 2)
        changes["interval"] = low_high
    if arguments.null is not None:
        changes["null"] = null_from_words(arguments.null)
    if arguments.command not in SURVEYS and arguments.lens is not None:
        changes["lens"] = lens_from_words(arguments.lens)
    if arguments.command in ("diagnose", "stream"):
        for name in ("tests", "estimates"):
            if (words := getattr(arguments, name)) is not None:
                names = [part.strip() for part in words.split(",")]
                changes[name] = () if names == ["none"] else tuple(part for part in names if part)
    return replace(spec, **changes, kernel=_kernel_from(arguments, spec.kernel))


def _kernel_from(arguments: argparse.Namespace, kernel: Kernel) -> Kernel:
    bandwidth, metric, weights = kernel.bandwidth, kernel.metric, kernel.class_matrix
    if arguments.bandwidth is not None:
        bandwidth = bandwidth_from_words(arguments.bandwidth)
    if arguments.metric is not None:
        metric = arguments.metric
    if arguments.class_weights is not None:
        weights = _numbers(arguments.class_weights, "The class weights are", "one number a class as in 1,2,2")
    return KERNELS[arguments.kernel or kernel.kind](bandwidth, metric, weights)


def _spec_in(text: str) -> DiagnosisSpec:
    """Settings out of a file of settings, or of a whole diagnosis as ``--json`` prints it."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return DiagnosisSpec.from_json(text)  # says what is wrong
    if isinstance(document, dict) and isinstance(document.get("spec"), dict):
        document = document["spec"]
    return DiagnosisSpec.from_document(document)


def _text_of(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The settings {path!r} cannot be read: expected a file of JSON text.") from error


def _numbers(words: str, what: str, expected: str, many: int | None = None) -> tuple[float, ...]:
    try:
        numbers = tuple(float(part) for part in words.split(","))
    except ValueError:
        numbers = ()
    if not numbers or (many is not None and len(numbers) != many):
        raise InputError(f"{what} {words!r:.60}; expected {expected}.")
    return numbers


def options_from(arguments: argparse.Namespace) -> ReadOptions:
    """How the file is to be read."""
    names, rows, columns = arguments.class_names, arguments.leave_out_rows, arguments.probability_columns
    return ReadOptions(
        label_column=arguments.label_column,
        probability_columns=None if columns is None else names_from_words(columns),
        count_column=arguments.count_column,
        weight_column=arguments.weight_column,
        values=arguments.values or "auto",
        label_base=arguments.label_base,
        header=None if arguments.header is None else arguments.header == "yes",
        delimiter="\t" if arguments.delimiter in ("tab", "\\t") else arguments.delimiter,
        class_names=None if names is None else names_from_words(names),
        renormalise=arguments.renormalise,
        leave_out_rows=() if rows is None else rows_from_words(rows),
        join=arguments.join,
        swap_files=None if arguments.swap_files is None else arguments.swap_files == "yes",
    )
