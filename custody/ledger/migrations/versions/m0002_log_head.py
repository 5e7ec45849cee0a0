"""Where the site's logs stand: the checkpoint signed last, and what contradicts it."""

from alembic import op

from custody.ledger.log.tables import log_head

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    log_head.create(op.get_bind(), checkfirst=True)
