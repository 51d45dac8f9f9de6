"""Commands as programs ask them of a server: each flag is a field, and a file that a flag names is sent.

Nothing here is written for one command: fields come from the flags, so a new flag or question has its own.
"""

import argparse
import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, NoReturn

from calibcore.cli.arguments import COMMANDS, Parser, as_sentence
from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.flags import NONE

Kind = Literal["file", "word", "number", "integer", "yes or no"]
PRINTING = ("help", "cluster", "server", "json", "format")
"""Flags that say where something is computed, and how it is printed."""
KEPT_BACK = (*PRINTING, "map")
"""Flags that are no fields: those, and what finds no result."""
MADE, JUNIT = "made", "junit.xml"
"""Names of what ``out`` makes, before its ending, and of what ``junit`` does."""
TOLD: dict[str, tuple[Kind, str]] = {
    "out": ("word", "what is made beside the result: the ending of such a file, and no name"),
    "junit": ("yes or no", "also make a JUnit XML, each check a test"),
    "fail_if": ("word", "also tell, as failed, whether this is the answer"),
}
"""Flags that name a file to be written, or say how the command ends -> what is sent, and what for."""
SUMMARY, FULL = "summary", "full"
FORMS = {SUMMARY: "summary", FULL: "json", "markdown": "markdown", "text": "text"}
"""What a ``document`` is called -> the word of ``--format``."""
OF_REPORTS = "the report"
"""The group of flags that say something about a report that a command writes beside its result."""
FILES = ("FILE", "PREDICTIONS")
"""What stands for the value of a flag that names a file."""
YES, NO = ("yes", "true", "1", "on"), ("no", "false", "0", "off")
MOST_SAID = 400
"""Characters of a sentence on what cannot be meant, in which a word is quoted."""


@dataclass(frozen=True)
class Field:
    """What may be sent.

    Attributes
    ----------
    name : as the flag, with ``_`` for ``-``
    flag : what is typed on the command line; empty where it is typed without one
    kind : "file": the content of a file, under its name
    many : whether it may be sent several times
    required : whether it has to be sent
    choices : the words there are; any, if none are named
    default : what it is where it is not sent
    """

    name: str
    flag: str
    kind: Kind
    help: str
    many: bool = False
    required: bool = False
    choices: tuple[str, ...] = ()
    default: Any = None
    no_flag: str = ""


class _Raising(Parser):
    """Raises what it would say."""

    def error(self, message: str) -> NoReturn:
        sentence = as_sentence(message)
        raise InputError(sentence if len(sentence) <= MOST_SAID else f"{sentence[: MOST_SAID - 1]}….")


SERVED = tuple(name for name, command in COMMANDS.items() if command.work is not None)
"""Commands that a server answers: those that find a document."""


@cache
def fields_of(command: str) -> Mapping[str, Field]:
    """Name -> field, in the order of ``--help``."""
    parser = _parser(command)
    beside = {
        action.dest
        for group in parser._action_groups
        if group.title == OF_REPORTS
        for action in group._group_actions
    }
    actions = [action for action in parser._actions if action.dest not in {*KEPT_BACK, *beside}]
    return {action.dest: _field(action, parser) for action in actions}


@cache
def _parser(command: str) -> Parser:
    parser = _Raising(prog=f"caliblens {command}", add_help=False)
    COMMANDS[command].add_arguments(parser)
    parser.set_defaults(command=command)
    return parser


def _field(action: argparse.Action, parser: argparse.ArgumentParser) -> Field:
    flags = action.option_strings
    help = parser._get_formatter()._expand_help(action) if action.help else ""
    kind: Kind = "word"
    if action.dest in TOLD:
        kind, help = TOLD[action.dest]
    elif action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
        kind = "yes or no"
    elif action.metavar in FILES:
        kind = "file"
    elif action.type in (int, float):
        kind = "integer" if action.type is int else "number"
    return Field(
        name=action.dest,
        flag=flags[0] if flags else "",
        kind=kind,
        help=help,
        many=action.nargs == "+" or isinstance(action, argparse._AppendAction),
        required=action.required,
        choices=tuple(map(str, action.choices or ())),
        default=action.default,
        no_flag=flags[1] if isinstance(action, argparse.BooleanOptionalAction) else "",
    )


def parsed(command: str, typed: Sequence[str]) -> argparse.Namespace:
    """The arguments of a command, typed after its name; :class:`.InputError` for what they cannot be."""
    return _parser(command).parse_args(list(typed))


def field_named(name: str, known: Mapping[str, Field]) -> Field:
    """The field of that name, in which ``-`` and ``_`` are alike; :class:`.InputError` if there is none."""
    field = known.get(name.replace("-", "_"))
    if field is None:
        near = difflib.get_close_matches(name, known, 1)
        meant = f"; did you mean {near[0]}?" if near else "."
        raise InputError(f"There is no field {shown(name)}{meant}")
    return field


def arguments_of(command: str, sent: Iterable[tuple[str, str]], form: str) -> argparse.Namespace:
    """The arguments of a command out of what was sent: pairs of a field and a word, or the name of a file.

    form : of the answer, one of :data:`FORMS`

    Raises
    ------
    InputError : a field that there is not, is sent twice or is missing, or a word that it cannot be.
    """
    known, words, files = fields_of(command), list[str](), dict[str, list[str]]()
    seen: set[str] = set()
    for name, word in sent:
        field = field_named(name, known)
        if field.name in seen and not field.many:
            raise InputError(f"The field {field.name} was sent twice; expected it once.")
        seen.add(field.name)
        if field.kind == "file":
            files.setdefault(field.name, []).append(word)
        elif field.name == "out":
            words.append(f"{field.flag}={MADE}.{_ending(word)}")
        elif field.name == "junit":
            words += [f"{field.flag}={JUNIT}"] * yes(field.name, word)
        elif field.kind == "yes or no":
            words += list(filter(None, [field.flag if yes(field.name, word) else field.no_flag]))
        else:
            words.append(f"{field.flag}={word}")
    missing = [field.name for field in known.values() if field.required and field.name not in seen]
    if missing:
        raise InputError(f"The field {missing[0]} is missing: {known[missing[0]].help}.")
    # Names of files are not read as words: one may begin as a flag does.
    words += [f"{known[name].flag}=x" if known[name].flag else "x" for name in files]
    arguments = _parser(command).parse_args(words)
    for name, names in files.items():
        path = type(getattr(arguments, name))
        setattr(arguments, name, names if path is list else path(names[0]))
    arguments.json, arguments.format = form == FULL, None if form == FULL else FORMS[form]
    arguments.cluster = NONE  # the server goes to its own
    return arguments


def _ending(word: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9]{1,10}", word):
        raise InputError(f"The field out is {shown(word)}; expected the ending of a file, as csv.")
    return word


def yes(name: str, word: str) -> bool:
    """Whether a field says yes; :class:`.InputError` for what is neither yes nor no."""
    if word.strip().lower() not in (*YES, *NO):
        raise InputError(f"The field {name} is {shown(word)}; expected yes or no.")
    return word.strip().lower() in YES


def sent_for(arguments: argparse.Namespace) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The inverse of :func:`arguments_of`: fields with their words, and fields with the files to be sent.

    Raises
    ------
    InputError : a flag that no server is asked.
    """
    known = fields_of(arguments.command)
    for action in _parser(arguments.command)._actions:
        if action.dest not in (*PRINTING, *known) and getattr(arguments, action.dest) != action.default:
            raise InputError(
                f"{action.option_strings[0]} cannot be asked of a server; leave it out, or --server."
            )
    words: list[tuple[str, str]] = []
    files: list[tuple[str, str]] = []
    for field in known.values():
        value = getattr(arguments, field.name)
        if value is None or value == field.default:
            continue
        values: Sequence[Any] = value if isinstance(value, list) else [value]
        if field.kind == "file":
            files += [(field.name, str(each)) for each in values]
        elif field.kind == "yes or no":
            words.append((field.name, YES[0] if value else NO[0]))
        elif field.name == "out":
            words.append((field.name, Path(value).suffix.removeprefix(".") or "none"))
        else:
            words += [(field.name, str(each)) for each in values]
    return words, files
