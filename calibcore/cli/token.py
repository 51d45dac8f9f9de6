"""``caliblens token create NAME``: what a program says to a server on which people sign in."""

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from calibcore import limits
from calibcore.data.outside_text import shown
from calibcore.errors import InputError
from calibcore.extras import need
from calibcore.numerics.progress import Progress

if TYPE_CHECKING:
    from calibcore.store import Tokens

HELP = "tokens of programs that ask a server on which people sign in"
PLACE = 160
EXAMPLES = ("token create nightly --days 30", "token list", "token revoke nightly")

USUAL_DAYS = 90
DAY = 86_400


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Its flags."""
    add = command.add_argument
    add(
        "act",
        metavar="ACT",
        choices=("create", "list", "revoke"),
        help="create one, list what there is, or revoke one: run it where the server keeps its data",
    )
    add("name", metavar="NAME", nargs="?", help="what the token is called, after who uses it")
    add("--days", type=int, metavar="N", help=f"of create: so long it opens ({USUAL_DAYS})")


def run(arguments: argparse.Namespace, _: Progress | None) -> tuple[str, int]:
    """The new token, which is printed here and nowhere else; or the list.

    Raises
    ------
    InputError : a name that is missing, taken or unknown; a store that cannot be reached.
    """
    act, name, days, now = arguments.act, arguments.name, arguments.days, int(time.time())
    if (name is None) is not (act == "list"):
        raise InputError(
            f"Expected token {act} NAME." if name is None else "Expected token list, with no name."
        )
    if days is not None and act != "create":
        raise InputError(f"--days says how long a new token opens; leave it out of token {act}.")
    with _opened() as tokens:
        if act == "create":
            days = USUAL_DAYS if days is None else days
            secret, until = tokens.make(name, days, now), _day(now + days * DAY)
            print(f"The token {shown(name)} opens until {until}. It is shown only now.", file=sys.stderr)
            return secret, 0
        if act == "revoke":
            if not tokens.revoke(name):
                raise InputError(f"There is no token {shown(name)}.")
            return f"The token {shown(name)} opens nothing any more.", 0
        lines = [
            f"{shown(each.name)}, made {_day(each.created)}, "
            f"{'opens until' if each.expires > now else 'expired'} {_day(each.expires)}"
            for each in tokens.all()
        ]
    return "\n".join(lines) or "There are no tokens.", 0


@contextmanager
def _opened() -> "Iterator[Tokens]":
    need("The store of tokens", "store")
    from calibcore.store import StoreError, Tokens, open_store

    try:
        with closing(open_store(limits.SERVER.database_url, limits.SERVER.data)) as store:
            yield Tokens(store)
    except StoreError as error:
        raise InputError(str(error)) from error


def _day(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"
