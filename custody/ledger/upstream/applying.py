"""What a site node's ledger makes of what its upstream told: an event like any other.

The device `upstream` of a node signs one event for each page that it takes over, and the values
stand in `master` from that event on. So `custody rebuild` makes the same state again.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from custody.ledger import judging, tables
from custody.ledger.cache import Value, folded
from custody.ledger.strict import dumps, reload
from custody.ledger.upstream.names import CHAIN, NODE, run_id
from custody.ledger.work import OPEN_EXCEPTION, Entry, Work
from custody.rules import days, stock
from custody.rules.exception_kinds import FORK

ITEM, EXCEPTION = "item", "exception"


def is_told(entry: Entry) -> bool:
    """Say whether an event writes down what the upstream told."""
    return entry.device == NODE and entry.event is not None


def is_covered(work: Work, entry: Entry) -> bool:
    """Say whether an event came back from the upstream, whose state has it already.

    A roaming device's run is completed so; its events change nothing here a second time.
    """
    if entry.branch > 1 or entry.device == NODE:
        return False
    known = work.get(CHAIN, run_id(entry.device, entry.run)) or {}
    return entry.seq <= int(known.get("seq", 0))


def apply(work: Work, entry: Entry) -> None:
    """Make what the upstream told by this event the present state."""
    table = tables.master.c
    query = select(table.of, table.id, table.value).where(table.since_position == entry.position)
    moved: list[Value] = []
    for of, id_, text in work.connection.execute(query.order_by(table.of, table.id)).all():
        value = None if text is None else reload(text)
        if of == ITEM:
            moved += _item(work, entry, id_, value or {"value": None, "tips": []})
        elif of == EXCEPTION:
            _exception(work, entry, id_, value or {"resolved": True})
        elif of == CHAIN:
            work.put(of, id_, {**(work.get(of, id_) or {}), **(value or {})}, entry.position)
        else:
            if value is not None and id_.startswith(OPEN_EXCEPTION):
                _open_again(work, id_.removeprefix(OPEN_EXCEPTION))
            work.put(of, id_, value, entry.position)
    for line, posting in enumerate(moved):
        _add_posting(work, entry, line, posting)


def _item(work: Work, entry: Entry, code: str, told: Value) -> list[Value]:
    """Set an item to `{"value", "tips"}`; return its stock's moves as the two values tell them."""
    old, new = work.get(ITEM, code), told["value"]
    work.set_tips(code, [] if new is None else told["tips"])
    work.put(ITEM, code, new, entry.position)
    return _postings(work, entry, folded(old), folded(new), new)


def _postings(
    work: Work, entry: Entry, old: Value | None, new: Value | None, full: Value | None
) -> list[Value]:
    last = ((full or {}).get("history") or [{}])[-1]
    book = judging.book_of(work)
    at = int(last.get("at") or entry.received)
    event = {"at": at, "day": days.gaming_day(book, at), "step": last.get("step")}
    return list(stock.postings(book, old, new, event))


def _add_posting(work: Work, entry: Entry, line: int, posting: Value) -> None:
    names = ("at", "day", "kind", "term")
    row: dict[str, Any] = {name: posting[name] for name in names}
    row |= {"place": posting.get("place"), "design": posting.get("design")}
    value = dumps(posting["units"])
    work.add(tables.posting, position=entry.position, line=line, value=value, **row)


def _exception(work: Work, entry: Entry, id_: str, told: Value) -> None:
    """Open an exception that the upstream raised or opened again, or close one that it has
    resolved or never had. It keeps its id, so that one that is resolved here is resolved upstream.
    """
    if told.get("kind") == FORK:
        _set_apart(work, entry, told)
    known = _known(work, id_)
    if known is None and not told["resolved"]:
        names = ("kind", "clause", "event", "device", "run", "branch", "seq")
        value = dumps({"values": told["values"], "items": told["items"]})
        row = {name: told[name] for name in names}
        row |= {"id": id_, "position": entry.position, "value": value}
        work.raise_exception(row, told["items"])
    elif known is True and not told["resolved"]:
        work.reopen_exceptions([id_])
    elif known is False and told["resolved"]:
        work.close_exceptions([id_], entry.position)


def _open_again(work: Work, id_: str) -> None:
    """Open an exception again that an event closed here and not upstream, where that event was set
    apart: its record says that it is open.
    """
    if _known(work, id_) is True:
        work.reopen_exceptions([id_])


def _set_apart(work: Work, entry: Entry, told: Value) -> None:
    """Note that a run has forked upstream: from here on it is set apart here, too."""
    id_ = run_id(told["device"], told["run"])
    known = work.get(CHAIN, id_) or {}
    first = min(told["seq"], known.get("forked", told["seq"]))
    work.put(CHAIN, id_, {**known, "forked": first}, entry.position)


def _known(work: Work, id_: str) -> bool | None:
    """Say whether an exception is resolved; None where there is none of this id."""
    work.flush()
    table = tables.exception.c
    row = work.connection.execute(select(table.resolved).where(table.id == id_)).one_or_none()
    return None if row is None else row.resolved is not None
