"""An index by which an event's items are found: for corrections, disputes and past instants."""

from alembic import op

revision = "0020"
down_revision = "0010"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.create_index("event_item_position", "event_item", ["position"])
        return
    with op.get_context().autocommit_block():  # which lets others write meanwhile
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS event_item_position")
        op.create_index(
            "event_item_position", "event_item", ["position"], postgresql_concurrently=True
        )
