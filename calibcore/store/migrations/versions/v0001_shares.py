"""The first schema: pages as text."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """The table of shares."""
    op.create_table(
        "shares",
        sa.Column("token_hash", sa.LargeBinary(32), primary_key=True),
        sa.Column("key_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("page", sa.Text, nullable=False),
    )
