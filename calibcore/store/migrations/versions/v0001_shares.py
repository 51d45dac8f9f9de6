"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Shares, and when one was first found expired: a clock that is wrong for a while deletes nothing.

    That is a table of its own: to change a share's row would write its page anew.
    """
    op.create_table(
        "shares",
        sa.Column("token_hash", sa.LargeBinary(32), primary_key=True),
        sa.Column("key_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False, index=True),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("document", sa.Text, nullable=False),
        sa.Column("page", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "expired",
        sa.Column("token_hash", sa.LargeBinary(32), primary_key=True),
        sa.Column("found", sa.BigInteger, nullable=False),
    )
