"""How much the server holds, and what it is at."""

import streamlit as st

from calibcore.limits import LIMITS
from calibcore.wording import percent
from pages.server import upkeep
from pages.server.budget import BUDGET
from pages.ui import show
from pages.ui.admin.acts import megabytes
from pages.work import job

MOST_ROWS = 50


@st.fragment(run_every=5.0)
def draw() -> None:
    """Memory and work, anew every few seconds."""
    held = upkeep.tidied(job)
    st.header("Memory")
    show.points(_memory(held))
    st.header("Jobs")
    at_work, waiting = job.in_line()
    st.markdown(
        f"{at_work:,} at work, {waiting:,} waiting." if at_work or waiting else "No job is under way."
    )
    if seen := job.seen():
        show.table([_row(each) for each in seen[:MOST_ROWS]])


def _memory(held: upkeep.Held) -> list[str]:
    """What is held, a line each."""
    return [
        f"Memory of the server: {megabytes(upkeep.resident())}",
        f"Uploads: {megabytes(BUDGET.held())} of {LIMITS.uploads_mb:,} MB",
        f"Tabs: {held.tabs:,} open, {held.closed:,} closed that can still come back",
        f"Workspaces: {held.workspaces:,}. Each is what a tab holds, kept for "
        f"{LIMITS.workspace_minutes} minutes after it was closed.",
    ]


def _row(seen: job.Seen) -> dict[str, str]:
    waits = seen.seconds is None
    return {
        "Work": seen.kind or "other",
        "State": "waits" if waits else "at work",
        "Done": percent(seen.fraction, 0),
        "Seconds": "–" if seen.seconds is None else f"{seen.seconds:,.0f}",
    }
