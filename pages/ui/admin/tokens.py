"""Tokens of programs: which there are, and how one is revoked."""

from functools import partial

import streamlit as st

from calibcore.store import StoreError, Token
from pages.server import audit, report_route
from pages.server import tokens as of_server
from pages.server.visitors import owner
from pages.ui import choices, show
from pages.ui.admin.acts import act, day

MAKING = (
    "Where the server runs, `python -m calibcore token create NAME --days 30` makes one and shows it once."
)


def draw() -> None:
    """The list, and what revokes one of it."""
    st.header("Tokens of programs")
    try:
        listed = of_server.tokens().all()
    except StoreError as error:
        st.warning(str(error), icon=":material/warning:")
        return
    if listed:
        show.table([_row(each) for each in listed])
        chosen = choices.one_remembered(
            "Token to revoke",
            choices.worded([each.name for each in listed]),
            "admin-token",
            placeholder="Choose one",
        )
        if chosen is not None:
            st.markdown("Programs that say it are refused from then on.")
            st.button(
                "Revoke this token", icon=":material/delete:", key="admin-revoke-token",
                on_click=act, args=(partial(_revoke, chosen),),
            )  # fmt: skip
    else:
        st.markdown("There are none.")
    st.caption(MAKING)


def _row(token: Token) -> dict[str, str]:
    expired = token.expires <= report_route.now()
    return {
        "Name": token.name,
        "Made": day(token.created),
        "Opens until": f"{day(token.expires)}{', expired' if expired else ''}",
    }


def _revoke(name: str) -> str:
    if not of_server.revoke(name, audit.pseudonym(owner())):
        return f"The token '{name}' is not there any more."
    return f"The token '{name}' opens nothing any more."
