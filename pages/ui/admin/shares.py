"""Reports that are shared: which there are, and how one is taken back without its key."""

from functools import partial

import streamlit as st

from calibcore.data.outside_text import visible
from calibcore.store import Listed, StoreError
from calibcore.wording import count
from pages.server import audit, report_route
from pages.server.visitors import owner
from pages.ui import choices, show
from pages.ui.admin.acts import act, day, megabytes, show_outcome

ACT = "revoke-share"
LINK = "admin-share-link"
"""The key of the box for a link, in a session."""
NONE = "No report is shared. Links to reports are made on the page Share."
NOWHERE = "No report here has this link. It was deleted, or the link is of another server."
MOST, MOST_ROWS = 1_000, 50
"""Reports that can be chosen, and rows of the table: the newest."""


def draw() -> None:
    """The list, what revokes one of it, and what came of that."""
    st.header("Shared reports")
    _list()
    show_outcome(ACT)


def _list() -> None:
    link = st.text_input("Find by its link", key=LINK, placeholder="Any link of a report", max_chars=2_000)
    token = report_route.token_of(link) if link.strip() else None
    try:
        reports = report_route.store().listed(MOST, token)
    except StoreError as error:
        st.warning(str(error), icon=":material/warning:")
        return
    if not reports:
        st.markdown(NONE if token is None else NOWHERE)
        return
    show.table([_row(each) for each in reports[:MOST_ROWS]])
    shown = f"The newest {MOST_ROWS} of {count(len(reports), 'report')}. " if len(reports) > MOST_ROWS else ""
    st.caption(f"{shown}Days are those of UTC.")
    chosen = choices.one_remembered(
        "Report to revoke", choices.worded(reports, _words), "admin-share", placeholder="Choose one"
    )
    if chosen is not None:
        st.markdown(show.plain(_before(chosen)))
        st.button(
            "Revoke this report", icon=":material/delete:", key="admin-revoke-share",
            on_click=act, args=(ACT, partial(_revoke, chosen)),
        )  # fmt: skip


def _row(share: Listed) -> dict[str, str]:
    expired = share.expires <= report_route.now()
    return {
        "Report": f"{_title(share)}\nFingerprint {_fingerprint(share)}, {megabytes(share.size)}",
        "Made": day(share.created),
        "Opens until": f"{day(share.expires)}{', expired' if expired else ''}",
    }


def _words(share: Listed) -> str:
    return f"{_title(share)}, made {day(share.created)}, {_fingerprint(share)}"


def _title(share: Listed) -> str:
    return visible(share.title).strip()


def _fingerprint(share: Listed) -> str:
    return share.fingerprint[:12]


def _before(share: Listed) -> str:
    """What revoking will do; the report in full, as a phone cuts the options of a box."""
    return (
        f"'{_title(share)}', made {day(share.created)}, fingerprint {_fingerprint(share)}: "
        "the report is deleted and its link leads nowhere. This cannot be undone."
    )


def _revoke(share: Listed) -> str:
    if not report_route.store().remove(share.token_hash):
        return "That report is not there any more."
    audit.record("share-revoked", fingerprint=share.fingerprint, by=audit.pseudonym(owner()))
    st.session_state[LINK] = ""  # it leads nowhere now
    return f"The report '{share.title}' is revoked: its link leads nowhere."
