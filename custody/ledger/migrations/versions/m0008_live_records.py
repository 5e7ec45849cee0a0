"""An index of what is in the replicas, so that what is over does not slow them down."""

from alembic import op
from sqlalchemy import text

revision = "0008"
down_revision = "0007"
COLUMNS = ["of", "id", "etag"]


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.create_index("record_live", "record", COLUMNS, sqlite_where=text("live = 1"))
        return
    with op.get_context().autocommit_block():  # which lets others write meanwhile
        op.execute("DROP INDEX CONCURRENTLY IF EXISTS record_live")  # a try that was broken off
        op.create_index(
            *("record_live", "record", COLUMNS),
            postgresql_where=text("live"),
            postgresql_concurrently=True,
        )
