"""Sharing what was found: the report as a file or under a link, and taking links back."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlsplit

import streamlit as st

from calibcore import DiagnosisSpec
from calibcore.assessment.assess import Assessment
from calibcore.data.outside_text import visible
from calibcore.limits import LIMITS, SERVER
from calibcore.store import MOST_TITLE, StoreError
from calibcore.wording import plural
from calibcore.words.sharing import (
    comparison_comes,
    lenses_shared,
    open_until,
    rows_words,
    who_opens,
    with_comparison,
)
from calibcore.words.texts import paragraph
from pages.server import audit, places, report_route
from pages.server.visitors import owner
from pages.ui import looks, nav, progress, saving, state
from pages.ui.compare import candidates
from pages.ui.share import answers, report_files
from pages.ui.share.report_files import Asked
from pages.ui.show import fold, glossary, plain
from pages.ui.state import Loaded
from pages.work import jobs, studies
from pages.work import links as stored
from pages.work.job import Job
from pages.work.links import Link

MADE, NEW, UNDER_WAY, SAID = "shares", "share-new", "share-under-way", "share-said"
"""Keys of the session: links made, the one just made, the one being made, what came of taking one back."""
FILES: dict[str, tuple[Callable[[Asked], str | bytes], str, str, str]] = {
    "PDF, A4": (partial(report_files.as_pdf, paper="a4"), "pdf", "application/pdf", "To print or to send"),
    "PDF, Letter": (
        partial(report_files.as_pdf, paper="letter"), "pdf", "application/pdf", "To print on US paper",
    ),
    "HTML": (report_files.as_file, "html", "text/html", "One file for a browser: its figures can be zoomed"),
    "JSON": (report_files.as_json, "json", "application/json", "For programs, and to open its settings here"),
}  # fmt: skip
"""Button -> what makes the file, how it ends, its kind, what it is for."""
ROW = 76
"""Pixels of the ways to hand on, in one row."""
NOTHING = paragraph("messages", "nothing deleted")
TAKEN = paragraph("messages", "report deleted")
_log = logging.getLogger("caliblens")


@dataclass(frozen=True, eq=False)
class Order:
    """A link to be made: of what, for how many days, told apart by ``number``."""

    number: int
    asked: Asked
    days: int
    base: str
    by: str = ""
    """Who made it, for the audit log."""


def form(assessment: Assessment, data: Loaded, spec: DiagnosisSpec, *, all_labels: bool = False) -> None:
    """The ways to hand the report on in one row, once it is made; below them its title and what it holds."""
    with st.container(border=True, key="share-form"):
        ways = st.container(key="share-ways")
        left, right = st.columns([3, 1])
        usual = visible(data.title)[:MOST_TITLE]
        title = looks.drawn(
            left.text_input, "Title of the report", usual, key=f"share-title-{data.key}", start=usual,
            max_chars=MOST_TITLE,
        )  # fmt: skip
        days = looks.drawn(
            right.number_input, "Days a link opens", 1, LIMITS.max_share_days, LIMITS.share_days,
            key="share-days", start=LIMITS.share_days,
        )  # fmt: skip
        rows = looks.ticked(f"Include the rows of {plain(plural(data.noun))}", f"share-rows-{data.key}")
        held = rows_words(report_files.cases_of(data, all_labels).n, data.noun, rows)
        st.caption(f"{lenses_shared(len(assessment.verdicts))} {plain(held)}")
        title = visible(title)[:MOST_TITLE].strip() or usual
        if all_labels:
            beside, asked = None, answers.chosen_of_labels(data, spec)
        else:
            beside, asked = _beside(data, spec), answers.chosen(data, spec)
        job = report_files.start(assessment, data, spec, beside, asked, all_labels=all_labels)
        with ways:
            progress.show(
                job,
                "Drawing the report",
                lambda report: _ways(Asked(report, data, title, rows, all_labels), int(days)),
                height=ROW,
            )


def _beside(data: Loaded, spec: DiagnosisSpec) -> report_files.Beside | None:
    """The comparison that the page Compare shows, if it is there and is to be in the report."""
    models = {model.title: model for model in candidates.compared(data)}
    if len(models) < 2:
        return None
    comparison = studies.comparison(
        {name: model.predictions for name, model in models.items()}, spec
    ).finished()
    if comparison is None:
        nav.link("compare", comparison_comes(list(models)[1:]))
        return None
    words = plain(with_comparison(list(models)[1:]))
    return report_files.Beside(comparison, models) if looks.ticked(words, "share-comparison") else None


def _ways(asked: Asked, days: int) -> None:
    """One row: the link, which is what most people want, then files."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Make a link", icon=":material/link:", type="primary", on_click=_order,
            args=(asked, days), help=glossary("link to a report"),
        )  # fmt: skip
        for label, (make, ending, kind, use) in FILES.items():
            name = saving.named("report", ending, asked.report.date)
            st.download_button(
                label, partial(make, asked), name, kind, key=f"share-file-{label}",
                icon=":material/download:", on_click="ignore", help=use,
            )  # fmt: skip
    st.caption(who_opens(SERVER.signs_in, SERVER.public_sharing))


def _order(asked: Asked, days: int) -> None:
    number = st.session_state.get("share-number", 0) + 1
    st.session_state["share-number"] = number
    st.session_state[UNDER_WAY] = Order(number, asked, days, base(), audit.pseudonym(owner()))
    for name in (NEW, SAID):
        st.session_state.pop(name, None)


def base() -> str:
    """The address of the app, as the server's settings say or as the browser does."""
    if SERVER.base_url:
        return places.with_base_path(SERVER.base_url)
    address = urlsplit(st.context.url or "")
    return f"{address.scheme}://{address.netloc}{address.path.removesuffix('/').removesuffix('/share')}"


def under_way() -> None:
    """The link that is being made, with its progress; then the link and its key."""
    order: Order | None = st.session_state.get(UNDER_WAY)
    if order is not None and not _is_loaded(order.asked):
        st.session_state.pop(UNDER_WAY)  # the model was removed meanwhile
    elif order is not None:
        key = (order.asked.predictions.fingerprint, str(order.number))
        job = jobs.start("link", key, lambda job: make(order, job))
        progress.show(job, "Making the link", _keep)
    link: Link | None = st.session_state.get(NEW)
    if link is not None:
        _shown_once(link)


def _is_loaded(asked: Asked) -> bool:
    data = state.find(asked.data.key)
    return data is not None and report_files.cases_of(data, asked.all_labels) is asked.predictions


def make(order: Order, job: Job[Link]) -> Link:
    """Make the report and store it; what was stored is not lost to a Stop.

    Raises
    ------
    InputError : the store does not answer.
    """
    asked = order.asked
    try:
        return stored.made(
            asked.whole, asked.predictions.fingerprint, order.days, order.base, job.report, by=order.by
        )
    except stored.NotStored as error:
        raise error.reworded(f"{error} The files above can still be downloaded.") from error


def _keep(link: Link) -> None:
    st.session_state.pop(UNDER_WAY, None)
    st.session_state[MADE] = (*st.session_state.get(MADE, ()), link)
    st.session_state[NEW] = link
    st.rerun()


def _shown_once(link: Link) -> None:
    with st.container(border=True, key="share-new-link"):
        st.markdown(f"## The link to '{plain(link.title, 80)}'")
        st.code(link.address, language=None, wrap_lines=True)
        st.caption(f"{who_opens(SERVER.signs_in, SERVER.public_sharing)} {open_until(link.expires)}")
        st.markdown("**Key to delete this link**", help=glossary("key of a link"))
        st.code(link.key, language=None, wrap_lines=True)
        st.caption("Shown only once and not stored. Keep it to delete the link on another day.")
        st.button("I have kept both", on_click=st.session_state.pop, args=(NEW, None))


def links() -> None:
    """The links that this session made, each with a way to take it back; and that for older ones."""
    if message := st.session_state.get(SAID):
        st.info(message)
    made: tuple[Link, ...] = st.session_state.get(MADE, ())
    if made:
        st.header("Links made in this session")
    for i, link in enumerate(made):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"[{plain(link.title, 80)}]({link.address}). {open_until(link.expires)}", width="stretch"
            )
            with st.popover("Delete", icon=":material/delete:", help=glossary("delete a link")):
                st.markdown("The report is deleted and the link leads nowhere. This cannot be undone.")
                st.button(
                    "Delete it now", key=f"take-back-{i}",
                    on_click=take_back, args=(link.token, link.key),
                )  # fmt: skip
    fold("Delete a link from another day", "fold-take-back", _older)


def _older() -> None:
    left, right = st.columns(2)
    link = looks.typed(left, "Link", "take-back-link", placeholder="https://…/r/…")
    key = looks.typed(right, "Key", "take-back-key", help=glossary("key of a link"))
    st.button(
        "Delete it",
        on_click=take_back,
        args=(report_route.token_of(link), key.strip()),
        disabled=not (link and key),
    )


def take_back(token: str, key: str) -> None:
    """Delete a report by its link and key; what never was, is gone, or has another key has one answer."""
    try:
        gone = report_route.guessed(lambda: report_route.store().revoke(token, key))
    except report_route.TooManyGuesses:
        st.session_state[SAID] = "Too many links that lead nowhere. Wait a minute and try again."
        return
    except StoreError as error:
        _log.exception("A report could not be deleted.")
        st.session_state[SAID] = f"Nothing was deleted: {error}"
        return
    if gone:
        audit.record("share-deleted", by=audit.pseudonym(owner()))
    st.session_state[SAID] = TAKEN if gone else NOTHING
    st.session_state[MADE] = tuple(link for link in st.session_state.get(MADE, ()) if link.token != token)
    new: Link | None = st.session_state.get(NEW)
    if new is not None and new.token == token:
        del st.session_state[NEW]
