"""What commands do alike: read and write files, say what was noticed, compute elsewhere, tell progress."""

import argparse
import logging
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from calibcore.assessment.assess import LOOKING, Assessment, assess
from calibcore.assessment.survey import survey
from calibcore.cli.files import DISK, files_of
from calibcore.cli.flags import format_asked, options_from
from calibcore.cli.requests import Request, request_from
from calibcore.cluster import Cluster
from calibcore.data.outside_text import called, spelled_out, visible
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases, MultiLabelPredictions
from calibcore.data.times import DAY_ORDERS, DatesFitTwiceError
from calibcore.diagram.binning import default_binning
from calibcore.errors import InputError, NoSuchModelError, SeveralLabelsError
from calibcore.extras import need
from calibcore.flags import NONE
from calibcore.io import LabelsReading, Reading
from calibcore.io.several_labels import ALL_LABELS, all_pairs
from calibcore.numerics.engine import using
from calibcore.numerics.progress import Progress
from calibcore.pipelines.junit import junit_of
from calibcore.pipelines.markdown import markdown_of
from calibcore.pipelines.summary import summary_of
from calibcore.questions.over_labels import OverLabels, asked_of_each
from calibcore.questions.registry import question_called
from calibcore.settings import DiagnosisSpec, lens_from_words
from calibcore.settings.documents import AsDocument
from calibcore.terminal import answer_text
from calibcore.transforms.lenses import Lens
from calibcore.words.readings import (
    first_rows,
    first_rows_of_labels,
    mismatch_on_the_command_line,
    order_on_the_command_line,
    repeats_on_the_command_line,
)
from calibcore.words.sharing import another_test
from calibcore.words.verdicts import as_a_whole

A = TypeVar("A", bound=AsDocument)
F = TypeVar("F", bound=str)
M = TypeVar("M")
FOR_PROGRAMS = ("json", "summary")
"""Formats beside which remarks go to stderr."""
ONE_LABEL = ("- One label with all that is known of it: --label NAME.",)
"""Said where all labels were asked about."""


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
        yield reading, remarks_before(reading, request)


def remarks_before(reading: Reading | LabelsReading, request: Request) -> str:
    """What has to be known before a result is read; empty where there is nothing."""
    earlier = "" if request.shared is None else another_test(request.shared)
    if isinstance(reading, LabelsReading):
        return visible(earlier)
    repeats = repeats_on_the_command_line(reading, request.spec.unit)
    order = order_on_the_command_line(reading)
    remarks = (mismatch_on_the_command_line(reading), order, repeats, earlier)
    return "\n\n".join(map(visible, filter(None, remarks)))


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
    options, files = options_from(arguments), files_of(arguments)
    if _looks_at_all_labels(arguments):
        return all_pairs(files.several(path, arguments.labels, options))
    if options.label is None:
        options = replace(options, label=_label_looked_at(arguments))
    try:
        return files.read(path, arguments.labels, options)
    except NoSuchModelError as error:
        if arguments.command != "report" or error.models or options.model_column is not None:
            raise
    return files.read(path, arguments.labels, replace(options, model=None))


def _label_looked_at(arguments: argparse.Namespace) -> str | None:
    """The label of several that the only lens looks at."""
    lens = _only_lens(arguments)
    return None if lens is None else lens.of_label


def _looks_at_all_labels(arguments: argparse.Namespace) -> bool:
    """Whether the only lens looks at all labels together."""
    lens = _only_lens(arguments)
    return lens is not None and lens.of_all_labels


def _only_lens(arguments: argparse.Namespace) -> Lens | None:
    words = getattr(arguments, "lens", None)
    return lens_from_words(words).within if isinstance(words, str) else None


def one_of_several(path: str, arguments: argparse.Namespace) -> Reading:
    """A file, read as all of them are; :class:`InputError` names the one that cannot be read."""
    return _naming(path, arguments, _read)


def each_or_labels(path: str, arguments: argparse.Namespace) -> Reading | LabelsReading:
    """The same, with all labels where :func:`one_or_labels` reads all."""
    return _naming(path, arguments, one_or_labels)


def _naming(path: str, arguments: argparse.Namespace, read: Callable[[str, argparse.Namespace], M]) -> M:
    try:
        return read(path, arguments)
    except InputError as error:
        raise error.reworded(f"{called(path)}: {error}") from None


def one_or_labels(path: str, arguments: argparse.Namespace) -> Reading | LabelsReading:
    """A file; all its labels where each case has several and none of them is named."""
    if arguments.label != ALL_LABELS and not _looks_at_all_labels(arguments):
        try:
            return _read(path, arguments)
        except SeveralLabelsError:
            if arguments.label is not None:
                raise
    return files_of(arguments).several(path, arguments.labels, options_from(arguments))


Ask = Callable[[argparse.Namespace, Request, Progress | None], Callable[[Predictions], A]]
"""What is asked for -> what finds the result of predictions. What can be refused is refused before that."""
OfLabels = Callable[[argparse.Namespace, MultiLabelPredictions, Progress | None], Any]
"""What is asked for, several labels of each case -> the result of all of them."""


def each_label(
    ask: Ask[Any],
    arguments: argparse.Namespace,
    cases: MultiLabelPredictions,
    progress: Progress | None,
    read: Mapping[str, Any] = MappingProxyType({}),
) -> OverLabels:
    """What is asked for of each label, adjusted for their number; see :func:`.ask_each`.

    read : what arguments say, where they are words that ``ask`` reads anew for each label
    """
    request = request_from(arguments)

    def of_one(label: str, own: Mapping[str, Any], spec: DiagnosisSpec, report: Progress | None) -> Any:
        changes = {name: value for name, value in own.items() if name not in read}
        settled = argparse.Namespace(**{**vars(arguments), "label": label, **changes})
        return ask(settled, replace(request, spec=spec), report)(cases.label(label))

    question, words = question_called(arguments.command), {**vars(arguments), **read}
    return asked_of_each(question, of_one, {"": cases}, request.spec, words, progress)


@dataclass(frozen=True)
class Work(Generic[M, A]):
    """What a command does, in steps: who reads apart, computes in turn and prints elsewhere takes each.

    Attributes
    ----------
    read : what the arguments ask for is refused, or read
    find : the result of what was read
    said : what is printed of it, in the form that is asked for
    code : the exit code
    cases : the predictions in what was read, the first of those that tell how much work it is
    """

    read: Callable[[argparse.Namespace], M]
    find: Callable[[argparse.Namespace, M, Progress | None], A]
    cases: Callable[[M], tuple[Cases, ...]]
    said: Callable[[argparse.Namespace, M, A], str] = lambda arguments, _, result: printed(arguments, result)
    code: Callable[[argparse.Namespace, A], int] = lambda *_: 0


@dataclass(frozen=True)
class Asking(Generic[A]):
    """What a command does that asks about one file: for programs, or by ``text`` for people; the exit code.

    People get it between what has to be known first and the first rows as read. Of several labels a case
    ``of_labels`` finds it; where it is of ``one_label`` one has to be named, or all looked at together.
    """

    ask: Ask[A]
    text: Callable[[A], str]
    code: Callable[[argparse.Namespace, A], int]
    of_labels: OfLabels
    one_label: bool = False

    @property
    def work(self) -> Work[Reading | LabelsReading, A]:
        """In steps."""
        return Work(self._read, self._find, lambda reading: (reading.predictions,), self._said, self.code)

    def _read(self, arguments: argparse.Namespace) -> Reading | LabelsReading:
        self.ask(arguments, request_from(arguments), None)
        named = self.one_label and not _looks_at_all_labels(arguments)
        return (_read if named else one_or_labels)(arguments.predictions, arguments)

    def _find(
        self, arguments: argparse.Namespace, reading: Reading | LabelsReading, progress: Progress | None
    ) -> A:
        with dates_named():
            if isinstance(reading, LabelsReading):
                result: A = self.of_labels(arguments, reading.predictions, progress)
                return result
            return self.ask(arguments, request_from(arguments), progress)(reading.predictions)

    def _said(self, arguments: argparse.Namespace, reading: Reading | LabelsReading, result: A) -> str:
        before = remarks_before(reading, request_from(arguments))
        words = printed(arguments, result, self.text, before)
        if format_asked(arguments) != "text":
            return words
        of_labels = isinstance(reading, LabelsReading)
        read = first_rows_of_labels(reading) if isinstance(reading, LabelsReading) else first_rows(reading)
        more = ONE_LABEL if of_labels and isinstance(result, OverLabels) else ()
        words = "\n".join((words, *more, *(f"- As read, {visible(row)}." for row in read)))
        return f"{before}\n\n{words}" if before else words

    def __call__(self, arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
        request = request_from(arguments)
        self.ask(arguments, request, None)
        with elsewhere(arguments.cluster):
            reading = self._read(arguments)
            if format_asked(arguments) in FOR_PROGRAMS:
                warn(remarks_before(reading, request))
            result = self._find(arguments, reading, progress)
            return self._said(arguments, reading, result), self.code(arguments, result)


def asking(
    ask: Ask[A],
    text: Callable[[A], str] = answer_text,
    code: Callable[[argparse.Namespace, A], int] = lambda *_: 0,
    of_labels: OfLabels | None = None,
    one_label: bool = False,
) -> Asking[A]:
    """The ``run`` of a command that asks about one file; of several labels of each by ``of_labels``, by
    default the question of each of them; where it is of ``one_label`` only of all together."""
    return Asking(ask, text, code, of_labels or partial(each_label, ask), one_label)


def printed(
    arguments: argparse.Namespace, result: A, text: Callable[[A], str] = answer_text, before: str = ""
) -> str:
    """A result in the form that is asked for, by ``text`` for people; with ``--junit`` it is also written.

    before : what has to be known first, which stands in Markdown too
    """
    if getattr(arguments, "junit", None) is not None:
        made = junit_of(result, getattr(result, "alarm", None) is not None)
        files_of(arguments).write(arguments.junit, made.encode())
    match format_asked(arguments):
        case "json":
            return spelled_out(result.to_json())
        case "summary":
            return spelled_out(summary_of(result).to_json())
        case "markdown":
            return markdown_of(result, before.split("\n\n"))
        case _:
            return text(result)


def warn(words: str) -> None:
    """On stderr, where stdout is for programs."""
    if words:
        print(words, file=sys.stderr)


def assessed(predictions: Cases, request: Request, progress: Progress | None) -> Assessment:
    """The survey that is asked for, with its verdicts."""
    many = request.many
    if many is None and not request.binning_given:
        many = default_binning(
            max(3, predictions.m if isinstance(predictions, Predictions) else 2), predictions.n
        )
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
    DISK.write(path, made)
