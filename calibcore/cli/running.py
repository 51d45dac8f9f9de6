"""What commands do alike: read and write files, say what was noticed, compute elsewhere, tell progress."""

import argparse
import logging
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from calibcore.assessment.assess import LOOKING, Assessment, assess
from calibcore.assessment.survey import default_binning, survey
from calibcore.cli.flags import options_from
from calibcore.cli.requests import Request, request_from
from calibcore.cluster import Cluster
from calibcore.data.checks import spelled_out, visible
from calibcore.data.predictions import Predictions
from calibcore.data.times import DAY_ORDERS, DatesFitTwiceError
from calibcore.errors import InputError, NoSuchModelError
from calibcore.extras import need
from calibcore.flags import NONE
from calibcore.io import Reading, read
from calibcore.numerics.engine import using
from calibcore.numerics.progress import Progress
from calibcore.settings.documents import AsDocument
from calibcore.terminal import answer_text
from calibcore.words.readings import first_rows, mismatch_on_the_command_line, repeats_on_the_command_line
from calibcore.words.sharing import another_test
from calibcore.words.verdicts import as_a_whole

A = TypeVar("A", bound=AsDocument)
F = TypeVar("F", bound=str)


@contextmanager
def elsewhere(address: str) -> Iterator[None]:
    """Within, long work goes to the cluster at ``address``, if there is one.

    Entered before a file is read: a wrong address is said at once.
    """
    if address in ("", NONE):
        yield
        return
    need("A cluster", "cluster")
    logging.disable()  # dask's own lines: what fails is said in one sentence
    try:
        with Cluster.at(address) as cluster, using(cluster):
            yield
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def opened(arguments: argparse.Namespace, request: Request) -> Iterator[tuple[Reading, str]]:
    """The files that are named, and what has to be known before a result of them is read.

    Within, long work goes to the cluster.
    """
    with elsewhere(arguments.cluster):
        reading = _read(arguments.predictions, arguments)
        earlier = "" if request.shared is None else another_test(request.shared)
        repeats = repeats_on_the_command_line(reading, request.spec.unit)
        remarks = (mismatch_on_the_command_line(reading), repeats, earlier)
        yield reading, "\n\n".join(map(visible, filter(None, remarks)))


@contextmanager
def dates_named() -> Iterator[None]:
    """Within, dates that fit twice are refused with the flag that says how they are meant."""
    try:
        yield
    except DatesFitTwiceError as error:
        words = " or ".join(f"--dates {order}" for order in DAY_ORDERS)
        raise InputError(f"{error} Say so by {words}.") from None


def _read(path: str, arguments: argparse.Namespace) -> Reading:
    """A file; a report may give its only model a name that does not stand in it."""
    options = options_from(arguments)
    try:
        return read(Path(path), labels=arguments.labels, options=options)
    except NoSuchModelError as error:
        if arguments.command != "report" or error.models or options.model_column is not None:
            raise
    return read(Path(path), labels=arguments.labels, options=replace(options, model=None))


def one_of_several(path: str, arguments: argparse.Namespace) -> Reading:
    """A file, read as all of them are; :class:`InputError` names the one that cannot be read."""
    try:
        return _read(path, arguments)
    except InputError as error:
        raise error.reworded(f"{path}: {error}") from None


Ask = Callable[[argparse.Namespace, Request, Progress | None], Callable[[Predictions], A]]
"""What is asked for -> what finds the result of predictions. What can be refused is refused before that."""
Run = Callable[[argparse.Namespace, Progress | None], tuple[str, int]]


def asking(
    ask: Ask[A],
    text: Callable[[A], str] = answer_text,
    code: Callable[[argparse.Namespace, A], int] = lambda *_: 0,
) -> Run:
    """What a command does that asks about one file: for programs, or by ``text`` for people; the exit code.

    People get it between what has to be known first and the first rows as read.
    """

    def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
        request = request_from(arguments)
        find = ask(arguments, request, progress)
        with opened(arguments, request) as (reading, before):
            if arguments.json:
                warn(before)
            with dates_named():
                result = find(reading.predictions)
            words = printed(arguments, result, text)
            if not arguments.json:
                rows = (f"- As read, {visible(row)}." for row in first_rows(reading))
                words = "\n".join((words, *rows))
                words = f"{before}\n\n{words}" if before else words
            return words, code(arguments, result)

    return run


def printed(arguments: argparse.Namespace, result: A, text: Callable[[A], str] = answer_text) -> str:
    """A result for programs, or by ``text`` for people."""
    return spelled_out(result.to_json()) if arguments.json else text(result)


def warn(words: str) -> None:
    """On stderr, where stdout is for programs."""
    if words:
        print(words, file=sys.stderr)


def assessed(predictions: Predictions, request: Request, progress: Progress | None) -> Assessment:
    """The survey that is asked for, with its verdicts."""
    many = request.many
    if many is None and not request.binning_given:
        many = default_binning(max(3, predictions.m), predictions.n)
    result = survey(
        predictions, request.spec, request.lenses, part(progress, 0.0, LOOKING), binning_of_many=many
    )
    return assess(predictions, result, part(progress, LOOKING, 1 - LOOKING))


def exit_code(arguments: argparse.Namespace, assessment: Assessment) -> int:
    """1 where the verdict on the whole is the one that ``--fail-if`` names."""
    return int(as_a_whole(assessment.verdicts).answer == arguments.fail_if)


def part(progress: Progress | None, start: float, share: float) -> Progress | None:
    """``progress`` of a share of the work."""
    return progress and (lambda fraction, words: progress(start + share * fraction, words))


def format_of(path: str, formats: Collection[F]) -> F:
    """The one of ``formats`` that a file's ending names; :class:`InputError` for another."""
    ending = Path(path).suffix.lower().removeprefix(".")
    for format in formats:
        if format == ending:
            return format
    fault = f"ends in .{ending}" if ending else "has no ending"
    raise InputError(f"The file {path!r} {fault}; expected {', '.join('.' + name for name in formats)}.")


def write_file(path: str, made: bytes) -> None:
    """Write it, over what is there; :class:`InputError` for a path that cannot be written."""
    try:
        Path(path).write_bytes(made)
    except OSError as error:
        why = (error.strerror or "an error").lower()
        raise InputError(f"The file {path!r} cannot be written: {why}.") from error
