"""Flags that several commands share. Words as in the tables of docs/cli.md."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from calibcore import limits
from calibcore.cli.requests import given
from calibcore.data.times import DAY_ORDERS
from calibcore.flags import NONE, Entry, as_listed, entries
from calibcore.io import ReadOptions
from calibcore.io.formats import known_names
from calibcore.limits import PREFIX
from calibcore.settings import DiagnosisSpec
from calibcore.settings.words import LENS_WORDS


def _add(add: Callable[..., Any], entry: Entry, action: Any = "store_true") -> None:
    """The flag of a field; ``action``: of one without a value."""
    words = {"help": entry.flag.help or None}
    if entry.switch:
        add(entry.option, action=action, **words)
    else:
        add(entry.option, metavar=entry.flag.metavar, type=entry.type, choices=entry.choices, **words)


def _apart(command: argparse.ArgumentParser, *names: str) -> None:
    """Flags of settings that not all commands take, or each in its own way."""
    by_name = {entry.field: entry for entry in entries(DiagnosisSpec)}
    for name in names:
        _add(command.add_argument, by_name[name])


def reading_flags(command: argparse.ArgumentParser, several: str = "", options: type = ReadOptions) -> None:
    """Which files are read, and how; of ``several``, what each of them is."""
    add = command.add_argument_group("what is read").add_argument
    add(
        "predictions",
        metavar="PREDICTIONS",
        nargs="+" if several else None,
        help=known_names() + f"; {several}" * bool(several),
    )
    add("--labels", metavar="FILE", type=Path, help="the labels, if they are in a file of their own")
    for entry in as_listed(options):
        _add(add, entry)


def setting_flags(command: argparse.ArgumentParser, settings: type = DiagnosisSpec) -> None:
    """The settings of a look, each of which overrides those of ``--spec``."""
    usual = command.add_argument_group("how it is looked at (each overrides --spec)")
    rare = command.add_argument_group("settings that most people leave alone")
    usual.add_argument(
        "--spec",
        metavar="FILE",
        help="settings as JSON, or a diagnosis, a survey or a report as --json prints it; a survey takes its "
        "lenses too",
    )
    for name, group in (("usual", usual), ("rare", rare), ("last", usual)):
        for entry in as_listed(settings):
            if entry.flag.group == name:
                _add(group.add_argument, entry, argparse.BooleanOptionalAction)


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
FORMATS = ("text", "json", "markdown", "summary")
"""What ``--format`` takes."""


def json_flag(command: argparse._ActionsContainer, printed: str = FOR_ROWS) -> None:
    """``--json``, of the commands that print a result."""
    command.add_argument("--json", action="store_true", help=printed)


def pipeline_flags(command: argparse.ArgumentParser, printed: str = FOR_ROWS, junit: bool = False) -> None:
    """``--json`` and ``--format``, of a survey and of questions; ``--junit`` of those with verdicts."""
    formats = command.add_mutually_exclusive_group()
    json_flag(formats, printed)
    formats.add_argument(
        "--format",
        choices=FORMATS,
        help="what is printed: text for people (default), json as --json, markdown for a pull request, or "
        "summary, JSON of 5 kB at most. The last two may be handed on",
    )
    if junit:
        command.add_argument(
            "--junit", metavar="FILE", help="also write each check as a test into this file, as JUnit XML"
        )


def format_asked(arguments: argparse.Namespace) -> str:
    """How the result is to be printed, one of :data:`FORMATS`."""
    if arguments.json:
        return "json"
    return getattr(arguments, "format", None) or "text"


def server_flag(command: argparse.ArgumentParser) -> None:
    """``--server``, of the commands that a server answers."""
    command.add_argument(
        "--server",
        metavar="URL",
        help="send the files to this server, which answers in place of this machine: "
        "https://caliblens.example.org",
    )


def lens_flag(command: argparse.ArgumentParser) -> None:
    """``--lens``, of the commands that look through one."""
    _apart(command, "lens")


def question_flags(
    command: argparse.ArgumentParser, several: str = "", printed: str = FOR_ROWS, junit: bool = False
) -> None:
    """What the commands take that ask one question through one lens; of ``several`` files, what each is."""
    look_flags(command, several)
    server_flag(command)
    pipeline_flags(command, printed, junit)
    lens_flag(command)


def dates_flag(group: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """``--dates``, of the commands that read a column of dates."""
    group.add_argument(
        "--dates", choices=DAY_ORDERS, help="whether the day or the month comes first, where both fit"
    )


def made_flags(command: argparse.ArgumentParser) -> None:
    """What a look through one lens makes."""
    _apart(command, "estimates", "tests")


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
        help="may be given several times (default: confidence, canonical, each class, or up to each if in "
        f"order): {LENS_WORDS}",
    )


def options_from(arguments: argparse.Namespace) -> ReadOptions:
    """How the file is to be read."""
    return ReadOptions(**given(arguments, ReadOptions))
