"""What must be true of a ledger whatever happened on the way, by code that knows no rules.

`Claims` is the whole model of concurrency (protocol.md, "Event"): per code the ends of its history,
and one sentence about them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import select

from custody.ledger import tables
from custody.ledger.core import DESK, Ledger
from custody.ledger.rows import raw
from custody.ledger.upstream.names import signed_as


class Stored(NamedTuple):
    """An event of the log, in its order; `event` is None when its line is no JSON object."""

    position: int
    id: str
    device: str
    run: int
    branch: int
    seq: int
    line: bytes

    @property
    def event(self) -> dict[str, Any] | None:
        try:
            found = json.loads(self.line)
        except ValueError:
            return None
        return found if isinstance(found, dict) else None


def stored(ledger: Ledger) -> list[Stored]:
    """Return the log."""
    event, body = tables.event.c, tables.event_body.c
    columns = (event.position, event.id, event.device, event.run, event.branch, event.seq)
    query = select(*columns, body.body).join(tables.event_body, body.position == event.position)
    with ledger.database.reading() as connection:
        rows = connection.execute(query.order_by(event.position)).all()
    return [Stored(*row[:-1], raw(row[-1])) for row in rows]


def raised(ledger: Ledger) -> dict[tuple[str, str, int, int, int], list[tuple[str, list[str]]]]:
    """Return (kind, items) of the exceptions of each event, by (id, device, run, branch, seq)."""
    table = tables.exception.c
    names = (table.event, table.device, table.run, table.branch, table.seq)
    found: dict[Any, list[tuple[str, list[str]]]] = {}
    with ledger.database.reading() as connection:
        for *key, kind, value in connection.execute(select(*names, table.kind, table.value)):
            found.setdefault(tuple(key), []).append((kind, json.loads(value)["items"]))
    return found


class Claims:
    """The ends of each code's history, in the order of the log.

    `torn` are the codes of which an event once came before the one that it continues: a server that
    was restored cannot know better, so of these only that they are flagged is known.
    """

    def __init__(self) -> None:
        self.tips: dict[str, list[str]] = {}
        self.torn: set[str] = set()
        self._known: set[str] = set()

    def take(self, id_: str, event: dict[str, Any]) -> list[str]:
        """Take the next event; return the codes for which it is concurrent."""
        concurrent = [code for code in event["items"] if self._claim(id_, event, code)]
        self._known.add(id_)
        return sorted(concurrent)

    def _claim(self, id_: str, event: dict[str, Any], code: str) -> bool:
        saw, tips = event["saw"].get(code), self.tips.setdefault(code, [])
        if saw is not None and saw not in self._known:
            self.torn.add(code)
        if saw in tips or (saw is None and not tips):
            at = tips.index(saw) if saw in tips else 0
            ends = [id_] if event["step"] == "resolve" else [*tips[:at], id_, *tips[at + 1 :]]
            self.tips[code] = ends
            return False
        tips.append(id_)
        return True


def check_claims(ledger: Ledger) -> tuple[Claims, Counter[str]]:
    """Assert that every concurrent claim is flagged, once and as nothing else, and no orderly one.

    Returns the model's end, and how many of either there were.
    """
    claims, counted = Claims(), Counter[str]()
    found, revoked = raised(ledger), set[str]()
    for one in stored(ledger):
        event = one.event
        is_desk = signed_as(one.device) == DESK
        if is_desk:
            revoked |= _revoked(event or {})
        if event is None or is_desk or one.branch > 1 or one.device in revoked:
            continue
        told = found.get((one.id, one.device, one.run, one.branch, one.seq), [])
        flagged = [items for kind, items in told if kind == "concurrent-claim"]
        expected = claims.take(one.id, event)
        if claims.torn & set(event["items"]):
            counted["torn"] += 1
            continue
        assert flagged == ([expected] if expected else []), (one, told, expected)
        broken = [kind for kind, _ in told if kind in ("rule-broken", "unknown-code")]
        assert not (expected and broken), (one, told)
        counted["concurrent" if expected else "orderly"] += 1
    return claims, counted


def _revoked(event: dict[str, Any]) -> set[str]:
    told = event.get("with") or {}
    return {told["subject"]} if told.get("what") == "device-revoked" else set()


def check_once(
    events: Iterable[Stored], owed: dict[tuple[str, int, str], bytes], ever: Iterable[str]
) -> None:
    """Assert that what is owed is in the log exactly once, byte for byte, and nothing else is.

    `owed` maps (device, run, event id) to the line; `ever` are the ids of all that was ever
    recorded.
    """
    all_ids = set(ever)
    held = [one for one in events if one.device != DESK]
    times = Counter((one.device, one.run, one.id) for one in held)
    lines = {(one.device, one.run, one.id): one.line for one in held}
    lost = [key for key in owed if key not in times]
    assert not lost, f"lost: {lost}"
    doubled = [key for key, count in times.items() if count != 1]
    assert not doubled, f"doubled: {doubled}"
    assert all(lines[key] == line for key, line in owed.items()), "a line was changed"
    strange = [one for one in held if one.id not in all_ids]
    assert not strange, f"nobody recorded: {strange}"
