"""Totals of postings, made by the server as it runs, and an index of the destruction log."""

from alembic import op
from sqlalchemy import text

from custody.ledger.migrations.types import big, word

revision = "0080"
down_revision = "0070"

DESTROYED = text("term = 'destroyed'")
INDEX = ("posting_destroyed", "posting", ["position", "kind", "place", "day"])


def upgrade() -> None:
    _index()
    op.create_table(
        "posting_total",
        *(word(name, key=True) for name in ("span", "period", "kind", "place", "term", "design")),
        word("value", key=True),
        big("times"),
        sqlite_with_rowid=False,
    )


def _index() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.create_index(*INDEX, sqlite_where=DESTROYED)
        return
    with op.get_context().autocommit_block():  # which lets others write meanwhile
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS posting_destroyed")
        op.create_index(*INDEX, postgresql_where=DESTROYED, postgresql_concurrently=True)
