"""Make PostgreSQL's event bodies the first partition of a table of the same name.

Nothing is copied or read: it takes the time of its locks. Who writes to `event_body` does not see
the difference.
"""

from alembic import op

from custody.ledger.migrations.partitions import make_partitioned

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        make_partitioned(op.get_bind())
