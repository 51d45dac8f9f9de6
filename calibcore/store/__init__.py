"""The store of shared reports and tokens: SQLite in a folder, or PostgreSQL where ``DATABASE_URL`` says so.

Its parts need packages of the extra ``store``: so they are imported when one of these names is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from calibcore.extras import need

if TYPE_CHECKING:
    from calibcore.store.database import store_url
    from calibcore.store.rows import MOST_TITLE, DamagedError, Share, StoreError
    from calibcore.store.shares import Listed, Saved, Store, open_store
    from calibcore.store.tokens import Token, Tokens

__all__ = [
    "MOST_TITLE",
    "DamagedError",
    "Listed",
    "Saved",
    "Share",
    "Store",
    "StoreError",
    "Token",
    "Tokens",
    "open_store",
    "store_url",
]
_PARTS = {
    "store_url": "database",
    **dict.fromkeys(("Listed", "Saved", "Store", "open_store"), "shares"),
    **dict.fromkeys(("Token", "Tokens"), "tokens"),
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    need("The store of shared reports", "store")
    return getattr(import_module(f"{__name__}.{_PARTS.get(name, 'rows')}"), name)
