"""The command line: ``caliblens diagnose FILE …``, ``survey``, ``stream``, ``figure``, ``report``, ``app``.

Where it is not installed the same is ``python -m calibcore diagnose FILE …``.

Exit codes: 0 done, 1 the verdict that ``--fail-if`` names, 2 bad input (one sentence
on stderr, nothing on stdout), 3 the cluster failed or memory ran out (the same), 130 interrupted.
"""

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from calibcore import limits
from calibcore.cli.arguments import COMMANDS, PROGRAM, parser
from calibcore.cli.flags import options_from
from calibcore.data.outside_text import visible
from calibcore.errors import InputError
from calibcore.numerics.compiling import saying_that_it_compiles
from calibcore.numerics.engine import EngineError
from calibcore.remote import client
from calibcore.words.readings import with_flags

TOO_LARGE = (
    "There is not enough memory for this. Use fewer cases or a machine with more, "
    "or 'stream' in place of 'diagnose': it reads a Parquet file piece by piece."
)


def _terminal_progress(fraction: float, words: str) -> None:
    width, words = 24, visible(words)
    done = "█" * round(width * fraction)
    sys.stderr.write(f"\r\x1b[K{done:░<{width}} {fraction:4.0%}  {words}" if fraction < 1 else "\r\x1b[K")
    sys.stderr.flush()


def _on_stderr(words: str) -> None:
    """A line between those of the progress."""
    clear = "\r\x1b[K" if sys.stderr.isatty() else ""
    print(f"{clear}{words}", file=sys.stderr, flush=True)


def script() -> int:
    """What ``pip install`` makes a program of, which is called as it was typed; returns the exit code."""
    return _alone(Path(sys.argv[0]).stem)


def _alone(program: str) -> int:
    """:func:`main` as all that the process does.

    What has been imported stays. Compiling makes so many objects that Python would look through all of it
    for garbage many times, which takes a tenth of the first survey.
    """
    gc.freeze()
    return main(program=program)


def main(argv: Sequence[str] | None = None, program: str = PROGRAM) -> int:
    """Run; returns the exit code."""
    limits.check_or_exit()
    arguments = parser(program).parse_args(argv)
    progress = _terminal_progress if sys.stderr.isatty() else None
    code: int
    try:
        with saying_that_it_compiles(_on_stderr if arguments.command != "warm" else lambda _: None):
            asked_of = getattr(arguments, "server", None)
            run = COMMANDS[arguments.command].run if asked_of is None else client.run
            text, code = run(arguments, progress)
    except (InputError, EngineError, MemoryError) as error:
        if progress is not None:
            sys.stderr.write("\r\x1b[K")
        sentence = TOO_LARGE if isinstance(error, MemoryError) else str(error)
        if isinstance(error, InputError) and error.remedies:  # so the options themselves were in order
            sentence = with_flags(error, options_from(arguments))
        print(visible(sentence), file=sys.stderr)
        return 2 if isinstance(error, InputError) else 3
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    try:
        if text:
            print(text, flush=True)
    except BrokenPipeError:  # the reader, `head` say, had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(_alone(PROGRAM))
