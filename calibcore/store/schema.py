"""The tables of the store, and how an older store becomes a present one."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

METADATA = sa.MetaData()
SHARES = sa.Table(
    "shares",
    METADATA,
    sa.Column("token_hash", sa.LargeBinary(32), primary_key=True),
    sa.Column("key_hash", sa.LargeBinary(32), nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False, index=True),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("document", sa.Text, nullable=False),
    sa.Column("page", sa.LargeBinary, nullable=False),
)
"""Times are whole seconds since 1970, UTC; ``page`` is HTML, compressed by zlib; of secrets only SHA-256."""
EXPIRED = sa.Table(
    "expired",
    METADATA,
    sa.Column("token_hash", sa.LargeBinary(32), primary_key=True),
    sa.Column("found", sa.BigInteger, nullable=False),
)
"""When a report was first found expired."""
TOKENS = sa.Table(
    "tokens",
    METADATA,
    sa.Column("token_hash", sa.LargeBinary(32), primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
)
"""What programs come in with, under a name that people gave it; of the token itself only SHA-256."""

_UPGRADE_LOCK = 0x43414C49  # of PostgreSQL; with SQLite the transaction itself locks


class TooNewError(Exception):
    """The store was written by a later version."""


def upgrade(connection: sa.Connection) -> None:
    """Bring the schema to the present version, within the connection's transaction.

    Two processes that start at once wait for each other.

    Raises
    ------
    TooNewError : the store has a version that this program does not know.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    script = ScriptDirectory.from_config(config)
    current = MigrationContext.configure(connection).get_current_revision()
    known = {revision.revision for revision in script.walk_revisions()}
    if current is not None and current not in known:
        raise TooNewError(current)
    if current != script.get_current_head():
        command.upgrade(config, "head")
