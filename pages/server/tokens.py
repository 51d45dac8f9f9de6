"""Tokens of programs as the server sees them: made on the command line, revoked there or here."""

import asyncio
import logging

from anyio import to_thread

from calibcore.store import Token, Tokens
from pages.server import audit, report_route

EVERY = 30.0
"""Seconds between two looks."""
DAY = 86_400
_known: dict[str, Token] = {}
"""Those of the last look. The command line is another process: what it does is seen here, and noted."""
_log = logging.getLogger("caliblens")


def tokens() -> Tokens:
    """Of the server's store. Raises StoreError while it cannot be opened."""
    return Tokens(report_route.store())


def revoke(name: str, by: str) -> bool:
    """Revoke a token for a person; False if there is none of that name.

    Raises
    ------
    StoreError : the store cannot answer.
    """
    _known.pop(name, None)
    revoked = tokens().revoke(name)
    if revoked:
        audit.record("token-revoked", token=name, by=by)
    return revoked


def note(listed: tuple[Token, ...]) -> None:
    """Note in the audit log what came and went since the last look; those that expired went by themselves."""
    now, present = report_route.now(), {token.name: token for token in listed}
    for name, token in list(_known.items()):
        if present.get(name) != token and token.expires > now:
            audit.record("token-revoked", token=name)
    for name, token in present.items():
        if _known.get(name) != token:
            audit.record("token-made", token=name, days=round((token.expires - token.created) / DAY))
    _known.clear()
    _known.update(present)


async def watch(every: float = EVERY) -> None:
    """Until the server stops. What is there when it starts is known, and not noted."""
    first = True
    while True:
        try:
            listed = await to_thread.run_sync(lambda: tokens().all())
            if first:
                _known.update({token.name: token for token in listed})
            else:
                note(listed)
            first = False
        except Exception:
            _log.exception("The tokens could not be looked up.")
        await asyncio.sleep(every)
