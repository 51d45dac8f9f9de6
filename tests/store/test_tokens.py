"""Tokens of programs: told once, found by nothing but themselves, gone when they expire or are revoked."""

import pytest
import sqlalchemy as sa

from calibcore.errors import InputError
from calibcore.store import Store, Token, Tokens
from calibcore.store.schema import TOKENS
from calibcore.store.tokens import DAY, MOST_DAYS
from tests.store.stores import server, store  # noqa: F401 (fixtures)


@pytest.fixture
def tokens(store: Store) -> Tokens:  # noqa: F811
    with store._engine.begin() as connection:
        connection.execute(sa.delete(TOKENS))
    return Tokens(store)


def test_a_token_is_found_until_it_expires_or_is_revoked(tokens: Tokens, store: Store) -> None:  # noqa: F811
    secret, other = tokens.make("nightly", 2, 1_000), tokens.make("Ödön 葡萄", MOST_DAYS, 1_001)
    assert secret.startswith("caliblens_")
    assert len(secret) >= 53
    assert tokens.find(secret, 1_000) == Token("nightly", 1_000, 1_000 + 2 * DAY)
    assert tokens.find(secret, 999 + 2 * DAY) is not None
    assert tokens.find(secret, 1_000 + 2 * DAY) is None
    assert [token.name for token in tokens.all()] == ["nightly", "Ödön 葡萄"]
    with store._engine.connect() as connection:
        stored = repr(connection.execute(sa.select(TOKENS)).all())
    assert secret not in stored
    assert tokens.revoke("nightly")
    assert not tokens.revoke("nightly")
    assert tokens.find(secret, 1_000) is None
    assert tokens.find(other, 1_001) is not None


def test_guesses_find_nothing(tokens: Tokens) -> None:
    secret = tokens.make("ci", 1, 0)
    for guess in ("", secret[:-1], secret + "=", secret.swapcase(), f" {secret}", "\ud800", "x" * 10_000_000):
        assert tokens.find(guess, 1) is None


def test_a_name_stands_for_one_token_that_opens(tokens: Tokens) -> None:
    tokens.make("ci", 1, 0)
    with pytest.raises(InputError, match="There is a token 'ci'"):
        tokens.make("ci", 1, DAY - 1)
    assert tokens.find(tokens.make("ci", 1, DAY), DAY) is not None  # the first has expired
    assert len(tokens.all()) == 1


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\nb", "\x1b[2J"])
def test_names_that_cannot_be_shown_are_refused(tokens: Tokens, name: str) -> None:
    with pytest.raises(InputError, match="expected 1 to 60 characters"):
        tokens.make(name, 1, 0)


@pytest.mark.parametrize("days", [0, -1, MOST_DAYS + 1])
@pytest.mark.some(2)
def test_days_are_bounded(tokens: Tokens, days: int) -> None:
    with pytest.raises(InputError, match="expected 1 to 3,650"):
        tokens.make("ci", days, 0)
