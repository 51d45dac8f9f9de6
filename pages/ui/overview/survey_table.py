"""The one table of classes and checks: all rows from the beginning, each filled as it comes, with a small
diagram and its verdict at the end; a click opens it."""

import base64
from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

import streamlit as st

from calibcore.answers.survey import Check, checks_table
from calibcore.answers.tables import Table
from calibcore.assessment.assess import Assessment, SoFar
from calibcore.assessment.defaults import as_surveyed
from calibcore.assessment.impossible import is_hypothesis
from calibcore.charts.deviation_scale import scale_of
from calibcore.painters.inline import SMALL_WIDTH, reliability_sketch
from calibcore.transforms.lenses import Lens
from calibcore.wording import count
from calibcore.words.looking import name_among, sentence_case
from calibcore.words.verdict_rows import UNKNOWN
from calibcore.words.verdicts import CHIP_TEXTS, not_said, promise_words
from pages.ui import nav, progress, settings, show
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded
from pages.work import studies
from pages.work.job import Job

MARKS = {"miscalibrated": "#B04A00", "consistent": "#007A58", "cannot-tell": "#8A5D00"}
"""Ground of a verdict in a table, under white letters: darker kin of its colour."""
WIDTHS = {"Verdict": 195, "On balance": 150, "Adjusted p": 128, "Smallest detectable": 133}
"""Pixels, enough for the longest: a browser keeps the widths of what it drew first, and those come later."""
WAITS = "Appears when the survey is done."
TITLE, OF_CONFIDENCE = "Classes and checks", "Checks"
"""Above the table; and where only the confidence is known, of which there are no classes."""
ROW = 52
"""Pixels of a row, with room for a small diagram."""
SKETCH = "Grey: what chance alone allows. Vermilion: how far off, from low probabilities to high."
MOST_ROWS = 12
"""The table is no taller than so many; the others are scrolled to."""


def lenses(data: Loaded) -> tuple[Lens, ...]:  # noqa: ARG001 (asked of the data in use)
    """The lenses of the survey."""
    return settings.family()


def start(data: Loaded) -> Job[Assessment]:
    """The survey and its verdicts, begun if need be."""
    looked_through = lenses(data)
    spec, many = settings.surveyed(looked_through)
    return studies.surveyed(data.predictions, spec, looked_through, many).begun()


def about(job: Job[Assessment], data: Loaded) -> str:
    """How many checks there are, in two words; those refused are none, which is known at the end."""
    checks = len(job.future.result().verdicts) if job.ready else len(lenses(data))
    return count(checks, "check")


def tolerated(assessment: Assessment) -> Assessment:
    """What was found, at the tolerance in use."""
    return assessment.at(settings.current().tolerance)


def draw(job: Job[Assessment], data: Loaded) -> None:
    """Rows as they come, then each with its verdict; begins nothing."""
    st.subheader(OF_CONFIDENCE if data.predictions.confidence_only else TITLE, help=glossary("survey"))
    if job.begin is not None or job.stopped:
        st.caption(WAITS)
        return
    if job.ready:
        _draw_results(tolerated(job.future.result()), data)
    elif not job.future.done():
        progress.so_far(job, partial(_so_far, data=data))


def so_far(parts: Sequence[Any], hypotheses: int = 0) -> SoFar:
    """What is there of a survey under way, at the tolerance in use."""
    return SoFar.of(parts, settings.current().tolerance, hypotheses)


def hypotheses(data: Loaded) -> int:
    """How many p are adjusted together, at most."""
    return len(lenses(data)) + is_hypothesis(data.predictions)


def _so_far(parts: Sequence[Any], data: Loaded) -> None:
    """As many rows as there will be, so that nothing below is moved."""
    assessment = so_far(parts)
    rows = rows_of(checks_table(assessment.diagnoses, assessment.verdicts, assessment.coming))
    come = {as_surveyed(diagnosis.spec.lens, data.predictions) for diagnosis in assessment.diagnoses}
    empty = dict.fromkeys(rows[0], UNKNOWN) | {"Diagram": None, "Verdict": [UNKNOWN]} if rows else {}
    rows += [
        empty | {"Check": sentence_case(name_among(lens, data.predictions.class_names))}
        for lens in lenses(data)
        if lens not in come and rows
    ]
    show.frame(rows, alt=ALT, **look_of(rows))


def _draw_results(assessment: Assessment, data: Loaded) -> None:
    diagnoses, verdicts = assessment.survey.diagnoses, assessment.verdicts
    table = checks_table(diagnoses, verdicts)
    rows = rows_of(table)
    place = show.clicked_row(rows, "survey", ALT, **look_of(rows))
    if place is not None:
        open_lens(table.items[place].lens)
    exact = partial(table.rows, exact=True)
    promise = promise_words(diagnoses[0].spec.adjustment, data.noun)
    about = f"Click a row to open its diagram. The adjusted p-values are {promise}. {not_said(data.noun)}"
    show.below_rows(plain(about), exact, "survey")
    for lens, why in assessment.survey.refused:
        st.caption(f"{plain(lens)}: {plain(why)}")


def open_lens(lens: Lens) -> None:
    """Its diagram, on the page of diagrams; in no callback, as those cannot leave a page."""
    settings.set_lens(lens)
    st.switch_page(nav.page("reliability"))


ALT = "The checks, each with its verdict, its gap, which way it is off and its adjusted p."


def rows_of(table: Table[Check]) -> list[dict[str, Any]]:
    """With a small diagram behind each name. Choices can have colours, and are lists."""
    diagrams = [check.diagnosis.reliability for check in table.items if check.diagnosis is not None]
    two = [diagram for diagram in diagrams if len(diagram.class_names) == 2]
    scale = scale_of(two) if two else None
    span = (0.0, 0.0) if scale is None else (scale.low, scale.high)
    rows = []
    for row, diagram in zip(table.rows(), diagrams, strict=True):
        own = span
        if len(diagram.class_names) > 2:
            of_many = scale_of([diagram])
            own = (of_many.low, of_many.high)
        svg = base64.b64encode(reliability_sketch(diagram, own).encode()).decode()
        rows.append(
            {"Check": row["Check"], "Diagram": f"data:image/svg+xml;base64,{svg}"}
            | row
            | {"Verdict": [row["Verdict"]]}
        )
    return rows


def look_of(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How the table of :func:`rows_of` looks, for :func:`pages.ui.show.frame`."""
    columns, order = _columns(rows)
    return {"column_config": columns, "column_order": order, "row_height": ROW, "height": _height(rows)}


def _height(rows: Sequence[object]) -> int | Literal["content"]:
    return "content" if len(rows) <= MOST_ROWS else ROW * MOST_ROWS + 35


def _columns(rows: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], list[str]]:
    """How the columns look, and their order. The name is held while the rest is scrolled, unless it is long;
    a phone has room for the whole verdict and no more."""
    text, any_ = st.column_config.TextColumn, st.column_config.Column
    held = (
        not show.by_touch() and max((len(str(row["Check"])) for row in rows), default=0) <= show.LONGEST_HELD
    )
    columns = {
        "Check": text(pinned=held, help=glossary("check")),
        "Diagram": st.column_config.ImageColumn(help=SKETCH, width=SMALL_WIDTH + 16),
        "Verdict": st.column_config.MultiselectColumn(
            options=list(CHIP_TEXTS),
            color=[MARKS[c] for c in CHIP_TEXTS.values()],
            help=glossary("verdict"),
            width=WIDTHS["Verdict"],
        ),
        "Typical gap": any_(help=glossary("typical gap")),
        "On balance": text(help=glossary("on balance"), width=WIDTHS["On balance"]),
        "Adjusted p": any_(help=glossary("adjusted p"), width=WIDTHS["Adjusted p"]),
        "Smallest detectable": any_(
            help=glossary("smallest detectable"), width=WIDTHS["Smallest detectable"]
        ),
    }
    # What could have been seen has a fold of its own; at 1,280 pixels one would have to scroll to it.
    order = [name for name in rows[0] if name != "Smallest detectable"] if rows else []
    if not held:
        order = ["Verdict", *(name for name in order if name != "Verdict")]
    return columns, order
