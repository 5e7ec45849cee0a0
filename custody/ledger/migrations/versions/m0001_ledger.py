"""The log, the master data, the projections, and what desk and devices need."""

from alembic import op
from sqlalchemy import Boolean, Column, LargeBinary, UniqueConstraint

from custody.ledger.migrations.triggers import make_append_only
from custody.ledger.migrations.types import big, text, whole, word

revision = "0001"
down_revision = None
APPEND_ONLY = ("event", "event_body", "signature", "branch", "master", "device_key", "contact")


def upgrade() -> None:
    create_log()
    create_projections()
    create_desk()
    for name in APPEND_ONLY:
        make_append_only(op.get_bind(), name)


def create_log() -> None:
    """What is only ever added to."""
    op.create_table(
        "event",
        big("position", key=True),
        word("id"),
        word("device"),
        whole("run"),
        whole("branch"),
        whole("seq"),
        big("received"),
        word("leaf"),
        UniqueConstraint("device", "run", "branch", "seq"),
    )
    op.create_index("ix_event_id", "event", ["id"])
    op.create_table(
        "event_body", big("position", key=True), Column("body", LargeBinary, nullable=False)
    )
    op.create_table(
        "signature",
        word("device", key=True),
        whole("run", key=True),
        whole("branch", key=True),
        whole("last", key=True),
        word("head"),
        word("sig"),
    )
    op.create_table(
        "branch",
        word("device", key=True),
        whole("run", key=True),
        whole("branch", key=True),
        whole("parent"),
        whole("first"),
    )
    op.create_table(
        "master",
        word("of", key=True),
        word("id", key=True),
        big("since_position", key=True),
        text("value", null=True),
    )
    op.create_table(
        "device_key",
        word("device", key=True),
        whole("run", key=True),
        big("since_position"),
        text("jwk"),
    )
    op.create_table("contact", word("device", key=True), big("at", key=True), big("since_position"))


def create_projections() -> None:
    """What `custody rebuild` makes again."""
    op.create_table(
        "record",
        word("of", key=True),
        word("id", key=True),
        text("value", null=True),
        word("etag", null=True),
        Column("live", Boolean, nullable=False),
        big("changed"),
        word("kind", null=True),
        word("state", null=True),
        word("place", null=True),
        word("container", null=True),
        word("holder", null=True),
    )
    op.create_index("ix_record_container", "record", ["container"])
    op.create_index("ix_record_holder", "record", ["holder"])
    op.create_index("record_changed", "record", ["changed", "of", "id"])
    op.create_index("record_kind", "record", ["kind", "state"])
    op.create_index("record_place", "record", ["place", "id"])
    op.create_table(
        "item_tip",
        word("code", key=True),
        whole("line", key=True),
        word("event"),
        text("value", null=True),
    )
    op.create_table(
        "event_item",
        word("code", key=True),
        big("position", key=True),
        word("parent", null=True),
        Column("apart", Boolean, nullable=False),
    )
    op.create_table(
        "posting",
        big("position", key=True),
        whole("line", key=True),
        big("at"),
        word("day"),
        word("kind"),
        word("place", null=True),
        word("term"),
        word("design", null=True),
        text("value"),
    )
    op.create_index("ix_posting_place", "posting", ["place"])
    op.create_index("posting_sum", "posting", ["kind", "day", "term"])
    op.create_table(
        "exception",
        word("id", key=True),
        word("kind"),
        word("clause", null=True),
        big("position"),
        word("event"),
        word("device"),
        whole("run"),
        whole("branch"),
        whole("seq"),
        text("value"),
        big("resolved", null=True),
    )
    op.create_index("exception_chain", "exception", ["device", "run", "branch", "seq"])
    op.create_index("ix_exception_kind", "exception", ["kind"])
    op.create_index("ix_exception_position", "exception", ["position"])
    op.create_index("ix_exception_resolved", "exception", ["resolved"])
    op.create_table("exception_item", word("code", key=True), word("exception", key=True))
    op.create_index("ix_exception_item_exception", "exception_item", ["exception"])
    op.create_table("seal", word("seal", key=True), word("code", key=True))
    op.create_table(
        "head",
        word("device", key=True),
        whole("run", key=True),
        whole("branch", key=True),
        whole("parent"),
        whole("first"),
        whole("seq"),
        word("id"),
        big("at", null=True),
        big("mono", null=True),
        word("boot", null=True),
    )


def create_desk() -> None:
    """What is neither: codes, tokens, accounts and sessions."""
    op.create_table("meta", word("key", key=True), text("value"))
    op.create_table(
        "enrolment_code",
        word("hash", key=True),
        big("expires"),
        word("issued_by", null=True),
        big("used", null=True),
    )
    op.create_table("token_seen", word("device", key=True), word("jti", key=True), big("expires"))
    op.create_index("ix_token_seen_expires", "token_seen", ["expires"])
    op.create_table(
        "account",
        word("user", key=True),
        word("person"),
        text("password", null=True),
        Column("active", Boolean, nullable=False),
        big("changed"),
    )
    op.create_index("ix_account_person", "account", ["person"])
    op.create_table(
        "link", word("hash", key=True), word("user"), big("expires"), big("used", null=True)
    )
    op.create_index("ix_link_user", "link", ["user"])
    op.create_table(
        "session", word("hash", key=True), word("user"), big("started"), big("seen"), big("expires")
    )
    op.create_index("ix_session_expires", "session", ["expires"])
    op.create_index("ix_session_user", "session", ["user"])
    op.create_table("attempt", word("subject", key=True), whole("tries"), big("last"))
