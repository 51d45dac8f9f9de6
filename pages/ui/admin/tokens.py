"""Tokens of programs: which there are, and how one is revoked."""

from functools import partial

import streamlit as st

from calibcore.cli.token import USUAL_DAYS
from calibcore.store import StoreError, Token
from pages.server import audit, report_route
from pages.server import tokens as of_server
from pages.server.visitors import owner
from pages.ui import choices, show
from pages.ui.admin.acts import act, day, show_outcome

ACT = "revoke-token"
MAKING = (
    f"To make one for {USUAL_DAYS} days, run this where the server keeps its data. It shows the token once."
)
COMMAND = "python -m calibcore token create NAME"


def draw() -> None:
    """The list, what revokes one of it and what came of that, and what makes one."""
    st.header("Tokens of programs")
    _list()
    show_outcome(ACT)
    st.markdown(MAKING)
    st.code(COMMAND, language=None, wrap_lines=True)


def _list() -> None:
    try:
        listed = of_server.tokens().all()
    except StoreError as error:
        st.warning(str(error), icon=":material/warning:")
        return
    if listed:
        show.table([_row(each) for each in listed])
        st.caption("Days are those of UTC.")
        chosen = choices.one_remembered(
            "Token to revoke",
            choices.worded([each.name for each in listed]),
            "admin-token",
            placeholder="Choose one",
        )
        if chosen is not None:
            st.markdown(show.plain(_before(chosen)))
            st.button(
                "Revoke this token", icon=":material/delete:", key="admin-revoke-token",
                on_click=act, args=(ACT, partial(_revoke, chosen)),
            )  # fmt: skip
    else:
        st.markdown("No program has a token.")


def _row(token: Token) -> dict[str, str]:
    expired = token.expires <= report_route.now()
    return {
        "Name": token.name,
        "Made": day(token.created),
        "Opens until": f"{day(token.expires)}{', expired' if expired else ''}",
    }


def _before(name: str) -> str:
    """What revoking will do."""
    return f"Programs that use '{name}' are refused from then on. This cannot be undone."


def _revoke(name: str) -> str:
    if not of_server.revoke(name, audit.pseudonym(owner())):
        return f"The token '{name}' is not there any more."
    return f"The token '{name}' is revoked: programs that use it are refused."
