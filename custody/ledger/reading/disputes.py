"""The sides of a concurrent claim: what each says of the item, and what its device knew when it
wrote.
"""

from __future__ import annotations

from sqlalchemy import Connection

from custody.ledger import identities
from custody.ledger.cache import Value
from custody.ledger.contacts import Contacts
from custody.ledger.core import DESK, Ledger
from custody.ledger.reading import entries
from custody.ledger.reading.asof import THEN, AsOf, Moment
from custody.rules import context, refold
from custody.rules.exception_kinds import CLAIM


def of_exception(ledger: Ledger, exception: Value) -> list[Value]:
    """Return the claims that met: `[{"codes": [...], "sides": [side, side, ...]}, ...]`.

    Items with the same sides (an envelope and what is in it) are told once. A side is `{"tip",
    "first", "value", "entries"}`: the state to which it led when they met, and the events that only
    it has, each with `knew` (`knowledge`). The side that was logged first comes first. [] for an
    exception of another kind.
    """
    if exception["kind"] != CLAIM:
        return []
    with ledger.database.reading() as connection:
        position = exception["position"] + 1
        facts = AsOf(connection, Moment(0, THEN, position, position))
        groups: dict[tuple[str, ...], list[str]] = {}
        for code in sorted(exception["values"].get("tips", {})):
            for one in facts.meant(code)[:1]:
                groups.setdefault(tuple(facts.tips_then(one)), []).append(one)
        return [_claim(facts, codes, tips) for tips, codes in groups.items() if len(tips) > 1]


def _claim(facts: AsOf, codes: list[str], tips: tuple[str, ...]) -> Value:
    code = codes[0]
    paths = [refold.path(facts, code, tip) for tip in tips]
    shared = set(paths[0]).intersection(*paths[1:])
    own = {id_ for path in paths for id_ in path if id_ not in shared}
    found = {one["id"]: one for one in _entries(facts.connection, own)}
    sides = [
        {
            "tip": tip,
            "first": number == 0,
            "value": facts.value(code, tip),
            "entries": [
                {**found[id_], "knew": knowledge(facts, code, found[id_])}
                for id_ in path
                if id_ in found
            ],
        }
        for number, (tip, path) in enumerate(zip(tips, paths, strict=True))
    ]
    return {"codes": codes, "sides": sides}


def _entries(connection: Connection, ids: set[str]) -> list[Value]:
    return entries.at_positions(connection, identities.all_of(connection, ids))


def knowledge(facts: AsOf, code: str, entry: Value) -> Value:
    """Return what a device knew of an item when it wrote an event.

    `{"saw": entry or None, "missed": n, "head": seq, "contact": ms or None, "off": ms or None}`:
    the event that it took for the item's last; how many others of the item the log held by the time
    this one came; the event of its own chain before it; when it was last in touch; how far its
    clock was from the server's as it reckoned it (ahead is positive).
    """
    event = entry["event"] or {}
    saw = facts.parent(code, entry["id"])
    known = _entries(facts.connection, {saw}) if saw else []
    behind = known[0]["position"] if known else -1
    between = [n for n in facts.history(code) if behind < n.position < entry["position"]]
    return {
        "saw": known[0] if known else None,
        "missed": len([one for one in between if one.parent == saw or saw is None]),
        "head": entry["seq"] - 1,
        "contact": _contact(facts.connection, entry),
        "off": None if event.get("server") is None else event["at"] - event["server"],
    }


def _contact(connection: Connection, entry: Value) -> int | None:
    if entry["device"] == DESK or entry["event"] is None:
        return None
    moment = min(context.effective(entry["event"]), entry["received"])
    return Contacts(connection, entry["device"]).before(moment, entry["position"])
