"""The store of shared reports: SQLite in a folder, or PostgreSQL where ``DATABASE_URL`` says so."""

from calibcore.store.database import store_url
from calibcore.store.rows import MOST_TITLE, DamagedError, Share, StoreError
from calibcore.store.shares import Saved, Store, open_store

__all__ = ["MOST_TITLE", "DamagedError", "Saved", "Share", "Store", "StoreError", "open_store", "store_url"]
