"""A report as PDF by typst: what comes from outside is data to it and never markup."""

import json
import re
from dataclasses import asdict
from functools import cache
from typing import Any

from calibcore.data.outside_text import visible
from calibcore.errors import InputError
from calibcore.extras import need
from calibcore.limits import asset_path
from calibcore.report import front_page
from calibcore.report.cleaning import LONGEST_NAME, one_line
from calibcore.report.content import Report
from calibcore.report.document import words_of
from calibcore.report.layout import COLUMN, DOTS, MARGINS, Layout, best
from calibcore.report.parts import Table
from calibcore.report.plates import Plate
from calibcore.wording import count
from calibcore.words.letters import stand_ins_note
from calibcore.words.phrases import unbroken
from calibcore.words.repeating import Repeat
from calibcore.words.reporting import repeat_heading
from calibcore.words.tables import shortened
from calibcore.words.temperature import what_it_is
from calibcore.words.verdicts import CHIP_TEXTS

PAPERS = {"a4": ("a4", 210.0), "letter": ("us-letter", 215.9)}
"""Name -> typst's name, and width in mm."""
_FINGERPRINT = re.compile("[0-9a-f]{64}")
STANDARD = "ua-1"
"""PDF/UA-1: it can be read aloud, and its figures have words."""
SHORT_FINGERPRINT = 16


def to_pdf(report: Report, paper: str = "a4") -> bytes:
    """The file; the same report gives the same bytes.

    Class names with letters that no font here has are printed as their number, and a note says so. Cost: the
    figures, and up to five drafts a figure of 0.1 s each until the pages are well filled.

    Raises
    ------
    InputError : another paper; what writes it is not installed.
    """
    if paper not in PAPERS:
        raise InputError(f"There is no paper {paper!r:.20}; expected one of {', '.join(PAPERS)}.")
    need("A report as PDF", "report", "typst", "matplotlib", "ternary")
    import typst

    from calibcore.painters.paper import grey, saved, stand_ins, standing_in

    names = stand_ins(tuple(report.class_counts))
    names |= {one_line(name, LONGEST_NAME): instead for name, instead in names.items()}
    with standing_in(names) as missed:
        files = {
            f"figure-{i}.svg": saved(plate.printed(plate.width), "svg")
            for i, plate in enumerate(report.plates)
        }
        data = _data(report, paper)
    data["unprinted"] = stand_ins_note(missed.names, missed.boxes)
    if report.predictions is not None:
        files["predictions.csv"] = report.predictions.encode()
    files["main"] = asset_path("report", "report.typ").read_bytes()

    def compiled(layout: Layout, instead: dict[str, bytes], **how: Any) -> Any:
        laid_out = {"report.json": json.dumps(data | asdict(layout), ensure_ascii=False).encode()}
        return typst.compile(files | laid_out | instead, font_paths=_fonts(), **how)

    def pages(layout: Layout) -> list[Any]:
        drawn = compiled(layout, fields, format="png", ppi=DOTS)
        return [grey(page) for page in (drawn if isinstance(drawn, list) else [drawn])]

    fields = {name: _grey(file) for name, file in files.items() if name.endswith(".svg")}
    layout = best(len(data["printed_numbers"]), pages)
    made: bytes = compiled(layout, {}, format="pdf", pdf_standards=[STANDARD])
    return made


@cache
def _fonts() -> Any:
    """Ours and no others; read once, for up to five drafts a figure."""
    import typst

    from calibcore.painters.paper import font_folder

    return typst.Fonts(include_system_fonts=False, font_paths=[font_folder()])


def _grey(svg: bytes) -> bytes:
    """A grey field of a figure's size, which takes no time to draw."""
    head = svg[: svg.index(b">", svg.index(b"<svg ")) + 1]
    return head + b'<rect width="100%" height="100%" fill="#888"/></svg>'


def _data(report: Report, paper: str) -> dict[str, Any]:
    from calibcore.painters.paper import legible

    name, width = PAPERS[paper]
    words = words_of(report)
    data: dict[str, Any] = {name: words[name] for name in _WORDS} | {
        "author": "Caliblens",
        "version": report.version,
        "subtitle": f"{report.subtitle} · {report.date_words}",
        "chip": report.badge.text,
        "temperature_note": what_it_is(),
        "front": asdict(report.front)
        | {"words": [{"term": term, "line": line} for term, line in report.front.words]},
        "headings": _HEADINGS,
        "settings": report.settings,
        "repeat": repeat_heading(report.version),
        "repeat_notes": _notes(report.repeat),
        "footer": (
            f"Caliblens {report.version} · {report.date_words} · "
            f"fingerprint {report.fingerprint[:SHORT_FINGERPRINT]}"
        ),
        "parts": [{"words": " ".join((part.heading, *_notes(part.repeat)))} for part in report.parts],
        "printed_numbers": [_numbers(plate, i + 1) for i, plate in enumerate(report.plates) if plate.rows],
        "tables": [_table(table, report.refused if i == 0 else ()) for i, table in enumerate(report.tables)],
        "plates": [
            {"title": p.title, "says": p.says, "reading": p.reading, "number": i, "width": p.width}
            for i, p in enumerate(report.plates)
        ],
    }
    printable: dict[str, Any] = _everywhere(data, lambda text: unbroken(_breakable(legible(text))))
    for printed, part in zip(printable["parts"], report.parts, strict=True):
        printed["command"] = _command(part.repeat)
    return printable | {
        "about": visible(report.title),  # neither is drawn
        "alternatives": [visible(plate.says) for plate in report.plates],
        "day": [int(part) for part in report.date.split("-")],
        "command": _command(report.repeat),
        "paper": name,
        "margins": MARGINS,
        "column": COLUMN,
        "width": width,
        "colour": report.badge.colour,
        "rows": report.predictions is not None,
        "table_first": report.table_first,
    }


_WORDS = ("title", "answer", "more", "temperature", "cautions", "references", "methods")
"""What is said there as in the report's document."""
_HEADINGS = {
    "asked": front_page.ASKED,
    "answer": front_page.ANSWERED,
    "to_do": front_page.TO_DO,
    "not_to_conclude": front_page.NOT_TO_CONCLUDE,
    "four_words": front_page.FOUR_WORDS,
    "behind": front_page.FOR_STATISTICIANS,
    "no_figure": front_page.NO_FIGURE,
}
MOST_ROWS = 15
"""Of the numbers of one figure on paper."""


def _numbers(plate: Plate, number: int) -> dict[str, Any]:
    """The numbers of a figure as a table, of many rows the first and those that stand out."""
    rest = len(plate.rows) - MOST_ROWS
    more = f"{count(rest, 'more row')} {'stands' if rest == 1 else 'stand'}"
    note = f"{more} in the report's HTML and JSON." if rest > 0 else ""
    return _table(
        Table(plate.name, f"The numbers of figure {number}", shortened(plate.rows, MOST_ROWS), note)
    )


LETTERS_A_LINE, MOST_OF_A_COMMAND = 96, 2_000
"""Of a command on paper; nobody types a longer one from there."""


def _command(repeat: Repeat) -> str:
    """The command in letters that the font has, to be copied as it is; empty if it is too long."""
    from calibcore.painters.paper import printable

    lines = repeat.lines(LETTERS_A_LINE, ascii=not printable(repeat.command))
    return lines if len(lines) <= MOST_OF_A_COMMAND else ""


def _notes(repeat: Repeat) -> list[str]:
    if _command(repeat):
        return list(repeat.notes)
    return [f"The command has {len(repeat.command):,} characters. It stands in the report's HTML and JSON."]


def _breakable(text: str) -> str:
    """Words too long for a line with places where they may end it; a fingerprint as it is."""
    return re.sub(
        r"\S{31,}",
        lambda word: (
            word[0] if _FINGERPRINT.search(word[0]) else "\u200b".join(re.findall(".{1,10}", word[0]))
        ),
        text,
    )


def _table(table: Table, lines: tuple[str, ...] = ()) -> dict[str, Any]:
    return {
        "title": table.title,
        "note": table.note,
        "lines": list(lines),
        "heads": list(table.rows[0]) if table.rows else [],
        "cells": [
            {"words": cell, "colour": CHIP_TEXTS.get(str(cell), "none")}
            for row in table.rows
            for cell in row.values()
        ],
    }


def _everywhere(value: Any, item: Any) -> Any:
    """Every text in a document."""
    if isinstance(value, str):
        return item(value)
    if isinstance(value, dict):
        return {key: _everywhere(part, item) for key, part in value.items()}
    if isinstance(value, list):
        return [_everywhere(part, item) for part in value]
    return value
