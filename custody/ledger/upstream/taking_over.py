"""A site node takes over what its upstream told, but never over what it has yet to relay."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from custody.ledger import append, desk, rows, tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.devices import REVOKED
from custody.ledger.masterdata import Change, digest, write_versions
from custody.ledger.projecting import ADMINISTER
from custody.ledger.strict import dumps, reload
from custody.ledger.upstream import joining
from custody.ledger.upstream.applying import EXCEPTION, ITEM
from custody.ledger.upstream.introducing import run_key
from custody.ledger.upstream.joining import Joined
from custody.ledger.upstream.names import NODE
from custody.ledger.work import Work

WHAT = "upstream"  # the administrative act, as the event names it


NOTHING: dict[str, Any] = {}


class Page(NamedTuple):
    """Some of what the upstream told.

    An item's change has `{"value", "tips"}`, an exception's what `telling` says of it. `keys` are
    `{"device", "run", "key"}`. Every event below position `relayed` was held upstream before this
    was asked for. `then` is how far the node is, once all of this is taken over; `asked` how far it
    was when it asked.
    """

    changes: list[Change]
    keys: list[Value]
    relayed: int
    then: dict[str, Any]
    asked: dict[str, Any] = NOTHING


def take_over(ledger: Ledger, page: Page) -> bool:
    """Take over a page, in one transaction. Returns whether all of it was taken.

    A record that an event changed which the upstream may not hold yet is left as it is: the page
    is to be asked for again when that event has been relayed. So is a page that another process of
    this node was quicker to take over: what it says may be of before.
    """
    with ledger.database.writing() as connection:
        work = Work(connection)
        joined = joining.read(connection)
        assert joined is not None
        if any(getattr(joined, name) != value for name, value in page.asked.items()):
            return False
        ours = pending(connection, page.relayed)
        kept_back = [one for one in page.changes if (one.of, one.id) in ours]
        since = joined.since
        taken = [c for c in page.changes if (c.of, c.id) not in ours and _is_news(work, c, since)]
        _add_keys(connection, page.keys)
        if taken:
            append_told(ledger, work, joined, taken)
        if not kept_back:
            joining.write(connection, joined._replace(**page.then))
        work.flush()
    return not kept_back


def pending(connection: Connection, relayed: int) -> set[tuple[str, str]]:
    """Return the records that events from a position on have changed, the told ones apart."""
    record, event = tables.record.c, tables.event.c
    query = (
        select(record.of, record.id)
        .join(tables.event, event.position == record.changed)
        .where(record.changed >= relayed, event.device != NODE)
    )
    return {(of, id_) for of, id_ in connection.execute(query)}


def scope(connection: Connection) -> dict[tuple[str, str], str]:
    """Return the records that the changes feed tells of, each with its etag."""
    table = tables.record.c
    query = select(table.of, table.id, table.etag).where(table.live)
    return {(row.of, row.id): row.etag for row in connection.execute(query)}


def _is_news(work: Work, change: Change, since: int) -> bool:
    if change.of == EXCEPTION:
        return _is_news_of_exception(work.connection, change, since)
    known = work.get(change.of, change.id)
    if change.of == ITEM:
        return known != (change.value or {}).get("value")
    if change.of == "device" and (known or {}).get("state") == REVOKED:
        return (change.value or {}).get("state") == REVOKED and known != change.value
    return known != change.value


def _is_news_of_exception(connection: Connection, change: Change, since: int) -> bool:
    """Say whether an exception is to be written down: not one that ended before it was heard of."""
    last = _last_told(connection, change, since)
    if last is not None or not (change.value or {}).get("resolved"):
        return last != change.value
    table = tables.exception.c
    return connection.scalar(select(table.id).where(table.id == change.id)) is not None


def _last_told(connection: Connection, change: Change, since: int) -> Value | None:
    table = tables.master.c
    query = select(table.value).where(table.of == change.of, table.id == change.id)
    query = query.where(table.since_position >= since)
    text = connection.scalar(query.order_by(table.since_position.desc()).limit(1))
    return None if text is None else reload(text)


def append_told(ledger: Ledger, work: Work, joined: Joined, changes: list[Change]) -> None:
    """Write changes down as one event of the device `upstream`, from which they hold."""
    write_versions(work, append.log_size(work.connection), changes)
    told = digest({f"{one.of} {one.id}": one.value for one in changes})
    fields = {"what": WHAT, "subject": joined.device, "before": None, "after": told}
    draft = {"step": ADMINISTER, "with": fields}
    desk.append_draft(ledger, work, draft, [], joining.signer(ledger, joined))


def _add_keys(connection: Connection, told: list[Value]) -> None:
    position = append.log_size(connection)
    added = [
        {"device": one["device"], "run": one["run"], "jwk": dumps(one["key"])}
        for one in told
        if one["device"] != NODE and run_key(connection, one["device"], one["run"]) is None
    ]
    rows.insert(
        connection, tables.device_key, [{**one, "since_position": position} for one in added]
    )


def open_exceptions(connection: Connection, below: int) -> set[str]:
    """Return the open exceptions that events below a position of this log raised."""
    table = tables.exception.c
    query = select(table.id).where(table.position < below, table.resolved.is_(None))
    return set(connection.scalars(query))


def told_exceptions(connection: Connection, ids: set[str], since: int) -> set[str]:
    """Return those of some exceptions that the upstream has told of from a position on."""
    table = tables.master.c
    found: set[str] = set()
    for some in rows.chunks(sorted(ids)):
        query = select(table.id).where(table.of == EXCEPTION, table.id.in_(some))
        found |= set(connection.scalars(query.where(table.since_position >= since)))
    return found
