"""The command line: ``caliblens diagnose FILE …``, ``survey``, ``stream``, ``figure``, ``report``, ``app``.

Where it is not installed the same is ``python -m calibcore diagnose FILE …``.

Exit codes: 0 done, 1 the verdict that ``--fail-if`` names, 2 bad input (one sentence
on stderr, nothing on stdout), 3 the cluster failed or memory ran out (the same), 130 interrupted.
"""

import argparse
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from calibcore import limits
from calibcore.assessment.assess import LOOKING, Assessment, assess
from calibcore.assessment.survey import default_binning, survey
from calibcore.cli import app, compare, figure, report, stream, training
from calibcore.cli.arguments import NOWHERE, PROGRAM, options_from, parser
from calibcore.cli.requests import SURVEYS, Asked, asked_from
from calibcore.cluster import Cluster
from calibcore.data.checks import spelled_out, visible
from calibcore.data.predictions import Predictions
from calibcore.diagnose import diagnose
from calibcore.errors import InputError
from calibcore.extras import need
from calibcore.io import Reading, read
from calibcore.numerics.engine import EngineError, using
from calibcore.numerics.progress import Progress
from calibcore.words.mismatches import mismatch_on_the_command_line
from calibcore.words.readings import first_rows
from calibcore.words.remedies import with_flags
from calibcore.words.sharing import another_test
from calibcore.words.terminal import diagnosis_text, survey_text

QUESTIONS = {"compare": compare.answer, "training": training.answer}
"""Commands that ask a question of one or several models."""
TOO_LARGE = (
    "There is not enough memory for this. Use fewer cases or a machine with more, "
    "or 'stream' in place of 'diagnose': it reads a Parquet file piece by piece."
)


def _terminal_progress(fraction: float, words: str) -> None:
    width, words = 24, visible(words)
    done = "█" * round(width * fraction)
    sys.stderr.write(f"\r\x1b[K{done:░<{width}} {fraction:4.0%}  {words}" if fraction < 1 else "\r\x1b[K")
    sys.stderr.flush()


def answer(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """What is printed on stdout, and the exit code."""
    asked = asked_from(arguments)
    if arguments.command == "figure":
        figure.check(arguments)
    if arguments.command == "report":
        report.check(arguments)
    if arguments.command == "stream":
        if arguments.cluster not in ("", NOWHERE):
            raise InputError("A stream is read and computed on this machine alone; leave out --cluster.")
        return stream.answer(arguments, options_from(arguments), asked.spec, progress), 0
    if arguments.command in QUESTIONS:
        with _elsewhere(arguments.cluster):
            return QUESTIONS[arguments.command](arguments, options_from(arguments), asked.spec, progress), 0
    with _elsewhere(arguments.cluster):  # before the file is read: a wrong address is said at once
        return _answer(arguments, asked, progress)


def _answer(arguments: argparse.Namespace, asked: Asked, progress: Progress | None) -> tuple[str, int]:
    reading: Reading = read(
        Path(arguments.predictions),
        labels=None if arguments.labels is None else Path(arguments.labels),
        options=options_from(arguments),
    )
    first = [mismatch_on_the_command_line(reading), another_test(asked.shared) if asked.shared else ""]
    before = "\n\n".join(map(visible, filter(None, first)))
    read_by_people = arguments.command in ("diagnose", "survey") and not arguments.json
    if before and not read_by_people:
        print(before, file=sys.stderr)
    text, code = _answered(arguments, reading, asked, progress)
    if read_by_people:
        text = "\n".join((text, *(f"- As read, {visible(row)}." for row in first_rows(reading))))
    return f"{before}\n\n{text}" if before and read_by_people else text, code


def _answered(
    arguments: argparse.Namespace, reading: Reading, asked: Asked, progress: Progress | None
) -> tuple[str, int]:
    if arguments.command in SURVEYS:
        return _surveyed(arguments, reading, asked, progress)
    if arguments.command == "figure":
        return figure.write(arguments, reading.predictions, asked.spec, progress), 0
    diagnosis = diagnose(reading.predictions, asked.spec, progress)
    return spelled_out(diagnosis.to_json()) if arguments.json else diagnosis_text(diagnosis), 0


@contextmanager
def _elsewhere(address: str) -> Iterator[None]:
    """Within, long work goes to the cluster at ``address``, if there is one."""
    if address in ("", NOWHERE):
        yield
        return
    need("A cluster", "cluster")
    logging.disable()  # dask's own lines: what fails is said in one sentence
    try:
        with Cluster.at(address) as cluster, using(cluster):
            yield
    finally:
        logging.disable(logging.NOTSET)


def _surveyed(
    arguments: argparse.Namespace, reading: Reading, asked: Asked, progress: Progress | None
) -> tuple[str, int]:
    told = arguments.command == "report"
    share = report.SHARE if told else 1.0
    found = _judged(reading.predictions, asked, _part(progress, 0.0, share))
    code = int(report.fails(arguments, found))
    if told:
        rest = _part(progress, share, 1 - share)
        return report.write(arguments, reading, found, asked.spec, rest), code
    return spelled_out(found.to_json()) if arguments.json else survey_text(found), code


def _judged(predictions: Predictions, asked: Asked, progress: Progress | None) -> Assessment:
    looking = _part(progress, 0.0, LOOKING)
    many = asked.many
    if many is None and not asked.binning_said:
        many = default_binning(max(3, predictions.m), predictions.n)
    found = survey(predictions, asked.spec, asked.lenses, looking, binning_of_many=many)
    return assess(predictions, found, _part(progress, LOOKING, 1 - LOOKING))


def _part(progress: Progress | None, start: float, share: float) -> Progress | None:
    return progress and (lambda fraction, words: progress(start + share * fraction, words))


def script() -> int:
    """What ``pip install`` makes a program of, which is called as it was typed; returns the exit code."""
    return main(program=Path(sys.argv[0]).stem)


def main(argv: Sequence[str] | None = None, program: str = PROGRAM) -> int:
    """Run; returns the exit code."""
    limits.check_or_exit()
    arguments = parser(program).parse_args(argv)
    progress = _terminal_progress if sys.stderr.isatty() else None
    try:
        if arguments.command == "app":
            return app.run(arguments)
        text, code = answer(arguments, progress)
    except (InputError, EngineError, MemoryError) as error:
        if progress is not None:
            sys.stderr.write("\r\x1b[K")
        said = TOO_LARGE if isinstance(error, MemoryError) else str(error)
        if isinstance(error, InputError) and error.remedies:  # so the options themselves were in order
            said = with_flags(error, options_from(arguments))
        print(visible(said), file=sys.stderr)
        return 2 if isinstance(error, InputError) else 3
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 130
    try:
        print(text, flush=True)
    except BrokenPipeError:  # the reader, `head` say, had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


if __name__ == "__main__":
    sys.exit(main())
