"""Tokens: what programs come in with where people sign in. Made once, shown once, stored as a hash."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from calibcore.data.outside_text import shown, visible
from calibcore.errors import InputError
from calibcore.store.schema import TOKENS
from calibcore.store.shares import Store

PREFIX = "caliblens_"
"""How every token begins: so that one that was published by mistake is found by who looks for such."""
TOKEN_BYTES = 32
"""256 bits: twice what nobody can guess."""
LONGEST = 200
"""Characters of what may be a token."""
MOST_NAME = 60
DAY = 86_400
MOST_DAYS = 3_650


@dataclass(frozen=True)
class Token:
    """What is known of a token: its name, and when it was made and expires, in whole seconds since 1970."""

    name: str
    created: int
    expires: int


class Tokens:
    """The tokens of a store, by their names. Every method may raise :class:`.StoreError`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def make(self, name: str, days: int, now: int) -> str:
        """A new token, which is told here and nowhere else.

        Raises
        ------
        InputError : a name that cannot be one or is taken by a token that still opens, or such days.
        """
        if not name.strip() or len(name) > MOST_NAME or visible(name) != name:
            raise InputError(f"The name {shown(name)} cannot be used; expected 1 to {MOST_NAME} characters.")
        if not 1 <= days <= MOST_DAYS:
            raise InputError(f"A token for {days:,} days cannot be made; expected 1 to {MOST_DAYS:,}.")
        secret = PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
        row = {"token_hash": _hash(secret), "name": name, "created": now, "expires": now + days * DAY}
        with self._store.transaction(writes=True) as connection:
            of_name = TOKENS.c.name == name
            connection.execute(sa.delete(TOKENS).where(of_name, TOKENS.c.expires <= now))
            taken = connection.execute(sa.select(TOKENS.c.name).where(of_name)).first() is not None
            if not taken:
                connection.execute(sa.insert(TOKENS).values(row))
        if taken:
            raise InputError(f"There is a token {shown(name)}. Revoke it first, or choose another name.")
        return secret

    def find(self, secret: str, now: int) -> Token | None:
        """The token; None alike for one that never was, has expired or was revoked.

        Looked up by its hash: how long that takes says nothing about how much of a guess is right.
        """
        if len(secret) > LONGEST:
            return None
        this = TOKENS.c.token_hash == _hash(secret)
        with self._store.transaction() as connection:
            row = connection.execute(sa.select(TOKENS).where(this)).first()
        if row is None or not hmac.compare_digest(row.token_hash, _hash(secret)) or row.expires <= now:
            return None
        return Token(row.name, row.created, row.expires)

    def all(self) -> tuple[Token, ...]:
        """What is known of each, the oldest first, also of those that have expired."""
        columns = (TOKENS.c.name, TOKENS.c.created, TOKENS.c.expires)
        with self._store.transaction() as connection:
            rows = connection.execute(sa.select(*columns).order_by(TOKENS.c.created, TOKENS.c.name)).all()
        return tuple(Token(*row) for row in rows)

    def revoke(self, name: str) -> bool:
        """Delete a token: it opens nothing from now on. False if there is none of that name."""
        with self._store.transaction(writes=True) as connection:
            return bool(connection.execute(sa.delete(TOKENS).where(TOKENS.c.name == name)).rowcount)


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).digest()
