"""Expand: say of PostgreSQL's event bodies which positions they have, not yet checked.

With the check made (0006), the table becomes a partition (0007) without being read meanwhile. What
the database is stays what it is: its id, site and origin are never changed.
"""

from alembic import op

from custody.ledger.migrations.partitions import FIRST, bound
from custody.ledger.migrations.triggers import keep_rows

revision = "0005"
down_revision = "0004"
KEPT = ("database", "site", "origin")


def upgrade() -> None:
    connection = op.get_bind()
    keep_rows(connection, "meta", "key", KEPT)
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql(
            f"ALTER TABLE event_body ADD CONSTRAINT {FIRST}_bound "
            f"CHECK (position >= 0 AND position < {bound(connection)}) NOT VALID"
        )
