"""A report as JSON: the document of the survey, and what the report says of it."""

import json
from typing import Any

from calibcore.report.content import Report
from calibcore.words.repeating import Repeat


def to_document(report: Report) -> dict[str, Any]:
    """The document of :meth:`.Assessment.to_document` with the keys of a diagnosis (``version``, ``data``,
    ``spec``) and ``report``: what is said in words. Nothing of single cases, unless the author wants it."""
    assessment = report.assessment.to_document()
    data = report.assessment.survey.diagnoses[0].to_document()["data"]
    data |= {"class_counts": list(report.class_counts.values())}
    head = {"schema": assessment.pop("schema"), "version": report.version, "data": data}
    words = words_of(report)
    document = head | {"spec": report.spec.to_document()} | assessment | {"report": words}
    for part in report.parts:
        document[part.name] = dict(part.document)
        words[f"repeat_{part.name}"] = _repeat(part.repeat)
    return document if report.predictions is None else document | {"predictions_csv": report.predictions}


def words_of(report: Report) -> dict[str, Any]:
    """What is said in words of the survey."""
    return {
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
        "repeat": _repeat(report.repeat),
    }


def _repeat(repeat: Repeat) -> dict[str, Any]:
    return {"command": repeat.command, "notes": list(repeat.notes)}


def to_json(report: Report) -> str:
    """The document as one line of JSON; ``--spec`` takes it as it takes a diagnosis."""
    return json.dumps(to_document(report), ensure_ascii=False, allow_nan=False)
