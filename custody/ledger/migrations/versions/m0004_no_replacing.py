"""SQLite removes rows by INSERT OR REPLACE, too: the log refuses that as well."""

from alembic import op

from custody.ledger.migrations.triggers import refuse_replacing

revision = "0004"
down_revision = "0003"

APPEND_ONLY = ("event", "event_body", "signature", "branch", "master", "device_key", "contact")


def upgrade() -> None:
    for name in APPEND_ONLY:
        refuse_replacing(op.get_bind(), name)
