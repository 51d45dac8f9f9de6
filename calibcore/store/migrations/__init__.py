"""How the schema of the store came to be, step by step (Alembic)."""
