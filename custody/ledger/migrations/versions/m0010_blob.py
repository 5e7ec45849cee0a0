"""Which pictures have come, what they are, and from which device."""

from alembic import op
from sqlalchemy import Column, Integer

from custody.ledger.migrations.types import big, word

revision = "0010"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "blob",
        word("name", key=True),
        Column("bytes", Integer, nullable=False),
        word("media", null=True),
        Column("width", Integer),
        Column("height", Integer),
        word("problem", null=True),
        word("device"),
        big("received"),
        big("relayed", null=True),
    )
    op.create_index("blob_device", "blob", ["device", "received"])
    op.create_index("blob_relayed", "blob", ["relayed", "received"])
