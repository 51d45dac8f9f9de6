"""Flags that several commands share. Words as in the tables of docs/cli.md."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calibcore import limits
from calibcore.cli.requests import NONE, given
from calibcore.data.times import DAY_ORDERS
from calibcore.diagram.bars import BARS
from calibcore.estimators.skce import PRECISIONS
from calibcore.hypothesis_tests.families import FAMILIES
from calibcore.io import ReadOptions
from calibcore.io.formats import known_names
from calibcore.io.options import FIELDS, KINDS, SAYS, names_from_words, rows_from_words
from calibcore.kernels import BANDWIDTH_RULES, KERNELS, METRICS
from calibcore.limits import PREFIX
from calibcore.numerics.distances import DISTANCES
from calibcore.settings import ESTIMATES
from calibcore.settings.spec import ADJUSTMENTS, BIN_ADJUSTMENTS
from calibcore.settings.words import BINNING_WORDS, LENS_WORDS, NULL_WORDS


def reading_flags(command: argparse.ArgumentParser, several: str = "") -> None:
    """Which files are read, and how; of ``several``, what each of them is."""
    add = command.add_argument_group("what is read").add_argument
    add(
        "predictions",
        metavar="PREDICTIONS",
        nargs="+" if several else None,
        help=known_names() + f"; {several}" * bool(several),
    )
    add("--labels", metavar="FILE", type=Path, help="the labels, if they are in a file of their own")
    add(
        "--label-column",
        metavar="NAME",
        help="the column that holds the labels, or one-hot columns between commas: a,b,c",
    )
    add(
        "--probability-columns",
        metavar="A,B,…",
        help="the columns of predictions, in the order of the classes",
    )
    add("--count-column", metavar="NAME", help="how many identical cases a row stands for")
    add("--weight-column", metavar="NAME", help="weights; they give estimates, no tests")
    add("--values", choices=[v for v in KINDS if v != "auto"], help="what the numbers are")
    add("--label-base", type=int, choices=(0, 1), help="integer labels count from 0 or 1")
    add(
        "--label-says",
        choices=SAYS,
        help="what happened, or of two classes whether the likelier one was right or wrong",
    )
    add("--header", choices=("yes", "no"), help="whether the first line names the columns")
    add("--delimiter", metavar="C", help="what separates the columns ('tab' for a tab)")
    add(
        "--class-names", metavar="A,B,…", help='the classes, in the order of the columns; also as JSON: ["A"]'
    )
    add("--renormalise", action="store_true", help="divide every row by its sum")
    add("--leave-out-rows", metavar="N,N-N,…", help="cases not to read, from 1: 3,17,25-40")
    add(
        "--join",
        metavar="NAME",
        help="how the rows of two files belong together: 'rows', in their order, or by this column of both",
    )
    add("--columns-are", metavar="A,B,…", help="the classes of the columns, if they are others than they say")
    add("--swap-files", choices=("yes", "no"), help="whether the predictions are in the file of --labels")
    add(
        "--rows-where",
        metavar="COLUMN=VALUE,…",
        help="only the rows with these values, as those of one of several models; 'all' keeps all",
    )
    add(
        "--by-length",
        action="store_true",
        help="of a log of a language model: divide the log-likelihood of each option by its length",
    )
    add("--sample", type=int, metavar="N", help="only N of the cases, drawn at random")


def setting_flags(command: argparse.ArgumentParser) -> None:
    """The settings of a look, each of which overrides those of ``--spec``."""
    add = command.add_argument_group("how it is looked at (each overrides --spec)").add_argument
    add(
        "--spec",
        metavar="FILE",
        help="settings as JSON, or a diagnosis, a survey or a report as --json prints it; a survey takes its "
        "lenses too",
    )
    add("--binning", help=BINNING_WORDS)
    add("--distance", choices=list(DISTANCES))
    add("--kernel", choices=list(KERNELS))
    add("--metric", choices=METRICS)
    add("--bandwidth", help=f"{', '.join(BANDWIDTH_RULES)} or a number")
    add("--resamples", type=int, metavar="N", help="redraws of each Monte Carlo test")
    add("--bars", choices=BARS, help="how consistency bars are made for two classes")
    add("--interval", metavar="LOW,HIGH", help="levels of the consistency bars: 0.05,0.95")
    add("--shuffle", action=argparse.BooleanOptionalAction, help="put the rows in random order")
    add("--alpha", type=float, help="level that a survey draws enough for: 0.05")
    add("--tolerance", type=float, help="error that would matter, for the verdicts of a survey: 0.05")
    add(
        "--unit",
        metavar="COLUMN",
        help="which rows belong together, as those of one patient: then exact tests take one row of each",
    )
    rarer = command.add_argument_group("settings that most people leave alone").add_argument
    rarer(
        "--class-weights",
        metavar="W,W,…",
        help="weights of the classes in the kernel, a matrix as JSON, [[2,1],[1,2]], or none",
    )
    rarer("--null", help=f"hypothesis of the exact tests: {NULL_WORDS}")
    rarer("--stop-at", metavar="H", help="stop an exact test at H redraws as extreme (10 is usual), or none")
    rarer("--bootstrap", type=int, metavar="N", help="samples for an interval of the ECE (0: none)")
    rarer("--block-size", type=int, metavar="S", help="cases in a block of the block estimator")
    rarer("--locations", type=int, metavar="J", help="test locations of the UCME")
    rarer("--precision", choices=PRECISIONS, help="of the kernel sums")
    rarer("--adjustment", choices=ADJUSTMENTS, help="of the p-values of a survey")
    rarer("--bin-adjustment", choices=BIN_ADJUSTMENTS, help="of the p-values of the bins")
    add("--seed", type=int, metavar="N", help="of all randomness: 0")


def look_flags(command: argparse.ArgumentParser, several: str = "") -> None:
    """What is read, how it is looked at, and where that is computed; of ``several`` files, what each is."""
    reading_flags(command, several)
    setting_flags(command)
    command.add_argument_group("where it is computed").add_argument(
        "--cluster",
        metavar="ADDRESS",
        default=limits.SERVER.cluster,
        help=f"of dask.distributed, tcp://HOST:PORT or tls://HOST:PORT, or {NONE} "
        f"(default: {PREFIX}CLUSTER if that is set, else {NONE})",
    )


FOR_ROWS = "print one JSON object, for whoever has the rows; to hand something on write a report"
HANDED_ON = "print one JSON object, which may be handed on"
"""What ``--json`` prints: all that was found, also of few cases, or what keeps those back."""


def json_flag(command: argparse.ArgumentParser, printed: str = FOR_ROWS) -> None:
    """``--json``, of the commands that print a result."""
    command.add_argument("--json", action="store_true", help=printed)


def lens_flag(command: argparse.ArgumentParser) -> None:
    """``--lens``, of the commands that look through one."""
    command.add_argument("--lens", help=LENS_WORDS)


def question_flags(command: argparse.ArgumentParser, several: str = "", printed: str = FOR_ROWS) -> None:
    """What the commands take that ask one question through one lens; of ``several`` files, what each is."""
    look_flags(command, several)
    json_flag(command, printed)
    lens_flag(command)


def dates_flag(group: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """``--dates``, of the commands that read a column of dates."""
    group.add_argument(
        "--dates", choices=DAY_ORDERS, help="whether the day or the month comes first, where both fit"
    )


def made_flags(command: argparse.ArgumentParser) -> None:
    """What a look through one lens makes."""
    command.add_argument(
        "--estimates", help=f"some of {','.join(ESTIMATES)}, or none (default: all that apply)"
    )
    command.add_argument("--tests", help=f"some of {','.join(FAMILIES)}, or none (default: all)")


def survey_flags(command: argparse.ArgumentParser) -> None:
    """What the commands take that look through many lenses and come to a verdict."""
    add = command.add_argument
    add("--fail-if", choices=("miscalibrated",), help="exit code 1 where this is the verdict on the whole")
    add("--tests", help="exact-omnibus: what a survey makes, if --spec says another")
    add("--estimates", help="none: a survey makes none of these, if --spec says another")
    add(
        "--binning-of-many",
        help="for lenses of three and more classes (default: as --binning; without it split at medians)",
    )
    add(
        "--lens",
        action="append",
        help=f"may be given several times (default: confidence, canonical, each class): {LENS_WORDS}",
    )


def _is_yes(word: str) -> bool:
    return word == "yes"


_READ: dict[str, Callable[[str], Any]] = {
    "probability_columns": names_from_words,
    "class_names": names_from_words,
    "columns_are": names_from_words,
    "rows_where": names_from_words,
    "leave_out_rows": rows_from_words,
    "header": _is_yes,
    "swap_files": _is_yes,
    "delimiter": lambda word: "\t" if word in ("tab", "\\t") else word,
}
"""Field of :class:`.ReadOptions` -> what reads it off a word; the others are as argparse gives them."""


def options_from(arguments: argparse.Namespace) -> ReadOptions:
    """How the file is to be read."""
    return ReadOptions(**given(arguments, FIELDS, _READ))
