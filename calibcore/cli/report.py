"""``caliblens report PREDICTIONS --out FILE``: a survey with its verdicts as a report to hand on.

What writes is imported when it writes: the other commands do not pay for it.
"""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Literal, assert_never, get_args

from calibcore.assessment.assess import Assessment
from calibcore.cli import flags
from calibcore.cli.command import Command
from calibcore.cli.outputs import format_of, write_file
from calibcore.cli.requests import request_from, thresholds_from
from calibcore.cli.running import assessed, exit_code, opened, part, warn
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.extras import need
from calibcore.io import Reading
from calibcore.numerics.progress import Progress
from calibcore.questions.compare import Comparison
from calibcore.questions.decide import Decisions, decide
from calibcore.questions.recalibrate import Recalibration, recalibrate
from calibcore.spec import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, Lens, TopKLens
from calibcore.words.planning import whole_parts_and_cases
from calibcore.words.reporting import date_words
from calibcore.words.verdicts import as_a_whole, chip_text

Format = Literal["html", "pdf", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)
PAPERS = ("a4", "letter")
NO_DECISIONS = (
    "The report holds no decisions: all of them would tell the probability of a single case. --with-rows "
    "puts them in."
)
SHARE = 0.9
"""Of the work: the survey and its verdicts; then come the figures."""


def _add_arguments(command: argparse.ArgumentParser) -> None:
    flags.look_flags(command)
    add_report_flags(command)
    command.add_argument(
        "--recalibration",
        action="store_true",
        help="also what recalibration would do, as 'recalibrate' says it",
    )
    command.add_argument(
        "--decisions",
        action="store_true",
        help="also what acting at thresholds is worth, as 'decide' says it: through the first --lens of two "
        "outcomes, without --lens all of two classes or the confidence of more",
    )
    command.add_argument(
        "--thresholds", metavar="T,T,…", help="of --decisions, as 'decide' takes them: 0.2,0.5"
    )
    flags.survey_flags(command)


def add_report_flags(command: argparse.ArgumentParser, of_first: bool = False) -> None:
    """What is written and what it says; ``of_first``: if asked for, of the first of several models."""
    group = command.add_argument_group("the report")
    what = "a report of the first model with the comparison in it" if of_first else "what is written"
    group.add_argument(
        "--out", required=not of_first, metavar="FILE", help=f"{what}: its ending is .html, .pdf or .json"
    )
    group.add_argument("--title", help="of the report (default: Calibration of MODEL)")
    group.add_argument("--model", help="what the model is called (default: the name of the file)")
    group.add_argument(
        "--date",
        metavar="DATE",
        help="as 2026-11-21 (default: today, so that another day writes another file)",
    )
    group.add_argument("--noun", default="case", help="what one case is called (case)")
    group.add_argument("--paper", choices=PAPERS, default="a4", help="of a PDF (a4)")
    group.add_argument(
        "--with-rows", action="store_true", help="put every case's probabilities and label into the report"
    )


def _run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    request = request_from(arguments)
    check(arguments)
    thresholds = thresholds_from(arguments.thresholds)
    if thresholds is not None and not arguments.decisions:
        raise InputError("--thresholds are those of decisions; ask for them by --decisions, or leave it out.")
    with opened(arguments, request) as (reading, before):
        warn(before)
        decisions = None
        if arguments.decisions:  # at once, so that what is refused is refused before the survey
            lens = _decided_through(reading.predictions, request.lenses)
            decisions = decide(reading.predictions, replace(request.spec, lens=lens), thresholds)
        share = SHARE / 2 if arguments.recalibration else SHARE
        assessment = assessed(reading.predictions, request, part(progress, 0.0, share))
        found = None
        if arguments.recalibration:
            found = recalibrate(
                reading.predictions,
                spec=_of_recalibration(request.spec),
                progress=part(progress, share, share),
            )
        rest = part(progress, SHARE, 1 - SHARE)
        code = exit_code(arguments, assessment)
        said = written(
            arguments, reading, assessment, request.spec, rest, recalibration=found, decisions=decisions
        )
        return said, code


def _of_recalibration(spec: DiagnosisSpec) -> DiagnosisSpec:
    """A report looks through many lenses, recalibration through all classes."""
    return replace(spec, lens=DiagnosisSpec().lens)


def _decided_through(predictions: Predictions, lenses: tuple[Lens, ...] | None) -> Lens:
    """The first lens of two outcomes among those that are named; of none, the plainest.

    Raises
    ------
    InputError : none that is named has two.
    """
    if lenses is None:
        return CanonicalLens() if predictions.m == 2 else TopKLens(1)
    for lens in lenses:
        induced = lens(predictions)
        if induced.m == 2 and induced.rows_are_cases:
            return lens
    raise InputError(
        "A decision is about two outcomes, and no --lens has two. Name one more: "
        f"--lens class:{predictions.class_names[0]} or --lens confidence."
    )


def check(arguments: argparse.Namespace) -> None:
    """What can be refused before the work begins: another ending or form of date, what is missing."""
    format = format_of(arguments.out, FORMATS)
    _date(arguments)
    if format == "pdf":
        need("A report as PDF", "report")
    elif format == "html":
        need("A report as HTML", "report", "plotly")


def _date(arguments: argparse.Namespace) -> str:
    """The date of ``--date``, or today's in UTC."""
    date: str = arguments.date or datetime.now(UTC).date().isoformat()
    date_words(date)
    return date


def written(
    arguments: argparse.Namespace,
    reading: Reading,
    assessment: Assessment,
    spec: DiagnosisSpec,
    progress: Progress | None,
    comparison: Comparison | None = None,
    origins: Mapping[str, Reading | str] = MappingProxyType({}),
    recalibration: Recalibration | None = None,
    decisions: Decisions | None = None,
) -> str:
    """Write the file; returns the verdict and the answer, for the terminal.

    ``comparison`` with other models goes into it, ``origins`` says by name how the file of each was read;
    and so do ``recalibration`` and ``decisions``.

    Raises
    ------
    InputError : a path that cannot be written.
    """
    from calibcore.report import report_of, to_html, to_json, to_pdf

    named = arguments.predictions if comparison is None else arguments.predictions[0]
    file = arguments.labels if reading.swapped else named
    model = Path(file).stem if arguments.model is None else arguments.model
    report = report_of(
        reading.predictions,
        assessment,
        spec,
        title=arguments.title or f"Calibration of {model or 'a model'}",
        date=_date(arguments),
        noun=arguments.noun,
        model=model,
        with_rows=arguments.with_rows,
        origin=reading,
        comparison=comparison,
        origins=origins,
        recalibration=recalibration,
        decisions=decisions,
        progress=progress,
    )
    match format_of(arguments.out, FORMATS):
        case "html":
            made = to_html(report).encode()
        case "pdf":
            made = to_pdf(report, arguments.paper)
        case "json":
            made = f"{to_json(report)}\n".encode()
        case never:
            assert_never(never)
    write_file(arguments.out, made)
    left_out = decisions is not None and not any(part.name == "decisions" for part in report.parts)
    return "\n".join(
        filter(
            None,
            (
                chip_text(as_a_whole(assessment.verdicts)),
                *whole_parts_and_cases(assessment.verdicts, arguments.noun),
                NO_DECISIONS if left_out else "",
            ),
        )
    )


COMMAND = Command(
    "report",
    "a survey as a report to hand on: HTML, PDF or JSON",
    (
        "report predictions.csv --noun patient --out report.pdf",
        "report predictions.csv --out report.html --fail-if miscalibrated",
        "report predictions.csv --out report.pdf --lens class:malignant --decisions --thresholds 0.1,0.2",
    ),
    _add_arguments,
    _run,
)
