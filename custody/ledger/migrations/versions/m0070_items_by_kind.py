"""Indexes by which the items of a kind are listed by their codes, of one state or of all."""

from alembic import op

revision = "0070"
down_revision = "0060"

INDEXES = {"record_kind_id": ["kind", "id"], "record_kind_state_id": ["kind", "state", "id"]}


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for name, columns in INDEXES.items():
            op.create_index(name, "record", columns)
        op.drop_index("record_kind", "record")
        return
    with op.get_context().autocommit_block():  # which lets others write meanwhile
        for name, columns in INDEXES.items():
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            op.create_index(name, "record", columns, postgresql_concurrently=True)
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS record_kind")
