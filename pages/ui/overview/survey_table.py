"""The survey: a row a check as it comes, its verdict at the end; a click opens its lens."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

import streamlit as st

from calibcore import Diagnosis
from calibcore.answers.survey import checks_table
from calibcore.assessment.assess import Assessment, SoFar
from calibcore.assessment.verdict import Verdict
from calibcore.transforms.lenses import Lens
from calibcore.wording import count
from calibcore.words.verdict_rows import SMALLEST
from calibcore.words.verdicts import CHIP_TEXTS, promise_words
from pages.ui import nav, progress, settings, show
from pages.ui.show import glossary, plain
from pages.ui.state import Loaded
from pages.work import studies
from pages.work.job import Job

MARKS = {"miscalibrated": "#B04A00", "consistent": "#007A58", "cannot-tell": "#8A5D00"}
"""Ground of a verdict in a table, under white letters: darker kin of its colour."""
WIDTHS = {"Verdict": 195, "On balance": 205, "Adjusted p": 112, "Smallest detectable": 133}
"""Pixels, enough for the longest: a browser keeps the widths of what it drew first, and those come later."""
WAITS = "Appears when the survey is done."


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
    if job.begin is not None or job.stopped:
        st.caption(WAITS)
        return
    if job.ready:
        _draw_results(tolerated(job.future.result()), data)
    elif not job.future.done():
        progress.so_far(job, _so_far)


def so_far(parts: Sequence[Any]) -> SoFar:
    """What is there of a survey under way, at the tolerance in use."""
    return SoFar.of(parts, settings.current().tolerance)


def _so_far(parts: Sequence[Any]) -> None:
    assessment = so_far(parts)
    _table(assessment.diagnoses, assessment.verdicts, assessment.coming)


def _draw_results(assessment: Assessment, data: Loaded) -> None:
    diagnoses, verdicts = assessment.survey.diagnoses, assessment.verdicts
    _table(diagnoses, verdicts)
    redraws = diagnoses[0].spec.resamples
    promise = promise_words(diagnoses[0].spec.adjustment, data.noun)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"Click a row to open its diagram. The adjusted p-values are {plain(promise)}; "
            f"{redraws:,} redraws a check leave them room to be small. {plain(SMALLEST)}",
            width="stretch",
        )
        exact = partial(checks_table(diagnoses, verdicts).rows, exact=True)
        show.csv_button(exact, "survey", "lenses")
    for lens, why in assessment.survey.refused:
        st.caption(f"{plain(lens)}: {plain(why)}")


def open_lens(lens: Lens) -> None:
    """Its diagram, on the page of diagrams; in no callback, as those cannot leave a page."""
    settings.set_lens(lens)
    st.switch_page(nav.page("reliability"))


def _table(
    diagnoses: Sequence[Diagnosis], verdicts: Sequence[Verdict] = (), coming: Collection[int] = ()
) -> None:
    # A column of several choices can have colours; each of its cells is a list.
    rows = [row | {"Verdict": [row["Verdict"]]} for row in checks_table(diagnoses, verdicts, coming).rows()]
    text, any_ = st.column_config.TextColumn, st.column_config.Column
    # Held while the rest is scrolled, unless it is long. A phone has room for the whole verdict and no more.
    held = (
        not show.by_touch() and max((len(str(row["Check"])) for row in rows), default=0) <= show.LONGEST_HELD
    )
    columns = {
        "Check": text(pinned=held, help=glossary("check")),
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
    alt = (
        "The checks, each with its verdict, its gap, its adjusted p and the smallest gap that would be seen."
    )
    order = [*rows[0]] if rows else []
    if not held:
        order = ["Verdict", *(name for name in order if name != "Verdict")]
    if not verdicts or coming:
        show.frame(rows, column_config=columns, column_order=order, height="content", alt=alt)
        return
    place = show.clicked_row(rows, "survey", alt, column_config=columns, column_order=order)
    if place is not None:
        open_lens(diagnoses[place].spec.lens)
