"""Which version of the app each device runs, and since when."""

from alembic import op

from custody.ledger.migrations.types import big, word

revision = "0060"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "device_app",
        word("device", key=True),
        big("since", key=True),
        word("app"),
        word("rulebook"),
    )
