"""Where Alembic gets its connection: the one that :func:`calibcore.store.schema.upgrade` opened."""

from alembic import context

from calibcore.store.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
