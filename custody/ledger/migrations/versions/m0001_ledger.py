"""The log, the master data, the projections, and what desk and devices need."""

from alembic import op
from sqlmodel import SQLModel

from custody.ledger.migrations.triggers import make_append_only
from custody.ledger.tables import APPEND_ONLY

revision = "0001"
down_revision = None


def upgrade() -> None:
    SQLModel.metadata.create_all(op.get_bind())
    for table in APPEND_ONLY:
        make_append_only(op.get_bind(), table.name)
