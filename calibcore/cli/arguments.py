"""The arguments of the command line: the program's own, and those of each command.

Words as in the tables of docs/cli.md.
"""

import argparse
import difflib
from collections.abc import Callable, Sequence
from typing import NoReturn, Protocol

from calibcore.cli import (
    app,
    compare,
    decide,
    diagnose,
    figure,
    groups,
    label_noise,
    monitor,
    plan,
    recalibrate,
    report,
    schema,
    stream,
    survey,
    training,
)
from calibcore.limits import VERSION
from calibcore.numerics.progress import Progress


class Command(Protocol):
    """A word after the program's name, and what it does: a module of this folder, called as the word is."""

    __name__: str
    HELP: str
    """What it does, in a few words."""

    @property
    def EXAMPLES(self) -> tuple[str, ...]:  # noqa: N802 (a constant)
        """What may be typed after the program's name, the plainest first."""

    def add_arguments(self, command: argparse.ArgumentParser, /) -> None:
        """Its flags."""

    def run(self, arguments: argparse.Namespace, progress: Progress | None, /) -> tuple[str, int]:
        """What is printed on stdout, and the exit code."""


_MODULES: tuple[Command, ...] = (
    diagnose,
    survey,
    stream,
    figure,
    report,
    compare,
    training,
    recalibrate,
    groups,
    monitor,
    decide,
    plan,
    label_noise,
    schema,
    app,
)
COMMANDS = {module.__name__.rpartition(".")[2].replace("_", "-"): module for module in _MODULES}


class _Parser(argparse.ArgumentParser):
    """Says in one sentence what is wrong, without every flag there is."""

    add_later: Callable[[argparse.ArgumentParser], None] | None = None
    """Adds the flags once words are read: of all commands one is typed, and each has a hundred flags."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As the parent's, and refuses what it does not know where it stands: there its flags are known."""
        if self.add_later is not None:
            add, self.add_later = self.add_later, None
            add(self)
        values, rest = super().parse_known_args(args, namespace)
        if rest:
            word = rest[0].partition("=")[0]
            if not word.startswith("-"):
                self.error(f"{word!r:.60} is one argument too many.")
            near = difflib.get_close_matches(word, self._option_string_actions, 1)
            self.error(f"There is no flag {word!r:.60}" + (f"; did you mean {near[0]}?" if near else "."))
        return values, rest

    def error(self, message: str) -> NoReturn:
        """One sentence and where to look, on stderr; exit code 2."""
        sentence = message[:1].upper() + message[1:] + ("" if message[-1:] in ".?" else ".")
        self.exit(2, f"{sentence} For what there is: {self.prog} --help\n")


PROGRAM = "python -m calibcore"
"""What is typed wherever the package can be imported."""


def _examples(program: str, *lines: str) -> str:
    return "\n".join(["examples:", *(f"  {program} {line}" for line in lines)])


def parser(program: str = PROGRAM) -> argparse.ArgumentParser:
    """The arguments of ``program``."""
    top = _Parser(prog=program, description="Can a classifier's probabilities be believed?")
    top.formatter_class = argparse.RawDescriptionHelpFormatter
    plainest_first = {"survey": COMMANDS["survey"]} | COMMANDS
    top.epilog = _examples(program, *(command.EXAMPLES[0] for command in plainest_first.values()))
    top.add_argument("--version", action="version", version=f"caliblens {VERSION}")
    parsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        of_command = parsers.add_parser(name, help=command.HELP)
        of_command.formatter_class = argparse.RawDescriptionHelpFormatter
        of_command.epilog = _examples(program, *command.EXAMPLES)
        of_command.add_later = command.add_arguments
    return top
