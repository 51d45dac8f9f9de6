"""What a command is: a file of this folder each."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from calibcore.numerics.progress import Progress

Run = Callable[[argparse.Namespace, Progress | None], tuple[str, int]]


@dataclass(frozen=True)
class Command:
    """A word after the program's name, and what it does.

    ``examples``: what may be typed after the program's name, the plainest first. ``run`` returns what is
    printed on stdout and the exit code.
    """

    name: str
    help: str
    examples: tuple[str, ...]
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Run
