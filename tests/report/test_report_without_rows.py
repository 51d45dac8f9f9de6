"""A part of a report that has nothing to list: whatever it is, each format says the rest of it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from calibcore import monitor
from calibcore.report import Report, to_html, to_json, to_pdf
from tests.report.reported import SPEC, Page, judged_of, pages_of, report, squeezed


def in_every_format(made: Report) -> tuple[Page, str, dict[str, Any]]:
    return Page(to_html(made)), squeezed("".join(pages_of(to_pdf(made)))), json.loads(to_json(made))


def tables(page: Page) -> int:
    return sum(tag == "table" for tag, _ in page.tags)


@pytest.mark.slow
def test_time_with_fewer_cases_than_a_window_has() -> None:
    p, _ = judged_of(40, 2)
    watched = monitor(p, SPEC)
    made = report(40, 2, answers=[watched])
    assert not watched.windows.kept
    (plate,) = [plate for plate in made.plates if plate.name == "monitoring"]
    assert plate.rows == ()
    page, paper, document = in_every_format(made)
    assert plate.title in page.text
    assert squeezed(plate.title) in paper
    assert document["monitoring"]["windows"] == []


@pytest.mark.slow
def test_no_figure_and_no_table_needs_rows() -> None:
    """Those of the survey and of each part are written by the same lines: all of them at once."""
    made = report(40, 2)
    bare = replace(
        made,
        plates=tuple(replace(plate, rows=()) for plate in made.plates),
        tables=tuple(replace(table, rows=()) for table in made.tables),
    )
    page, paper, document = in_every_format(bare)
    assert tables(Page(to_html(made))) > tables(page) == 0
    for table in made.tables:
        assert table.title in page.text
        assert squeezed(table.title) in paper
    assert {len(table["rows"]) for table in document["report"]["tables"]} == {0}
