"""The command line: ``python -m calibcore diagnose FILE …``, ``survey``, ``stream``, ``figure``, ``report``.

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

from calibcore import figure_command, report_command, stream_command
from calibcore.arguments import NOWHERE, SURVEYS, options_from, parser, spec_from
from calibcore.binning import Binning
from calibcore.checks import spelled_out, visible
from calibcore.cluster import Cluster
from calibcore.diagnose import Progress, diagnose
from calibcore.engine import EngineError, using
from calibcore.io import Reading, read
from calibcore.judged import LOOKING, Judged, judged
from calibcore.lenses import Lens
from calibcore.predictions import InputError, Predictions
from calibcore.spec import DiagnosisSpec, lens_from_words
from calibcore.survey import default_binning, survey
from calibcore.words import diagnosis_text, survey_text

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
    spec = spec_from(arguments)
    if arguments.command == "figure":
        figure_command.check(arguments)
    if arguments.command == "report":
        report_command.check(arguments)
    if arguments.command == "stream":
        if arguments.cluster not in ("", NOWHERE):
            raise InputError("A stream is read and computed on this machine alone; leave out --cluster.")
        return stream_command.answer(arguments, options_from(arguments), spec, progress), 0
    with _elsewhere(arguments.cluster):  # before the file is read: a wrong address is said at once
        return _answer(arguments, spec, progress)


def _answer(arguments: argparse.Namespace, spec: DiagnosisSpec, progress: Progress | None) -> tuple[str, int]:
    reading: Reading = read(
        Path(arguments.predictions),
        labels=None if arguments.labels is None else Path(arguments.labels),
        options=options_from(arguments),
    )
    if arguments.command in SURVEYS:
        return _surveyed(arguments, reading.predictions, spec, progress)
    if arguments.command == "figure":
        return figure_command.write(arguments, reading.predictions, spec, progress), 0
    diagnosis = diagnose(reading.predictions, spec, progress)
    return spelled_out(diagnosis.to_json()) if arguments.json else diagnosis_text(diagnosis), 0


@contextmanager
def _elsewhere(address: str) -> Iterator[None]:
    """Within, long work goes to the cluster at ``address``, if there is one."""
    if address in ("", NOWHERE):
        yield
        return
    logging.disable()  # dask's own lines: what fails is said in one sentence
    try:
        with Cluster.at(address) as cluster, using(cluster):
            yield
    finally:
        logging.disable(logging.NOTSET)


def _surveyed(
    arguments: argparse.Namespace, predictions: Predictions, spec: DiagnosisSpec, progress: Progress | None
) -> tuple[str, int]:
    lenses = [lens_from_words(words) for words in arguments.lens] if arguments.lens else None
    told = arguments.command == "report"
    share = report_command.SHARE if told else 1.0
    many = None
    if arguments.spec is None and arguments.binning is None:
        many = default_binning(max(3, predictions.m), predictions.n)
    found = _judged(predictions, spec, lenses, many, _part(progress, 0.0, share))
    code = int(report_command.fails(arguments, found))
    if told:
        rest = _part(progress, share, 1 - share)
        return report_command.write(arguments, predictions, found, spec, rest), code
    return spelled_out(found.to_json()) if arguments.json else survey_text(found), code


def _judged(
    predictions: Predictions,
    spec: DiagnosisSpec,
    lenses: list[Lens] | None,
    many: Binning | None,
    progress: Progress | None,
) -> Judged:
    part = _part(progress, 0.0, LOOKING)
    found = survey(predictions, spec, lenses, part, binning_of_many=many)
    return judged(predictions, found, _part(progress, LOOKING, 1 - LOOKING))


def _part(progress: Progress | None, start: float, share: float) -> Progress | None:
    return progress and (lambda fraction, words: progress(start + share * fraction, words))


def main(argv: Sequence[str] | None = None) -> int:
    """Run; returns the exit code."""
    arguments = parser().parse_args(argv)
    progress = _terminal_progress if sys.stderr.isatty() else None
    try:
        text, code = answer(arguments, progress)
    except (InputError, EngineError, MemoryError) as error:
        if progress is not None:
            sys.stderr.write("\r\x1b[K")
        said = TOO_LARGE if isinstance(error, MemoryError) else str(error)
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
