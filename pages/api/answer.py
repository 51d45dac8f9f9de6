"""What a program gets for its question: a short document or the whole one, and what else it asked for."""

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any

from calibcore.assessment.assess import Assessment
from calibcore.cli.requests import request_from
from calibcore.cli.running import Work, remarks_before
from calibcore.data.outside_text import shown, spelled_out, visible
from calibcore.errors import InputError
from calibcore.io import LabelsReading, Reading
from calibcore.limits import LIMITS
from calibcore.pipelines.summary import MOST_BYTES
from calibcore.questions.registry import QUESTIONS
from calibcore.remote.fields import FORMS, FULL, SERVED, SUMMARY, Field, fields_of, yes
from calibcore.report import report_of
from calibcore.words.reporting import date_words
from pages.api.problems import as_sent
from pages.api.sent import Sent
from pages.server import places, report_route
from pages.work import links

SURVEY = "survey"
IN_BRIEF = (SURVEY, *(question.command for question in QUESTIONS.values() if question.command in SERVED))
"""Questions whose answer there is in brief."""
LONGEST_TITLE, LONGEST_NOUN = 200, 40
_DAYS = f"of the report: days that its link opens, {LIMITS.share_days} or up to {LIMITS.max_share_days}"
DOCUMENT = Field(
    "document", "", "word",
    "summary has 5 kB at most, full is all that was found, markdown and text are for people",
    choices=tuple(FORMS),
)  # fmt: skip
OF_REPORT = (
    Field("report", "", "yes or no", "also store a report, and tell its link and the key that deletes it"),
    Field("title", "", "word", "of the report: what stands above it"),
    Field("noun", "", "word", "of the report: what one case is called"),
    Field("date", "", "word", "of the report, as 2026-11-21 (default: today)"),
    Field("days", "", "integer", _DAYS),
    Field("with_rows", "", "yes or no", "put every case's probabilities and label into the report"),
)


def own_fields(command: str) -> Mapping[str, Field]:
    """Name -> field, of those that are no flag of the command."""
    without_brief = replace(
        DOCUMENT, help="full is all that was found, text is for people", choices=(FULL, "text")
    )
    document = DOCUMENT if command in IN_BRIEF else without_brief
    known = (document, *(OF_REPORT if command == SURVEY else ()))
    return {field.name: field for field in known}


@dataclass(frozen=True)
class Wanted:
    """How an answer is wanted: its ``form``, and of a survey as a report too, if it is one of those."""

    form: str
    report: bool = False
    title: str = ""
    noun: str = "case"
    date: str = ""
    days: int = LIMITS.share_days
    with_rows: bool = False


def wanted(command: str, sent: Mapping[str, str]) -> Wanted:
    """Out of the :func:`own_fields` that were sent; :class:`.InputError` for words that they cannot be."""
    choices = own_fields(command)["document"].choices
    form = sent.get("document", choices[0])
    if form not in choices:
        raise InputError(f"The field document is {shown(form)}; expected {' or '.join(choices)}.")
    report = yes("report", sent.get("report", "no"))
    beside = [name for name in sent if name not in ("document", "report")]
    if beside and not report:
        raise InputError(f"The field {beside[0]} says something about a report; ask for one by report=yes.")
    for name, most in (("title", LONGEST_TITLE), ("noun", LONGEST_NOUN)):
        if not visible(sent.get(name, "x")).strip() or len(sent.get(name, "")) > most:
            raise InputError(f"The field {name} is {shown(sent[name])}; expected 1 to {most} characters.")
    days = sent.get("days", str(LIMITS.share_days))
    if not (days.isascii() and days.isdecimal()) or not 1 <= int(days[:6]) <= LIMITS.max_share_days:
        raise InputError(f"The field days is {shown(days)}; expected 1 to {LIMITS.max_share_days}.")
    if date := sent.get("date", ""):
        date_words(date)
    return Wanted(
        form,
        report,
        visible(sent.get("title", "")).strip(),
        visible(sent.get("noun", "case")).strip(),
        date,
        int(days),
        yes("with_rows", sent.get("with_rows", "no")),
    )


def written(
    work: Work[Any, Any],
    arguments: argparse.Namespace,
    read: Any,
    result: Any,
    how: Wanted,
    files: Sent,
    link: Mapping[str, Any] | None,
) -> str:
    """The answer as JSON: the document, or words as its ``text``; what has to be known first, as ``remarks``;
    with ``fail_if`` whether it ``failed``; what the command wrote, as ``files``, of that a ``state``; and the
    ``report``."""
    text = work.said(arguments, read, result)
    document = json.loads(text) if how.form in (SUMMARY, FULL) else {"document": how.form, "text": text}
    if getattr(arguments, "fail_if", None) is not None:
        document |= {"failed": bool(work.code(arguments, result))}
    if how.form in (SUMMARY, FULL) and isinstance(read, Reading):
        before = remarks_before(read, request_from(arguments))
        if remarks := [as_sent(line, fields_of(arguments.command)) for line in before.split("\n\n") if line]:
            document |= {"remarks": remarks}
            while how.form == SUMMARY and remarks and len(_json(document).encode()) > MOST_BYTES:
                remarks.pop()
    made = dict(files.made)
    if (state := made.pop(str(getattr(arguments, "state", None)), None)) is not None:
        document |= {"state": json.loads(state)}
    if made:
        document |= {"files": {name: data.decode() for name, data in made.items()}}
    if link is not None:
        document |= {"report": link}
    return _json(document)


def stored_report(
    arguments: argparse.Namespace,
    reading: Reading | LabelsReading,
    assessment: Assessment,
    how: Wanted,
    base: str,
    tell: Callable[[float, str], None],
    token: str,
) -> dict[str, Any]:
    """Store the report of a survey that a program with that ``token`` asked for: its link, the key that
    deletes it, and when it expires.

    Raises
    ------
    InputError : the store takes none.
    """
    swapped = isinstance(reading, Reading) and reading.swapped
    model = PurePath(arguments.model or (reading.labels_name if swapped else reading.name) or "").stem
    today = f"{datetime.fromtimestamp(report_route.now(), UTC):%Y-%m-%d}"
    report = report_of(
        reading.predictions,
        assessment,
        request_from(arguments).spec,
        title=how.title or f"Calibration of {visible(model)[: LONGEST_TITLE // 2] or 'a model'}",
        date=how.date or today,
        noun=how.noun,
        model=model,
        with_rows=how.with_rows,
        origin=reading,
        progress=lambda fraction, words: tell(fraction / 2, words),
    )
    fingerprint = reading.predictions.fingerprint
    link = links.made(
        report,
        fingerprint,
        how.days,
        base,
        lambda fraction, words: tell((1 + fraction) / 2, words),
        token=token,
    )
    expires = datetime.fromtimestamp(link.expires, UTC).isoformat()
    href = f"{places.prefix()}/{places.VERSIONED}/reports/{link.token}"
    return {"link": link.address, "key": link.key, "expires": expires, "href": href}


def _json(document: Mapping[str, Any]) -> str:
    return spelled_out(json.dumps(document, ensure_ascii=False, allow_nan=False))
