"""``caliblens warm``: compile ahead, so that no command has to."""

import argparse
import time

from calibcore.numerics import loops
from calibcore.numerics.progress import Progress
from calibcore.questions.warm import warm

HELP = "compile everything ahead: for images, and before work without a wait"
PLACE = 160
EXAMPLES = ("warm",)


def add_arguments(_: argparse.ArgumentParser) -> None:
    """It has none."""


def run(_: argparse.Namespace, __: Progress | None) -> tuple[str, int]:
    """Compile what is in no cache; how long it took, and where it is kept."""
    begun = time.perf_counter()
    warm()
    seconds = time.perf_counter() - begun
    folder = loops.kept_in(loops.class_and_rest)
    if folder is None:
        nothing = "nothing is kept: no folder can be written to. Name one by NUMBA_CACHE_DIR."
        return f"Everything was compiled in {seconds:.0f} s, and {nothing}", 1
    where = "beside the code" if folder.name == "__pycache__" else f"under {folder.parent}"
    return f"Everything is compiled ({seconds:.0f} s), and kept {where}.", 0
