"""Open exceptions as records of the feed, so that a handheld shows them, and resolves them where
the item is.

A record `task` / `exception:<id>` is there for as long as the exception is open. Its value:
`{"kind", "clause", "items" (at most 50), "more" (how many beyond them), "values", "events"}`. The
events stand beside one another, the one that raised it last, each `{"id", "device", "at", "step",
"place", "by", "saw"}`: `saw` is what its device knew of each item, the id of an event or null.
"""

from __future__ import annotations

from custody.ledger.cache import Value
from custody.ledger.strict import reload
from custody.ledger.work import OPEN_EXCEPTION, Entry, Work
from custody.rules import codes_range

ITEMS = 50
BESIDE = 6  # branches that are shown beside the event that raised it


def opened(work: Work, entry: Entry, id_: str, raised: Value) -> None:
    """Put the record of an exception that an event raises."""
    items = list(raised.get("items") or [])
    values = raised.get("values") or {}
    shown = items[:ITEMS]
    beside = sorted({one for ids in values.get("tips", {}).values() for one in ids})[:BESIDE]
    events = [_told(event, work.get("event", event), shown) for event in beside]
    value = {
        "kind": raised["kind"],
        "clause": raised.get("clause"),
        "items": shown,
        "more": len(items) - len(shown),
        "values": {name: told for name, told in values.items() if name != "tips"},
        "events": [*events, _raising(entry, shown)],
    }
    work.put("task", OPEN_EXCEPTION + id_, value, entry.position)


def again(work: Work, row: Value, position: int) -> None:
    """Put the record of an exception that is open again; `row` is that of its table, with `items`
    (`Work.reopen_exceptions`).
    """
    shown = row["items"][:ITEMS]
    told = reload(row["value"])
    value = {
        "kind": row["kind"],
        "clause": row["clause"],
        "items": shown,
        "more": len(row["items"]) - len(shown),
        "values": {name: one for name, one in told["values"].items() if name != "tips"},
        "events": [_told(row["event"], work.get("event", row["event"]), shown)],
    }
    work.put("task", OPEN_EXCEPTION + row["id"], value, position)


def _raising(entry: Entry, items: list[str]) -> Value:
    told = _told(entry.id, entry.event, items)
    return told if entry.event else {**told, "device": entry.device, "at": entry.received}


def _told(id_: str, event: Value | None, items: list[str]) -> Value:
    """Say what is shown of an event; of one that cannot be read or is not held, its id alone."""
    known = event or {}
    return {
        "id": id_,
        "device": known.get("device"),
        "at": known.get("at"),
        "step": known.get("step"),
        "place": known.get("to") or known.get("where"),
        "by": [one["person"] for one in known.get("by") or [] if "person" in one],
        "saw": codes_range.seen_of(known.get("saw") or {}, items),
    }
