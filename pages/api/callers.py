"""Who may ask: any program where nobody signs in, else one that says a token. No page of another site."""

import asyncio
import logging
from dataclasses import dataclass

from anyio import CapacityLimiter, to_thread
from starlette.requests import Request

from calibcore.limits import LIMITS, SERVER
from calibcore.store import StoreError, Token, Tokens
from pages.api.problems import LATER, Problem
from pages.server import entry, report_route, visitors
from pages.server.rate_limit import Guesses

SCHEME = "bearer "
KEY = "Report-Key"
"""Header with the key that deletes a report: addresses are written into logs."""
SLOW = 1.0
"""Seconds until another wrong guess of an address that has made too many is answered."""
AT_ONCE = 8
"""Tokens that are looked up at the same time."""
_guesses = Guesses()
"""Wrong tokens, and names of work that there is not."""
_asked = Guesses(LIMITS.api_per_minute, 60.0)
"""Questions."""
_limiters: dict[int, CapacityLimiter] = {}
_log = logging.getLogger("caliblens")


@dataclass(frozen=True)
class Caller:
    """Who asks: what its bytes and its turns count for, and the name of its token, if it has one."""

    owner: str
    token: str = ""


async def caller_of(request: Request) -> Caller:
    """Who asks.

    Raises
    ------
    Problem : a page of another site, no token or a wrong one where people sign in, or too many of these.
    """
    if not entry.own(request.headers.getlist("origin"), request.headers.getlist("host")):
        raise Problem(403, "This is only for programs and for pages of this server.")
    address = visitors.address_of(request)
    if not SERVER.signs_in:
        return Caller(address)
    headers = request.headers.getlist("authorization")
    if len(headers) != 1 or not headers[0].lower().startswith(SCHEME):
        raise Problem(
            401, "Say a token: Authorization: Bearer …. 'caliblens token create NAME' makes one.",
            headers={"WWW-Authenticate": "Bearer"},
        )  # fmt: skip
    token = await _found(headers[0][len(SCHEME) :].strip())
    if token is None:
        await wrong_guess(address)
        raise Problem(
            401, "This token opens nothing: it is not whole, has expired or was revoked.",
            headers={"WWW-Authenticate": "Bearer"},
        )  # fmt: skip
    return Caller(f"token {token.name}", token.name)


async def wrong_guess(address: str) -> None:
    """Count it; :class:`Problem` where an address has made too many."""
    if wait := _guesses.wrong(address):
        await asyncio.sleep(SLOW)
        raise Problem(429, "Too many wrong guesses. Wait a minute.", wait)


def count_question(caller: Caller) -> None:
    """Count it; :class:`Problem` where this caller asks more often than it may."""
    if wait := _asked.wrong(caller.owner):
        raise Problem(
            429, f"This server answers one caller {LIMITS.api_per_minute:,} questions a minute.", wait
        )


async def _found(secret: str) -> Token | None:
    def look() -> Token | None:
        return Tokens(report_route.store()).find(secret, report_route.now())

    loop = id(asyncio.get_running_loop())
    limiter = _limiters.setdefault(loop, CapacityLimiter(AT_ONCE))
    try:
        return await to_thread.run_sync(look, limiter=limiter)
    except StoreError:
        _log.exception("A token could not be looked up.")
        raise Problem(503, "Tokens cannot be looked up now.", LATER) from None
