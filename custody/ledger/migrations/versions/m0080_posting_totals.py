"""Totals of postings, made by the server as it runs, and indexes for what they leave."""

from alembic import op
from sqlalchemy import TextClause, text

from custody.ledger.migrations.types import big, word

revision = "0080"
down_revision = "0070"

INDEXES = {
    "posting_destroyed": (["position", "kind", "place", "day"], text("term = 'destroyed'")),
    "posting_coupons_at": (["kind", "at", "day"], text("kind = 'coupons'")),
}


def upgrade() -> None:
    for name, (columns, where) in INDEXES.items():
        _index(name, columns, where)
    op.create_table(
        "posting_total",
        *(word(name, key=True) for name in ("span", "period", "kind", "place", "term", "design")),
        word("value", key=True),
        big("times"),
        sqlite_with_rowid=False,
    )


def _index(name: str, columns: list[str], where: TextClause) -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.create_index(name, "posting", columns, sqlite_where=where)
        return
    with op.get_context().autocommit_block():  # which lets others write meanwhile
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        op.create_index(
            *(name, "posting", columns), postgresql_where=where, postgresql_concurrently=True
        )
