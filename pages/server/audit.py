"""Who did what, when: a line of the log an event, for whoever has to account for it.

A line holds sizes, numbers and fingerprints, never a name of a file, a column, a class or a person, nor a
link.
Who did it is a pseudonym: the same for one person as long as the server has the same secret.
"""

import hmac
import logging
import re
from collections.abc import Mapping

from calibcore.limits import SERVER, for_one_person

EVENTS: Mapping[str, frozenset[str]] = {
    "signed-in": frozenset({"by"}),
    "signed-out": frozenset({"by"}),
    "uploaded": frozenset({"by", "bytes"}),
    "read": frozenset({"by", "cases", "classes", "fingerprint"}),
    "share-made": frozenset({"by", "token", "fingerprint", "bytes", "days", "rows"}),
    "share-opened": frozenset({"by", "fingerprint"}),
    "share-not-found": frozenset({"by"}),
    "share-deleted": frozenset({"by", "token"}),
    "share-revoked": frozenset({"by", "fingerprint"}),
    "shares-expired": frozenset({"number"}),
    "token-made": frozenset({"token", "days"}),
    "token-revoked": frozenset({"by", "token"}),
    "api-used": frozenset({"by", "token", "question", "status", "bytes", "fingerprint"}),
}
"""Event -> what its line may hold. ``token`` is the name that whoever runs the server gave to one."""
LONGEST = 80
"""Characters of a value."""
_HARMLESS = re.compile(r"[^\w.:/+=-]+")
_log = logging.getLogger("caliblens.audit")


def record(event: str, **fields: str | float | bool | None) -> None:
    """Write a line of the audit log; what is None or empty is left out.

    The server of one person on their own machine keeps none.

    Raises
    ------
    ValueError : an event, or something told of it, that is none of :data:`EVENTS`.
    """
    unknown = fields.keys() - EVENTS.get(event, frozenset())
    if event not in EVENTS or unknown:
        raise ValueError(f"No line of the audit log: {event} with {', '.join(sorted(unknown)) or 'nothing'}.")
    if for_one_person():
        return
    values = {name: _plain(value) for name, value in fields.items() if value is not None and value != ""}
    _log.info("audit", extra={"audited": {"event": event, **values}})


def pseudonym(owner: str) -> str:
    """What stands for a person who has signed in, as :func:`.sign_in.owner` says them; empty for nobody.

    Whoever has the server's secret for cookies can tell whether it is a person that they know; nobody else.
    """
    if not owner:
        return ""
    return hmac.new(SERVER.cookie_secret.encode(), b"audit:" + owner.encode(), "sha256").hexdigest()[:16]


def _plain(value: str | float | bool) -> str | float | bool:
    """Text as one word, so that nothing is forged into a line."""
    return _HARMLESS.sub("_", value)[:LONGEST] if isinstance(value, str) else value
