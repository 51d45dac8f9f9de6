"""A report as JSON: the document of the survey, and what the report says of it."""

import json
from typing import Any

from calibcore.report.content import Report


def to_document(report: Report) -> dict[str, Any]:
    """The document of :meth:`.Assessment.to_document` with the keys of a diagnosis (``version``, ``data``,
    ``spec``) and ``report``: what is said in words. Nothing of single cases, unless the author wants it."""
    first = report.assessment.survey.diagnoses[0]
    assessment = report.assessment.to_document()
    data = first.to_document()["data"] | {"class_counts": list(report.class_counts.values())}
    head = {"schema": assessment.pop("schema"), "version": report.version, "data": data}
    document_ = {
        "title": report.title,
        "model": report.model,
        "date": report.date,
        "noun": report.noun,
        "verdict": report.chip_text.partition(" ")[2],
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
        "repeat": {"command": report.repeat.command, "notes": list(report.repeat.notes)},
    }
    document = head | {"spec": report.spec.to_document()} | assessment | {"report": document_}
    for part in report.parts:
        repeat = part.repeat
        document[part.name] = dict(part.document)
        document_[f"repeat_{part.name}"] = {"command": repeat.command, "notes": list(repeat.notes)}
    return document if report.predictions is None else document | {"predictions_csv": report.predictions}


def to_json(report: Report) -> str:
    """The document as one line of JSON; ``--spec`` takes it as it takes a diagnosis."""
    return json.dumps(to_document(report), ensure_ascii=False, allow_nan=False)
