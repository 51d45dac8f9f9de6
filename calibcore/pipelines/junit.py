"""What was found as JUnit XML, which every CI shows beside its other tests."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from calibcore import limits
from calibcore.answers.blocks import Badge, every_table
from calibcore.data.outside_text import visible
from calibcore.pipelines.handed_on import HandedOn, hand_on
from calibcore.words.verdicts import CHIP_TEXTS

OFF, OPEN = "miscalibrated", "cannot-tell"
_NO_XML = "\ufffe\uffff"
VERDICT = "verdict"
"""The column, in full precision, of a table with a verdict a row."""


@dataclass(frozen=True)
class Case:
    """A test of the file: what it asks, and the answer.

    failed, skipped : what was found instead, and why it cannot be told; empty where it passes
    """

    name: str
    failed: str = ""
    skipped: str = ""


def junit_of(result: Any, failed: bool = False) -> str:
    """One test for a verdict on the whole, and one for each row of a table that has verdicts.

    Where there is no verdict at all it is one test, of whether there is an alarm. "Miscalibrated" is a
    failure, "cannot tell" a test that was skipped. It may be handed on.

    failed : whether there is an alarm

    Raises
    ------
    InputError : of so few cases that nothing may be handed on.
    """
    answered = hand_on(result)
    cases = [*_on_the_whole(answered), *_rows(answered)]
    cases = cases or [_case("the answer", OFF * failed, answered.answer.headline)]
    counts = {
        "tests": len(cases),
        "failures": sum(bool(case.failed) for case in cases),
        "errors": 0,
        "skipped": sum(bool(case.skipped) for case in cases),
    }
    suite = f"caliblens {answered.name}"
    head = " ".join(f"{key}={_quoted(str(value))}" for key, value in {"name": suite, **counts}.items())
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<testsuites {head}>", f"  <testsuite {head}>"]
    for case in cases:
        named = f"<testcase classname={_quoted(f'caliblens.{answered.name}')} name={_quoted(case.name)}"
        details = f"<failure message={_quoted(case.failed)}/>" if case.failed else ""
        details = f"<skipped message={_quoted(case.skipped)}/>" if case.skipped else details
        lines.append(f"    {named}>{details}</testcase>" if details else f"    {named}/>")
    version = escape(f"Caliblens {limits.VERSION}")
    lines += [f"    <system-out>{version}</system-out>", "  </testsuite>", "</testsuites>", ""]
    return "\n".join(lines)


def _on_the_whole(answered: HandedOn) -> Iterator[Case]:
    for badge in answered.answer.each(Badge):
        yield _case("the verdict on the whole", badge.colour, answered.answer.headline)


def _rows(answered: HandedOn) -> Iterator[Case]:
    """A test a row of every table that has a verdict in each, called as the table calls it."""
    for table in every_table(answered.answer.blocks):
        for cells, row in zip(table.rows(), table.rows(exact=True), strict=False):
            if row.get(VERDICT):
                heads = [head for head in cells if not head.startswith("Verdict")]
                name, *rest = heads if heads[0] != "Column" else heads[1:]
                first = cells[name] if heads[0] == name else f"{cells['Column']} {cells[name]}"
                details = "; ".join(f"{head}: {cells[head]}" for head in rest if cells[head] not in ("", "–"))
                colour = _COLOURS[str(row[VERDICT])]
                yield _case(str(first), colour, details)


_COLOURS = CHIP_TEXTS | {text.partition(" ")[2]: colour for text, colour in CHIP_TEXTS.items()}
"""A verdict in a cell, with its sign or without -> its colour."""


def _case(name: str, colour: str, details: str) -> Case:
    return Case(name, details if colour == OFF else "", details if colour == OPEN else "")


def _quoted(text: str) -> str:
    """As the value of an attribute: XML has no word for some characters at all."""
    return quoteattr(visible(text).translate(dict.fromkeys(map(ord, _NO_XML), " ")))
