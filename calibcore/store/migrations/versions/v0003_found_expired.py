"""When a report was first found expired, so that a clock that is wrong for a while deletes nothing."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """A table of its own: to change a report's row would write all of it anew."""
    op.create_table(
        "expired",
        sa.Column("token_hash", sa.LargeBinary(32), primary_key=True),
        sa.Column("found", sa.BigInteger, nullable=False),
    )
