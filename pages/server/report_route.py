"""The link to a shared report: a page of its own, without a websocket and under its own strict policy."""

import asyncio
import html
import logging
import re
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from calibcore import InputError
from calibcore.limits import SERVER
from calibcore.store import DamagedError, Share, Store, StoreError, open_store, store_url
from pages.server import audit, places, sign_in, visitors
from pages.server.plain_page import plain_page
from pages.server.rate_limit import Guesses

PREFIX = "r/"
"""Below the base path."""
POLICY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; "
        "sandbox allow-scripts allow-downloads"
    ),
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
}
"""Headers of a report: a saved page may run what it holds and fetch nothing at all."""
OPEN = "<!--open in caliblens-->"
"""Where a saved page is given the link to its settings; a comment, which no text from outside can be. The
link holds the token, which is not stored: so it is put there when the page is sent."""
EVERY = 3_600
"""Seconds between two rounds that delete what has expired."""
PARAMETER = "spec"
"""Of the app's address: the token of a report whose settings are to be opened."""
OPEN_WORDS = "Open these settings in Caliblens"
AT_ONCE = 8
"""Links that are looked up at the same time: a store that does not answer holds up nothing else."""
SLOW = 1.0
"""Seconds until another wrong guess of an address that has made too many is answered."""
T = TypeVar("T")
_guesses = Guesses()
_log = logging.getLogger("caliblens")


class TooManyGuesses(Exception):
    """An address has guessed wrong too often."""


def need_a_database() -> None:
    """Before anybody is let in: a DATABASE_URL that is none stops the server with one sentence."""
    try:
        store_url(SERVER.database_url, SERVER.data)
    except InputError as error:
        sys.exit(str(error))


@cache
def store() -> Store:
    """The store, opened by whoever needs it first. Raises StoreError while it cannot be."""
    return open_store(SERVER.database_url, SERVER.data)


def now() -> int:
    """Whole seconds since 1970."""
    return int(time.time())


async def report(request: Request) -> Response:
    """The report of a link; one and the same answer for what never was, has expired or was revoked.

    A right link is answered at once, however many wrong ones came from the same address.
    """
    if not (SERVER.public_sharing or sign_in.came_in(request)):
        words = f'First <a href="{places.home(request.scope)}">sign in</a>, then open the link again.'
        return plain_page(401, "This report is for people who have signed in", words)
    try:
        share = await _looked_up(request.path_params["token"])
    except DamagedError:
        _log.exception("A shared report is damaged.")
        return plain_page(410, "This report is damaged", "It cannot be shown any more. Ask for a new link.")
    except StoreError:
        _log.exception("A shared report could not be looked up.")
        return plain_page(503, "The report cannot be shown now", "Try again in a few minutes.")
    audit.record(
        "share-opened" if share is not None else "share-not-found",
        **({} if share is None else {"fingerprint": share.fingerprint}),
        by=audit.pseudonym(sign_in.owner(sign_in.claims_of(request))),
    )
    if share is None:
        if wait := _guesses.wrong(visitors.address_of(request)):
            await asyncio.sleep(SLOW)
            return plain_page(
                429,
                "Too many links that lead nowhere",
                "Wait a minute and try again.",
                {"Retry-After": str(int(wait) + 1)},
            )
        return plain_page(
            404,
            "There is no report here",
            "It may have expired or been deleted, or the link is not whole.",
        )
    query = f"{PARAMETER}={html.escape(request.path_params['token'])}"
    link = f'<a style="color: var(--link)" href="../?{query}">{OPEN_WORDS}</a>'
    return HTMLResponse(share.page.replace(OPEN, link, 1))


async def revoked(token: str, key: str) -> bool:
    """Whether the report was there, had that key, and is deleted now. Raises :class:`.StoreError`."""
    return await to_thread.run_sync(lambda: store().revoke(token, key), limiter=_line())


def token_of(link: str) -> str:
    """The token of a link, or of what was copied of it."""
    text = link.strip()
    if match := re.search(rf"[?&]{PARAMETER}=([^&#\s]*)", text):
        return match[1]
    return text.split("#")[0].split("?")[0].rstrip("/").rpartition("/")[2]


def guessed(ask: Callable[[], T]) -> T:
    """What ``ask`` answers about a token that somebody gave; an answer that says no counts as a guess.

    Raises
    ------
    TooManyGuesses : the answer is no, like many before it from this address.
    StoreError : the store cannot answer.
    """
    answer = ask()
    if not answer and _guesses.wrong(visitors.address_of_session()):
        raise TooManyGuesses
    return answer


async def _looked_up(token: str) -> Share | None:
    return await to_thread.run_sync(_find, token, limiter=_line())


@cache
def _line() -> CapacityLimiter:
    return CapacityLimiter(AT_ONCE)


def _find(token: str) -> Share | None:
    return store().find(token, now())


async def delete_expired(every: float = EVERY) -> None:
    """Delete what has expired, now and every hour; whatever fails is tried again the next time."""
    while True:
        try:
            deleted = await to_thread.run_sync(lambda: store().delete_expired(now()), limiter=_line())
            if deleted:
                audit.record("shares-expired", number=deleted)
                _log.info("%d shared reports had expired and are deleted.", deleted)
        except Exception:
            _log.exception("Expired reports could not be deleted.")
        await asyncio.sleep(every)
