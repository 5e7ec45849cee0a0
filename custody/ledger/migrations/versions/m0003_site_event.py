"""Events that stand in no item's history: counts, requisitions. `custody rebuild` fills it in."""

from alembic import op

from custody.ledger.migrations.types import big, word

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "site_event",
        big("position", key=True),
        word("step"),
        word("kind", null=True),
        word("place", null=True),
    )
    columns = ["step", "kind", "place", "position"]
    op.create_index("site_event_step", "site_event", columns)
