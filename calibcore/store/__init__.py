"""The store of shared reports: SQLite in a folder, or PostgreSQL where ``DATABASE_URL`` says so."""

from calibcore.store.shares import Saved, Share, Store, StoreError, open_store, store_url

__all__ = ["Saved", "Share", "Store", "StoreError", "open_store", "store_url"]
