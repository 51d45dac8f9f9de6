"""The arguments of the command line: the program's own, and those of each command.

Words as in the tables of docs/cli.md.
"""

import argparse
import difflib
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NoReturn

from calibcore import cli
from calibcore.cli.running import Work
from calibcore.limits import VERSION
from calibcore.numerics.progress import Progress
from calibcore.questions.registry import QUESTIONS


@dataclass(frozen=True)
class Command:
    """A word after the program's name, and what it does.

    Attributes
    ----------
    help : in a few words
    examples : what may be typed after the program's name, the plainest first
    add_arguments : adds its flags
    run : what is printed on stdout, and the exit code
    place : in the order of ``--help``; those that do not say theirs come last
    work : how it finds its result, where it finds one that is a document
    """

    help: str
    examples: tuple[str, ...]
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Progress | None], tuple[str, int]]
    place: float = math.inf
    work: Work[Any, Any] | None = None


def commands_in(package: str, folder: Iterable[str]) -> Mapping[str, Command]:
    """The commands of a folder: every module that has EXAMPLES, called as the module is, ``-`` for ``_``.

    What the command of a question does its registration says.
    """
    modules = [import_module(f"{package}.{each.name}") for each in iter_modules(folder)]
    made = {_word(module): _command(module) for module in modules if hasattr(module, "EXAMPLES")}
    return dict(sorted(made.items(), key=lambda item: item[1].place))


def _word(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2].replace("_", "-")


def _command(module: ModuleType) -> Command:
    """Raises :class:`TypeError` for a module that lacks something."""
    helps = {question.command: question.help for question in QUESTIONS.values()}
    help = helps.get(_word(module), getattr(module, "HELP", ""))
    lacks = [name for name in ("add_arguments", "run") if not hasattr(module, name)] + ["HELP"] * (not help)
    if lacks:
        raise TypeError(f"The command in {module.__name__} lacks {' and '.join(lacks)}.")
    place = getattr(module, "PLACE", math.inf)
    work = getattr(module, "WORK", getattr(module.run, "work", None))
    return Command(help, module.EXAMPLES, module.add_arguments, module.run, place, work)


COMMANDS = commands_in(cli.__name__, cli.__path__)
"""Word -> the command, in the order of ``--help``."""


MOST_QUOTED = 60
"""Characters of a word that is repeated in a sentence."""


class Parser(argparse.ArgumentParser):
    """Says in one sentence what is wrong, without every flag there is."""

    add_later: Callable[[argparse.ArgumentParser], None] | None = None
    """Adds the flags once words are read: of all commands one is typed, and each has a hundred flags."""

    def add_now(self) -> None:
        """Its flags, if they are not there."""
        if self.add_later is not None:
            add, self.add_later = self.add_later, None
            add(self)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As the parent's, and refuses what it does not know where it stands: there its flags are known."""
        self.add_now()
        values, rest = super().parse_known_args(args, namespace)
        if rest:
            word = rest[0].partition("=")[0]
            if not word.startswith("-"):
                self.error(f"{word!r:.60} is one argument too many.")
            known = self._option_string_actions
            begun = [flag for flag in known if flag.startswith(word)]
            near = begun or difflib.get_close_matches(word, known, 1)
            self.error(f"There is no flag {word!r:.60}" + (f"; did you mean {near[0]}?" if near else "."))
        return values, rest

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """As the parent's, which in Python 3.11 loses the value of ``--unit=--``."""
        if action.option_strings and arg_strings == ["--"]:
            value = self._get_value(action, "--")
            self._check_value(action, value)
            return value
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        """One sentence and where to look, on stderr; exit code 2."""
        sentence = as_sentence(message)
        self.exit(2, f"{sentence} For what there is: {self.prog} --help\n")


_NO_NUMBER = re.compile(r"argument (\S+): invalid (int|float) value: (.*)", flags=re.DOTALL)
_EXPECTED = {"int": "a whole number", "float": "a number"}


def as_sentence(message: str) -> str:
    """What argparse says, as a sentence."""
    if fault := _NO_NUMBER.fullmatch(message):
        flag, kind, word = fault.groups()
        word = word if len(word) <= MOST_QUOTED else f"{word[: MOST_QUOTED - 1]}…"
        return f"The value of {flag} is {word}; expected {_EXPECTED[kind]}."
    return message[:1].upper() + message[1:] + ("" if message[-1:] in ".?" else ".")


PROGRAM = "python -m calibcore"
"""What is typed wherever the package can be imported."""


def _examples(program: str, *lines: str) -> str:
    return "\n".join(["examples:", *(f"  {program} {line}" for line in lines)])


def parser(program: str = PROGRAM) -> argparse.ArgumentParser:
    """The arguments of ``program``. Flags are typed whole: the beginning of one may be a flag of another
    command, as ``--by`` of ``groups`` is of ``--by-length``."""
    top = Parser(
        prog=program, description="Can a classifier's probabilities be believed?", allow_abbrev=False
    )
    top.formatter_class = argparse.RawDescriptionHelpFormatter
    plainest_first = {"survey": COMMANDS["survey"], **COMMANDS}
    top.epilog = _examples(program, *(command.examples[0] for command in plainest_first.values()))
    top.add_argument("--version", action="version", version=f"caliblens {VERSION}")
    parsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        of_command = parsers.add_parser(name, help=command.help, allow_abbrev=False)
        of_command.formatter_class = argparse.RawDescriptionHelpFormatter
        of_command.epilog = _examples(program, *command.examples)
        of_command.add_later = command.add_arguments
    return top


def commands_of(top: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands of :func:`parser`, each with all its flags."""
    commands: dict[str, argparse.ArgumentParser] = {}
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            commands |= action.choices
    for command in commands.values():
        if isinstance(command, Parser):
            command.add_now()
    return commands
