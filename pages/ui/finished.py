"""The finished report of what a session found, as the Share page asks for it."""

import json
from dataclasses import dataclass

from calibcore import DiagnosisSpec
from calibcore.judged import Judged
from pages.ui.state import Loaded

PAPERS = {"a4": "A4", "us-letter": "Letter"}


@dataclass(frozen=True, eq=False)
class Asked:
    """What a report is made of."""

    data: Loaded
    judged: Judged
    spec: DiagnosisSpec
    title: str
    date: str
    rows: bool


def as_html(asked: Asked) -> str:
    return f"<!DOCTYPE html><html><body><p>{len(asked.title)}</p></body></html>"


def as_pdf(asked: Asked, paper: str) -> bytes:
    return b"%PDF" + paper.encode()


def as_json(asked: Asked) -> str:
    return json.dumps(
        {
            "title": asked.title,
            "date": asked.date,
            "spec": asked.spec.to_document(),
            "survey": asked.judged.to_document(),
        }
    )
