"""``caliblens report PREDICTIONS --out FILE``: a survey with its verdicts as a report to hand on.

What writes is imported when it writes: the other commands do not pay for it.
"""

import argparse
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, assert_never, get_args

from calibcore.assessment.assess import Assessment
from calibcore.cli import flags
from calibcore.cli.monitor import column_of
from calibcore.cli.requests import request_from, thresholds_from
from calibcore.cli.running import (
    assessed,
    dates_named,
    exit_code,
    format_of,
    opened,
    part,
    warn,
    write_file,
)
from calibcore.data.predictions import Predictions
from calibcore.errors import InputError
from calibcore.extras import need
from calibcore.io import Reading
from calibcore.numerics.progress import Progress
from calibcore.questions.decide import decide
from calibcore.questions.groups import survey_groups
from calibcore.questions.groups.run import default_lens
from calibcore.questions.monitor import monitor
from calibcore.questions.plan import plan_of_survey
from calibcore.questions.recalibrate import recalibrate
from calibcore.spec import DiagnosisSpec
from calibcore.transforms.lenses import CanonicalLens, Lens, TopKLens
from calibcore.words.planning import whole_parts_and_cases
from calibcore.words.repeating import ROWS
from calibcore.words.reporting import date_words
from calibcore.words.verdicts import as_a_whole, chip_text

HELP = "a survey as a report to hand on: HTML, PDF or JSON"
EXAMPLES = (
    "report predictions.csv --noun patient --out report.pdf",
    "report predictions.csv --by site --time date --out report.html --fail-if miscalibrated",
    "report predictions.csv --out report.pdf --lens class:malignant --decisions --thresholds 0.1,0.2",
)

Format = Literal["html", "pdf", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)
PAPERS = ("a4", "letter")
NO_DECISIONS = (
    "The report holds no decisions: all of them would tell the probability of a single case. --with-rows "
    "puts them in."
)
Question = Callable[[Progress | None], Any]
SHARE = 0.9
"""Of the work: the survey and its verdicts; then come the figures."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.look_flags(command)
    add_report_flags(command)
    add = command.add_argument
    add(
        "--recalibration",
        action="store_true",
        help="also what recalibration would do, as 'recalibrate' says it",
    )
    add(
        "--by",
        action="append",
        metavar="COLUMN",
        help="also the groups of this column, as 'groups' says it; may be given several times",
    )
    add("--worst", action="store_true", help="with --by: also where the model is off most")
    add(
        "--time",
        metavar="COLUMN",
        help=f"also the evidence in the order of this column, or {ROWS}, as 'monitor' says it",
    )
    flags.dates_flag(command)
    add(
        "--decisions",
        action="store_true",
        help="also what acting at thresholds is worth, as 'decide' says it: through the first --lens of two "
        "outcomes, without --lens all of two classes or the confidence of more",
    )
    add("--thresholds", metavar="T,T,…", help="of --decisions, as 'decide' takes them: 0.2,0.5")
    add("--plan", action="store_true", help="also how many such cases would tell, as 'plan' says it")
    flags.survey_flags(command)


def add_report_flags(command: argparse.ArgumentParser, of_first: bool = False) -> None:
    """What is written and what it says; ``of_first``: if asked for, of the first of several models."""
    add = command.add_argument_group("the report").add_argument
    what = "a report of the first model with the comparison in it" if of_first else "what is written"
    add("--out", required=not of_first, metavar="FILE", help=f"{what}: its ending is .html, .pdf or .json")
    add("--title", help="of the report (default: Calibration of MODEL)")
    add("--model", help="what the model is called (default: the name of the file)")
    add(
        "--date",
        metavar="DATE",
        help="as 2026-11-21 (default: today, so that another day writes another file)",
    )
    add("--noun", default="case", help="what one case is called (case)")
    add("--paper", choices=PAPERS, default="a4", help="of a PDF (a4)")
    add("--with-rows", action="store_true", help="put every case's probabilities and label into the report")


def run(arguments: argparse.Namespace, progress: Progress | None) -> tuple[str, int]:
    """Survey, ask what else is asked, and write the file; the verdict in words."""
    request = request_from(arguments)
    check(arguments)
    thresholds = thresholds_from(arguments.thresholds)
    if thresholds is not None and not arguments.decisions:
        raise InputError("--thresholds are those of decisions; ask for them by --decisions, or leave it out.")
    if arguments.worst and not arguments.by:
        raise InputError("--worst searches the columns of --by; say --by COLUMN, too.")
    with opened(arguments, request) as (reading, before):
        warn(before)
        p = reading.predictions
        asked = _asked(arguments, p, request.spec, request.lenses)
        if arguments.decisions:
            lens = _decided_through(p, request.lenses)
            asked["decisions"] = lambda _: decide(p, replace(request.spec, lens=lens), thresholds)
        share = SHARE / (1 + len(asked))
        with dates_named():  # and before the survey: what cannot be answered is said at once
            more = {
                name: find(part(progress, i * share, share)) for i, (name, find) in enumerate(asked.items())
            }
        assessment = assessed(p, request, part(progress, len(asked) * share, share))
        rest = part(progress, SHARE, 1 - SHARE)
        code = exit_code(arguments, assessment)
        return written(arguments, reading, assessment, request.spec, rest, **more), code


def _asked(
    arguments: argparse.Namespace, p: Predictions, spec: DiagnosisSpec, lenses: tuple[Lens, ...] | None
) -> dict[str, Question]:
    """What is asked beside the survey, by its name in :func:`.report_of`, and what finds it.

    A report looks through many lenses, each of these through the one that it has where none is said.
    """
    whole, dates = replace(spec, lens=DiagnosisSpec().lens), arguments.dates
    asked: dict[str, Question] = {}
    if arguments.recalibration:
        asked["recalibration"] = lambda report: recalibrate(p, spec=whole, progress=report)
    if by := arguments.by:
        of_groups = replace(spec, lens=default_lens(p.m))
        worst = arguments.worst
        asked["groups"] = lambda report: survey_groups(p, by, of_groups, report, worst=worst, dates=dates)
    if arguments.time is not None:
        time = column_of(arguments.time, p)
        asked["monitoring"] = lambda report: monitor(p, whole, report, time=time, dates=dates)
    if arguments.plan:
        asked["plan"] = lambda report: plan_of_survey(p, spec, lenses, report)
    return asked


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
    **more: Any,
) -> str:
    """Write the file; returns the verdict and the answer, for the terminal.

    What ``more`` was asked goes into it, by its name in :func:`.report_of`.

    Raises
    ------
    InputError : a path that cannot be written.
    """
    from calibcore.report import report_of, to_html, to_json, to_pdf

    first = arguments.predictions[0] if "comparison" in more else arguments.predictions
    file = arguments.labels if reading.swapped else first
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
        dates=getattr(arguments, "dates", None),
        progress=progress,
        **more,
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
    answer, why = whole_parts_and_cases(assessment.verdicts, arguments.noun, more.get("plan"))
    left_out = "decisions" in more and not any(part.name == "decisions" for part in report.parts)
    lines = (chip_text(as_a_whole(assessment.verdicts)), answer, why, NO_DECISIONS if left_out else "")
    return "\n".join(filter(None, lines))
