"""``caliblens report PREDICTIONS --out FILE``: a survey with its verdicts as a report to hand on.

What writes is imported when it writes: the other commands do not pay for it.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, assert_never, get_args

from calibcore.answers.question import Question
from calibcore.assessment.assess import Assessment
from calibcore.cli import flags
from calibcore.cli.decide import promise_flags, promise_of
from calibcore.cli.monitor import column_of
from calibcore.cli.requests import Request, request_from, settings_on, thresholds_from
from calibcore.cli.running import (
    assessed,
    dates_named,
    elsewhere,
    exit_code,
    format_of,
    one_or_labels,
    part,
    remarks_before,
    warn,
    write_file,
)
from calibcore.data.predictions import Predictions
from calibcore.data.several_labels import Cases, MultiLabelPredictions
from calibcore.errors import InputError
from calibcore.extras import need
from calibcore.io import LabelsReading, Reading
from calibcore.numerics.progress import Progress
from calibcore.questions.decide import TARGET
from calibcore.questions.groups import survey_groups
from calibcore.questions.groups.ask import lens_of_groups
from calibcore.questions.monitor import monitor
from calibcore.questions.over_labels import ask_each, asked_of_each, question_of
from calibcore.questions.plan import Plan
from calibcore.questions.plan.words import whole_parts_and_cases
from calibcore.questions.registry import QUESTIONS
from calibcore.settings import DiagnosisSpec
from calibcore.words.repeating import ROWS
from calibcore.words.reporting import date_words
from calibcore.words.verdicts import as_a_whole, chip_text

HELP = "a survey as a report to hand on: HTML, PDF or JSON"
PLACE = 50
EXAMPLES = (
    "report predictions.csv --noun patient --out report.pdf",
    "report predictions.csv --by site --time date --out report.html --fail-if miscalibrated",
    "report predictions.csv --out report.pdf --lens class:malignant --decisions --thresholds 0.1,0.2",
)

Format = Literal["html", "pdf", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)
PAPERS = ("a4", "letter")
Finds = Callable[[Progress | None], Any]
TARGET_BY = "--target-by"
"""What --by is of 'decide': here that asks for other groups."""
SHARE = 0.9
"""Of the work: the survey and its verdicts; then come the figures."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    flags.look_flags(command)
    add_report_flags(command)
    add = command.add_argument
    for question in QUESTIONS.values():
        if question.flag:
            add(f"--{question.name}", dest=question.name, action="store_true", help=question.flag)
    group = command.add_argument_group("the decisions", "of --decisions, as 'decide' takes them")
    group.add_argument("--thresholds", metavar="T,T,…", help="probabilities from which on one acts: 0.2,0.5")
    promise_flags(group, TARGET_BY)
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
    flags.survey_flags(command)


def add_report_flags(command: argparse.ArgumentParser, of_first: bool = False) -> None:
    """What is written and what it says; ``of_first``: if asked for, of the first of several models."""
    add = command.add_argument_group("the report").add_argument
    what = "a report of the first model with the comparison in it" if of_first else "what is written"
    add("--out", required=not of_first, metavar="FILE", help=f"{what}: its ending is .html, .pdf or .json")
    add("--title", help="of the report (default: Calibration of MODEL)")
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
    if not arguments.decisions:
        for flag in ("--thresholds", "--target", "--risk", "--prevalence", TARGET_BY):
            if getattr(arguments, flag.removeprefix("--").replace("-", "_")) is not None:
                raise InputError(f"{flag} is of decisions; ask for them by --decisions, or leave it out.")
    promise = promise_of(arguments, TARGET_BY)
    if arguments.target is None:
        promise["target"] = TARGET
    if arguments.worst and not arguments.by:
        raise InputError("--worst searches the columns of --by; say --by COLUMN, too.")
    with elsewhere(arguments.cluster):
        reading = one_or_labels(arguments.predictions, arguments)
        warn(remarks_before(reading, request))
        p = reading.predictions
        further = {"decisions": {"thresholds": thresholds, "dates": arguments.dates, **promise}}
        asked = [
            _over(question, p, request, further.get(question.name, {}))
            for question in QUESTIONS.values()
            if question.ask is not None and getattr(arguments, question.name)
        ]
        finds = [*_of_columns(arguments, p, request.spec), *asked]
        share = SHARE / (1 + len(finds))
        with dates_named():  # and before the survey: what cannot be answered is said at once
            results = [find(part(progress, i * share, share)) for i, find in enumerate(finds)]
        assessment = assessed(p, request, part(progress, len(finds) * share, share))
        rest = part(progress, SHARE, 1 - SHARE)
        code = exit_code(arguments, assessment)
        model = arguments.model
        return written(arguments, reading, assessment, request.spec, rest, results, model=model), code


def _over(question: Question[Any], p: Cases, request: Request, further: Mapping[str, Any]) -> Finds:
    """What finds the answer of a question for its flag; of several labels that of each."""
    ask = question.ask
    assert ask is not None, "else it has no flag"
    if isinstance(p, Predictions):
        return ask(p, settings_on(p, request), request.lenses, **further)

    def of_one(label: str, own: Mapping[str, Any], spec: DiagnosisSpec, progress: Progress | None) -> Any:
        return ask(p.label(label), spec, (spec.lens,), **{**further, **own})(progress)

    spec = replace(request.spec, lens=DiagnosisSpec().lens)
    return lambda progress: asked_of_each(question, of_one, {"": p}, spec, further, progress)


def _of_columns(arguments: argparse.Namespace, p: Cases, spec: DiagnosisSpec) -> list[Finds]:
    """What finds what is asked of columns beside the predictions: groups and the evidence in time."""
    dates = arguments.dates
    asked: list[Finds] = []
    if isinstance(p, MultiLabelPredictions):
        of_all, how = replace(spec, lens=DiagnosisSpec().lens), {"dates": dates}
        if arguments.by:
            groups = {**how, "by": arguments.by, "worst": arguments.worst}
            asked.append(lambda report: ask_each(survey_groups, p, of_all, report, **groups))
        if arguments.time is not None:
            when = {**how, "time": column_of(arguments.time, p)}
            asked.append(lambda report: ask_each(monitor, p, of_all, report, **when))
        return asked
    if by := arguments.by:
        of_groups = replace(spec, lens=lens_of_groups(p))
        worst = arguments.worst
        asked.append(lambda report: survey_groups(p, by, of_groups, report, worst=worst, dates=dates))
    if arguments.time is not None:
        time, of_time = column_of(arguments.time, p), replace(spec, lens=DiagnosisSpec().lens)
        asked.append(lambda report: monitor(p, of_time, report, time=time, dates=dates))
    return asked


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
    reading: Reading | LabelsReading,
    assessment: Assessment,
    spec: DiagnosisSpec,
    progress: Progress | None,
    answers: Sequence[Any] = (),
    origins: Mapping[str, Reading | LabelsReading] = MappingProxyType({}),
    model: str | None = None,
) -> str:
    """Write the file; returns the verdict and the answer, for the terminal.

    The model is called ``model``, or as the file is. The report holds ``answers``; ``origins`` says by name
    how the file of each of several models was read.

    Raises
    ------
    InputError : a path that cannot be written.
    """
    from calibcore.report import report_of, to_html, to_json, to_pdf

    if model is None:
        first = arguments.predictions[0] if origins else arguments.predictions
        model = Path(arguments.labels if isinstance(reading, Reading) and reading.swapped else first).stem
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
        answers=answers,
        origins=origins,
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
    plan = next((result for result in answers if isinstance(result, Plan)), None)
    verdict_words = whole_parts_and_cases(assessment, arguments.noun, plan)
    held = {part.name for part in report.parts}
    asked = (question_of(result) for result in answers)
    left_out = (question.left_out for question in asked if question.name not in held)
    return "\n".join(filter(None, (chip_text(as_a_whole(assessment.verdicts)), *verdict_words, *left_out)))
