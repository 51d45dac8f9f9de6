"""Reports that are shared: which there are, and how one is taken back without its key."""

from functools import partial

import streamlit as st

from calibcore.store import Listed, StoreError
from calibcore.wording import count
from pages.server import audit, report_route
from pages.server.visitors import owner
from pages.ui import choices, show
from pages.ui.admin.acts import act, day, megabytes

MOST, MOST_ROWS = 1_000, 50
"""Reports that can be chosen, and rows of the table: the newest."""


def draw() -> None:
    """The list, and what revokes one of it."""
    st.header("Shared reports")
    try:
        reports = report_route.store().listed(MOST)
    except StoreError as error:
        st.warning(str(error), icon=":material/warning:")
        return
    if not reports:
        st.markdown("There are none.")
        return
    show.table([_row(each) for each in reports[:MOST_ROWS]])
    if len(reports) > MOST_ROWS:
        st.caption(f"The newest {MOST_ROWS} of {count(len(reports), 'report')}.")
    chosen = choices.one_remembered(
        "Report to revoke", choices.worded(reports, _words), "admin-share", placeholder="Choose one"
    )
    if chosen is not None:
        st.markdown("Its link leads nowhere from then on, and it is deleted. This cannot be undone.")
        st.button(
            "Revoke this report", icon=":material/delete:", key="admin-revoke-share",
            on_click=act, args=(partial(_revoke, chosen),),
        )  # fmt: skip


def _row(share: Listed) -> dict[str, str]:
    expired = share.expires <= report_route.now()
    return {
        "Title": share.title,
        "Made": day(share.created),
        "Opens until": f"{day(share.expires)}{', expired' if expired else ''}",
        "Size": megabytes(share.size),
        "Data": share.fingerprint[:12],
    }


def _words(share: Listed) -> str:
    return f"{share.title}, made {day(share.created)}, {share.token_hash.hex()[:6]}"


def _revoke(share: Listed) -> str:
    if not report_route.store().remove(share.token_hash):
        return "That report is not there any more."
    audit.record("share-revoked", fingerprint=share.fingerprint, by=audit.pseudonym(owner()))
    return f"The report '{share.title}' is revoked: its link leads nowhere."
