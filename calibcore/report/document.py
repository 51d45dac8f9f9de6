"""A report as JSON: the document of the survey, and what the report says of it."""

import json
from collections.abc import Mapping
from typing import Any, NotRequired, TypedDict

from calibcore.assessment.assess import Assessment
from calibcore.data.predictions import DataKind
from calibcore.questions.over_labels import OverLabels
from calibcore.questions.registry import QUESTIONS
from calibcore.report.content import Report
from calibcore.settings import DiagnosisSpec
from calibcore.settings.codec import form_of, schema_of_object
from calibcore.settings.forms import Schema, Shared, or_null
from calibcore.settings.layout import headed
from calibcore.words.repeating import Repeat

PARTS = tuple(question.result for question in QUESTIONS.values() if question.repeat is not None)
"""What may stand in a report beside the survey, by the name of its document."""
Row = Mapping[str, str | float | bool | None]


class Repeated(TypedDict):
    """The command that gives a part again."""

    command: str
    notes: list[str]


class Figure(TypedDict):
    """A figure in words, and the rows of its numbers as people read them."""

    name: str
    title: str
    says: str
    reading: str
    rows: list[Row]


class Tabled(TypedDict):
    """A table as people read it."""

    name: str
    title: str
    rows: list[Row]
    note: str


class Method(TypedDict):
    """A paragraph on how something was found."""

    title: str
    text: str


class Words(TypedDict):
    """What a report says in words."""

    title: str
    model: str
    date: str
    noun: str
    verdict: str
    answer: str
    more: str
    temperature: str
    cautions: list[str]
    not_said: str
    figures: list[Figure]
    tables: list[Tabled]
    methods: list[Method]
    references: list[str]
    repeat: Repeated
    repeat_comparison: NotRequired[Repeated]
    repeat_recalibration: NotRequired[Repeated]
    repeat_groups: NotRequired[Repeated]
    repeat_monitoring: NotRequired[Repeated]
    repeat_decisions: NotRequired[Repeated]
    repeat_plan: NotRequired[Repeated]


class Data(TypedDict):
    """What the cases are."""

    kind: NotRequired[DataKind]
    n: int
    m: int
    class_names: list[str]
    fingerprint: str
    drawn_from: NotRequired[int]
    class_counts: list[int]


def to_document(report: Report) -> dict[str, Any]:
    """The document of :meth:`.Assessment.to_document` with the keys of a diagnosis (``version``, ``data``,
    ``spec``) and ``report``: what is said in words. Nothing of single cases, unless the author wants it."""
    assessment = report.assessment.to_document()
    data = report.assessment.survey.diagnoses[0].to_document()["data"]
    data |= {"class_counts": list(report.class_counts.values())}
    for key in ("schema", "document", "data"):
        assessment.pop(key, None)
    head = headed("report") | {"version": report.version, "data": data}
    words = words_of(report)
    document = head | {"spec": report.spec.to_document()} | assessment | {"report": words}
    for part in report.parts:
        document[part.name] = dict(part.document)
        words[f"repeat_{part.name}"] = _repeat(part.repeat)
    return document if report.predictions is None else document | {"predictions_csv": report.predictions}


def schema(shared: Shared) -> Schema:
    """The JSON Schema of :func:`to_document`."""
    tree = schema_of_object(Assessment, shared)
    words = {"version": str, "data": Data, "spec": DiagnosisSpec, "report": Words}
    more: dict[str, Any] = (
        words | {cls.HEAD["document"]: cls | OverLabels for cls in PARTS} | {"predictions_csv": str}
    )
    head = {key: {"const": value} for key, value in headed("report").items()}
    properties = {name: form_of(kind).schema(shared) for name, kind in more.items()}
    # How many cases there were before an outcome of probability 0 would tell of that case.
    cases = shared.schemas["Monitoring"]["properties"]["data"]["properties"]
    cases["n"] = or_null(cases["n"])
    # What a report keeps back of a check whose cases leave out a few.
    errors = shared.schemas["Diagnosis"]["properties"]["calibration_error"]["properties"]
    errors |= {name: or_null(errors[name]) for name in ("ece", "mce")}
    tree["properties"] = tree["properties"] | head | properties
    tree["required"] = [*tree["required"], *words]
    return tree


def words_of(report: Report) -> dict[str, Any]:
    """What is said in words of the survey."""
    return {
        "title": report.title,
        "model": report.model,
        "date": report.date,
        "noun": report.noun,
        "verdict": report.badge.text.partition(" ")[2],
        "answer": report.answer,
        "more": report.more,
        "temperature": report.temperature,
        "cautions": list(report.cautions),
        "not_said": report.not_said,
        "figures": [
            {"name": p.name, "title": p.title, "says": p.says, "reading": p.reading, "rows": list(p.rows)}
            for p in report.plates
        ],
        "tables": [
            {"name": t.name, "title": t.title, "rows": list(t.rows), "note": t.note} for t in report.tables
        ],
        "methods": [{"title": head, "text": words} for head, words in report.methods],
        "references": list(report.references),
        "repeat": _repeat(report.repeat),
    }


def _repeat(repeat: Repeat) -> dict[str, Any]:
    return {"command": repeat.command, "notes": list(repeat.notes)}


def to_json(report: Report) -> str:
    """The document as one line of JSON; ``--spec`` takes it as it takes a diagnosis."""
    return json.dumps(to_document(report), ensure_ascii=False, allow_nan=False)
