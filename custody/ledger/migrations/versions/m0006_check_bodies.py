"""Check the bound of PostgreSQL's event bodies, while others read and write them."""

from alembic import op

from custody.ledger.migrations.partitions import FIRST

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        op.execute(f"ALTER TABLE event_body VALIDATE CONSTRAINT {FIRST}_bound")
