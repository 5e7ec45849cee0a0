"""The tables of the ledger: the log, the master data it is judged by, and what can be rebuilt.

Three groups, in this order. *Log and master*: append-only, the database itself refuses UPDATE and
DELETE (`APPEND_ONLY`). *Projections*: functions of the first group, dropped and made again by
`custody rebuild` (`PROJECTIONS`, and `posting_total`, which follows behind). *Desk and devices*:
what is neither, such as sessions.
Times are UTC milliseconds; hashes lowercase hex; `value` columns hold compact JSON.
"""

from __future__ import annotations

from typing import ClassVar

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, String, Table, Text
from sqlalchemy import UniqueConstraint as Unique
from sqlalchemy import text as sql
from sqlmodel import Field, SQLModel

BIG = BigInteger().with_variant(Integer, "sqlite")  # INTEGER is what makes SQLite's row id
# What the index of events by id is made of (`identities`), as expressions of SQL.
BLOCK = "position >> 15"  # 32,768 positions
WORD_SIZE = 8
WORD_OF_ID = f"substr(id, 1, {WORD_SIZE})"
WORD = String().with_variant(String(collation="C"), "postgresql")  # ordered by bytes on both


def big(*, key: bool = False, null: bool = False, index: bool = False) -> Column[int]:
    return Column(BIG, primary_key=key, nullable=null, index=index, autoincrement=False)


def word(*, key: bool = False, null: bool = False, index: bool = False) -> Column[str]:
    return Column(WORD, primary_key=key, nullable=null, index=index)


def text(*, null: bool = False) -> Column[str]:
    return Column(Text, nullable=null)


# --- log and master: append-only -----------------------------------------------------------------


class Event(SQLModel, table=True):
    """The keys of one event. `leaf` is the RFC 6962 leaf hash at index `position`.

    `id` is not unique: two devices may send the same unreadable bytes, and both must be kept.
    Its index is by blocks of positions: `identities`.
    """

    __tablename__: ClassVar[str] = "event"
    __table_args__ = (
        Unique("device", "run", "branch", "seq"),
        Index("event_block_id", sql(f"({BLOCK})"), sql(WORD_OF_ID)),
    )
    position: int = Field(sa_column=big(key=True))
    id: str = Field(sa_column=word())
    device: str = Field(sa_column=word())
    run: int
    branch: int
    seq: int
    received: int = Field(sa_column=big())
    leaf: str = Field(sa_column=word())


class EventBody(SQLModel, table=True):
    """The exact bytes of an event's line. Apart from the keys, so that it can be partitioned."""

    __tablename__: ClassVar[str] = "event_body"
    position: int = Field(sa_column=big(key=True))
    body: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class Signature(SQLModel, table=True):
    """One push's signature: with the chain it covers all events of the branch up to `last`."""

    __tablename__: ClassVar[str] = "signature"
    device: str = Field(sa_column=word(key=True))
    run: int = Field(primary_key=True)
    branch: int = Field(primary_key=True)
    last: int = Field(primary_key=True)
    head: str = Field(sa_column=word())
    sig: str = Field(sa_column=word())


class Branch(SQLModel, table=True):
    """Where a branch of a run starts: branch 2 and up leave branch `parent` at seq `first`."""

    __tablename__: ClassVar[str] = "branch"
    device: str = Field(sa_column=word(key=True))
    run: int = Field(primary_key=True)
    branch: int = Field(primary_key=True)
    parent: int
    first: int


class Master(SQLModel, table=True):
    """A version of a master record, holding from the log position of the act that made it."""

    __tablename__: ClassVar[str] = "master"
    of: str = Field(sa_column=word(key=True))
    id: str = Field(sa_column=word(key=True))
    since_position: int = Field(sa_column=big(key=True))
    value: str | None = Field(sa_column=text(null=True))


class DeviceKey(SQLModel, table=True):
    """The public key (JWK) of one run of a device."""

    __tablename__: ClassVar[str] = "device_key"
    device: str = Field(sa_column=word(key=True))
    run: int = Field(primary_key=True)
    since_position: int = Field(sa_column=big())
    jwk: str = Field(sa_column=text())


class Contact(SQLModel, table=True):
    """When a device was in touch (to ten minutes): what its sign-on leases are counted from."""

    __tablename__: ClassVar[str] = "contact"
    device: str = Field(sa_column=word(key=True))
    at: int = Field(sa_column=big(key=True))
    since_position: int = Field(sa_column=big())


# --- projections ---------------------------------------------------------------------------------


class Record(SQLModel, table=True):
    """The current value of `(of, id)`, as the changes feed carries it. `value` null: forgotten.

    `changed` is the position of the event that changed it last; the other columns are for finding.
    """

    __tablename__: ClassVar[str] = "record"
    __table_args__ = (
        Index("record_changed", "changed", "of", "id"),
        Index("record_place", "place", "id"),
        Index("record_kind_id", "kind", "id"),
        Index("record_kind_state_id", "kind", "state", "id"),
        Index(
            *("record_live", "of", "id", "etag"),
            sqlite_where=sql("live = 1"),
            postgresql_where=sql("live"),
        ),
    )
    of: str = Field(sa_column=word(key=True))
    id: str = Field(sa_column=word(key=True))
    value: str | None = Field(sa_column=text(null=True))
    etag: str | None = Field(sa_column=word(null=True))
    live: bool
    changed: int = Field(sa_column=big())
    kind: str | None = Field(sa_column=word(null=True))
    state: str | None = Field(sa_column=word(null=True))
    place: str | None = Field(sa_column=word(null=True))
    container: str | None = Field(sa_column=word(null=True, index=True))
    holder: str | None = Field(sa_column=word(null=True, index=True))


class ItemTip(SQLModel, table=True):
    """One end of an item's history; one without a dispute has just `line` 0, the first logged.

    `value` is null on line 0: there it is the record's own.
    """

    __tablename__: ClassVar[str] = "item_tip"
    code: str = Field(sa_column=word(key=True))
    line: int = Field(primary_key=True)
    event: str = Field(sa_column=word())
    value: str | None = Field(sa_column=text(null=True))


class EventItem(SQLModel, table=True):
    """Which events are in an item's history, and which one each continued.

    `apart`: kept, but not taken into the item's state.
    """

    __tablename__: ClassVar[str] = "event_item"
    __table_args__ = (Index("event_item_position", "position"),)
    code: str = Field(sa_column=word(key=True))
    position: int = Field(sa_column=big(key=True))
    parent: str | None = Field(sa_column=word(null=True))
    apart: bool


class SiteEvent(SQLModel, table=True):
    """An event of the site rather than of an item: a count, a requisition, a report of no item.

    It stands in no item's history, so it is found here.
    """

    __tablename__: ClassVar[str] = "site_event"
    __table_args__ = (Index("site_event_step", "step", "kind", "place", "position"),)
    position: int = Field(sa_column=big(key=True))
    step: str = Field(sa_column=word())
    kind: str | None = Field(sa_column=word(null=True))
    place: str | None = Field(sa_column=word(null=True))


class Posting(SQLModel, table=True):
    """A line of the stock ledger; `units` is JSON with signed whole numbers by unit."""

    __tablename__: ClassVar[str] = "posting"
    __table_args__ = (
        Index("posting_sum", "kind", "day", "term"),
        Index(
            *("posting_destroyed", "position", "kind", "place", "day"),
            sqlite_where=sql("term = 'destroyed'"),
            postgresql_where=sql("term = 'destroyed'"),
        ),
        Index(
            *("posting_coupons_at", "kind", "at", "day"),
            sqlite_where=sql("kind = 'coupons'"),
            postgresql_where=sql("kind = 'coupons'"),
        ),
    )
    position: int = Field(sa_column=big(key=True))
    line: int = Field(primary_key=True)
    at: int = Field(sa_column=big())
    day: str = Field(sa_column=word())
    kind: str = Field(sa_column=word())
    place: str | None = Field(sa_column=word(null=True, index=True))
    term: str = Field(sa_column=word())
    design: str | None = Field(sa_column=word(null=True))
    value: str = Field(sa_column=text())


class PostingTotal(SQLModel, table=True):
    """How many equal postings a span has (`totals`): a gaming day, a month or year, or a block of
    log positions; "" where a posting has no place or no design.
    """

    __tablename__: ClassVar[str] = "posting_total"
    __table_args__ = ({"sqlite_with_rowid": False},)
    span: str = Field(sa_column=word(key=True))
    period: str = Field(sa_column=word(key=True))
    kind: str = Field(sa_column=word(key=True))
    place: str = Field(sa_column=word(key=True))
    term: str = Field(sa_column=word(key=True))
    design: str = Field(sa_column=word(key=True))
    value: str = Field(sa_column=word(key=True))
    times: int = Field(sa_column=big())


class Raised(SQLModel, table=True):
    """A fact that breaks a rule or contradicts another: open until an event has `resolved` it."""

    __tablename__: ClassVar[str] = "exception"
    __table_args__ = (Index("exception_chain", "device", "run", "branch", "seq"),)
    id: str = Field(sa_column=word(key=True))
    kind: str = Field(sa_column=word(index=True))
    clause: str | None = Field(sa_column=word(null=True))
    position: int = Field(sa_column=big(index=True))
    event: str = Field(sa_column=word())
    device: str = Field(sa_column=word())
    run: int
    branch: int
    seq: int
    value: str = Field(sa_column=text())
    resolved: int | None = Field(sa_column=big(null=True, index=True))


class RaisedItem(SQLModel, table=True):
    """The items that an exception is about."""

    __tablename__: ClassVar[str] = "exception_item"
    code: str = Field(sa_column=word(key=True))
    exception: str = Field(sa_column=word(key=True, index=True))


class Seal(SQLModel, table=True):
    """Which envelopes carry or carried a seal."""

    __tablename__: ClassVar[str] = "seal"
    seal: str = Field(sa_column=word(key=True))
    code: str = Field(sa_column=word(key=True))


class Head(SQLModel, table=True):
    """The last event of a branch of a run, and the clock marks of its last readable one."""

    __tablename__: ClassVar[str] = "head"
    device: str = Field(sa_column=word(key=True))
    run: int = Field(primary_key=True)
    branch: int = Field(primary_key=True)
    parent: int
    first: int
    seq: int
    id: str = Field(sa_column=word())
    at: int | None = Field(sa_column=big(null=True))
    mono: int | None = Field(sa_column=big(null=True))
    boot: str | None = Field(sa_column=word(null=True))


# --- desk and devices ----------------------------------------------------------------------------


class Meta(SQLModel, table=True):
    """What the database knows about itself: `database` (its id), `site`, `origin`."""

    __tablename__: ClassVar[str] = "meta"
    key: str = Field(sa_column=word(key=True))
    value: str = Field(sa_column=text())


class EnrolmentCode(SQLModel, table=True):
    """A one-time code by its SHA-256."""

    __tablename__: ClassVar[str] = "enrolment_code"
    hash: str = Field(sa_column=word(key=True))
    expires: int = Field(sa_column=big())
    issued_by: str | None = Field(sa_column=word(null=True))
    used: int | None = Field(sa_column=big(null=True))


class TokenSeen(SQLModel, table=True):
    """A token's `jti`, kept until the token has expired, so that it serves once."""

    __tablename__: ClassVar[str] = "token_seen"
    device: str = Field(sa_column=word(key=True))
    jti: str = Field(sa_column=word(key=True))
    expires: int = Field(sa_column=big(index=True))


class Blob(SQLModel, table=True):
    """A picture that came, by the SHA-256 of its bytes, which are a file in DATA/blobs.

    `problem` says why it is none (its bytes are not kept then); `relayed` is when a site node's
    upstream had it.
    """

    __tablename__: ClassVar[str] = "blob"
    __table_args__ = (
        Index("blob_device", "device", "received"),
        Index("blob_relayed", "relayed", "received"),
    )
    name: str = Field(sa_column=word(key=True))
    bytes: int
    media: str | None = Field(sa_column=word(null=True))
    width: int | None
    height: int | None
    problem: str | None = Field(sa_column=word(null=True))
    device: str = Field(sa_column=word())
    received: int = Field(sa_column=big())
    relayed: int | None = Field(sa_column=big(null=True))


class DeviceApp(SQLModel, table=True):
    """Which version of the app a device runs since when, and by what rulebook, as it says."""

    __tablename__: ClassVar[str] = "device_app"
    device: str = Field(sa_column=word(key=True))
    since: int = Field(sa_column=big(key=True))
    app: str = Field(sa_column=word())
    rulebook: str = Field(sa_column=word())


class Account(SQLModel, table=True):
    """A desk sign-in: `user` signs in, `person` signs steps. `password` is an argon2id hash."""

    __tablename__: ClassVar[str] = "account"
    user: str = Field(sa_column=word(key=True))
    person: str = Field(sa_column=word(index=True))
    password: str | None = Field(sa_column=text(null=True))
    active: bool
    changed: int = Field(sa_column=big())


class Link(SQLModel, table=True):
    """A one-time link by its token's SHA-256: whoever opens it sets the password of `user`."""

    __tablename__: ClassVar[str] = "link"
    hash: str = Field(sa_column=word(key=True))
    user: str = Field(sa_column=word(index=True))
    expires: int = Field(sa_column=big())
    used: int | None = Field(sa_column=big(null=True))


class Session(SQLModel, table=True):
    """A session by the SHA-256 of its cookie."""

    __tablename__: ClassVar[str] = "session"
    hash: str = Field(sa_column=word(key=True))
    user: str = Field(sa_column=word(index=True))
    started: int = Field(sa_column=big())
    seen: int = Field(sa_column=big())
    expires: int = Field(sa_column=big(index=True))


class Attempt(SQLModel, table=True):
    """Failed tries by `subject` (a name or an address), counted before the password is checked."""

    __tablename__: ClassVar[str] = "attempt"
    subject: str = Field(sa_column=word(key=True))
    tries: int
    last: int = Field(sa_column=big())


def table(name: str) -> Table:
    """Return a table by its name."""
    return SQLModel.metadata.tables[name]


event, event_body, signature = table("event"), table("event_body"), table("signature")
branch = table("branch")
master, device_key, contact = table("master"), table("device_key"), table("contact")
record, item_tip, event_item = table("record"), table("item_tip"), table("event_item")
posting, exception = table("posting"), table("exception")
posting_total = table("posting_total")
site_event = table("site_event")
exception_item, seal, head = table("exception_item"), table("seal"), table("head")
meta, enrolment_code, token_seen = table("meta"), table("enrolment_code"), table("token_seen")
account, link, session = table("account"), table("link"), table("session")
attempt, blob, device_app = table("attempt"), table("blob"), table("device_app")

APPEND_ONLY = (event, event_body, signature, branch, master, device_key, contact)
PROJECTIONS = (
    *(record, item_tip, event_item, site_event, posting),
    *(exception, exception_item, seal, head),
)
