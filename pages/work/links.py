"""Links to reports: a finished report goes into the store, and whoever has the link sees its page."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from calibcore import InputError
from calibcore.report import Report, to_html, to_json
from calibcore.report.page import BEHIND
from calibcore.store import Share, StoreError
from pages.server import audit, report_route

DAY = 86_400
_log = logging.getLogger("caliblens")


@dataclass(frozen=True)
class Link:
    """A link that was made; ``key`` takes it back."""

    title: str
    address: str
    token: str
    key: str
    expires: int


def page_of(report: Report) -> str:
    """The page behind a link, with a place for the link that opens its settings."""
    return to_html(report).replace(BEHIND, f"<p>{report_route.OPEN}</p>\n{BEHIND}", 1)


def made(
    report: Report,
    fingerprint: str,
    days: int,
    base: str,
    tell: Callable[[float, str], None],
    **who: str,
) -> Link:
    """Store a report of predictions with that fingerprint for so many days, below the address ``base``. What
    was stored is not lost to what ``tell`` raises. The audit log says ``who`` made it.

    Raises
    ------
    InputError : the store does not answer.
    """
    now = report_route.now()
    tell(0.0, "the page")
    page = page_of(report)
    tell(0.7, "the document")
    document = to_json(report)
    tell(0.9, "storing it")
    expires = now + days * DAY
    try:
        saved = report_route.store().save(Share(report.title, now, expires, fingerprint, document, page))
    except StoreError as error:
        _log.exception("A report could not be stored.")
        raise NotStored(str(error)) from error
    audit.record(
        "share-made",
        fingerprint=fingerprint,
        bytes=len(page.encode()) + len(document.encode()),
        days=days,
        rows=report.predictions is not None,
        **who,
    )
    return Link(report.title, f"{base}/{report_route.PREFIX}{saved.token}", saved.token, saved.key, expires)


class NotStored(InputError):
    """The store of shared reports does not take a report; no fault of the data."""
