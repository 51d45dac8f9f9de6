"""How much the server holds, and what it is at."""

import streamlit as st

from calibcore.limits import LIMITS
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
    show.table(
        [
            {
                "Memory": megabytes(upkeep.resident()),
                "Uploads": f"{megabytes(BUDGET.held())} of {LIMITS.uploads_mb:,} MB",
                "Open tabs": f"{held.tabs:,}",
                "Closed tabs still held": f"{held.closed:,}",
                "Workspaces": f"{held.workspaces:,}",
            }
        ]
    )
    st.header("Jobs")
    at_work, waiting = job.in_line()
    st.markdown(f"{at_work:,} at work, {waiting:,} waiting.")
    if seen := job.seen():
        show.table([_row(each) for each in seen[:MOST_ROWS]])


def _row(seen: job.Seen) -> dict[str, str]:
    waits = seen.seconds is None
    return {
        "Work": seen.kind or "other",
        "State": "waits" if waits else "at work",
        "Done": f"{seen.fraction:.0%}",
        "Seconds": "–" if seen.seconds is None else f"{seen.seconds:,.0f}",
    }
