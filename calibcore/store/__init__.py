"""The store of shared reports: SQLite in a folder, or PostgreSQL where ``DATABASE_URL`` says so."""

from calibcore.store.shares import MOST_TITLE, Saved, Share, Store, StoreError, open_store, store_url

__all__ = ["MOST_TITLE", "Saved", "Share", "Store", "StoreError", "open_store", "store_url"]
