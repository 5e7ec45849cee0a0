"""Ids of events are found by blocks of positions (`custody.ledger.identities`)."""

from alembic import op
from sqlalchemy import text

revision = "0090"
down_revision = "0080"

NAME, BEFORE = "event_block_id", "ix_event_id"
COLUMNS = [text("(position >> 15)"), text("substr(id, 1, 8)")]


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.create_index(NAME, "event", COLUMNS)
        op.drop_index(BEFORE, "event")
        return
    with op.get_context().autocommit_block():  # which lets others write meanwhile
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {NAME}")
        op.create_index(NAME, "event", COLUMNS, postgresql_concurrently=True)
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {BEFORE}")
