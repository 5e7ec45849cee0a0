"""Silence as a record: when devices were not heard, and what went wrong with their clocks, queues
and chains.
"""

from __future__ import annotations

from itertools import pairwise

from sqlalchemy import Connection, func, literal_column, select

from custody.ledger import devices, tables
from custody.ledger.cache import Value
from custody.ledger.core import DESK, Ledger
from custody.ledger.reading import asof, exceptions, records
from custody.ledger.reading.keyset import Cut
from custody.rules.exception_kinds import LATE, LEASE_EXPIRED, LOG_REWRITTEN

FAULTS = (*exceptions.OF_DEVICES, LEASE_EXPIRED, LATE, LOG_REWRITTEN)
RETURN_MS = 600_000  # what came so soon after a silence came with its end


def of(ledger: Ledger, since: int, least: int, cut: Cut) -> Value:
    """Return `{"devices", "periods", "faults", "raised", "runs"}` from an instant (UTC ms) on.

    `devices`: `{"id", "state", "seen", "events", "away", "times", "runs"}` of each handheld, the
    longest silent first; `away` is the sum (ms) of its `times` silences of at least `least` ms.
    `periods`: `{"device", "from", "until", "ms", "brought"}`, the newest first; `until` is None for
    one that lasts, `brought` how many events came with its end. `faults` are a part of the
    `raised` exceptions, the newest first; `runs`: `{"device", "run", "at"}` of runs after the
    first.
    """
    now = ledger.clock()
    with ledger.database.reading() as connection:
        start = asof.moment(connection, since, asof.THEN).held
        known = {i: v for i, v in records.all_of(connection, "device").items() if i != DESK}
        pushes = _pushes(connection, start)
        periods = [
            period
            for id_, value in known.items()
            for period in _periods(connection, id_, value, (since, now), least, pushes)
        ]
        periods.sort(key=lambda one: (-one["from"], one["device"]))
        runs = _runs(connection)
        faults, raised = exceptions.since(connection, FAULTS, start, cut)
        return {
            "devices": _devices(connection, known, periods, pushes, runs),
            "periods": periods,
            "faults": faults,
            "raised": raised,
            "runs": [one for one in runs if one["at"] is not None and one["at"] >= since],
        }


def _pushes(connection: Connection, start: int) -> dict[str, list[tuple[int, int]]]:
    """When each device's events came, and how many at a time.

    The device is wrapped, or SQLite would read all keys by the index that has them in its order.
    """
    event = tables.event.c
    device_of = func.coalesce(event.device, literal_column("''"))
    query = (
        select(device_of, event.received, func.count().label("n"))
        .where(event.position >= start)
        .group_by(device_of, event.received)
        .order_by(event.received)
    )
    found: dict[str, list[tuple[int, int]]] = {}
    for device, received, number in connection.execute(query):
        found.setdefault(device, []).append((received, number))
    return found


def _periods(
    connection: Connection,
    device: str,
    value: Value,
    window: tuple[int, int],
    least: int,
    pushes: dict[str, list[tuple[int, int]]],
) -> list[Value]:
    """The silences of one device that reach into the window."""
    heard = _contacts(connection, device, window[0])
    silent = [one for one in pairwise(heard) if one[1] - one[0] >= least]
    found = [_period(device, a, b, pushes.get(device, [])) for a, b in silent]
    lasts = value.get("state") == devices.ACTIVE and heard and window[1] - heard[-1] >= least
    if lasts:
        told = {"from": heard[-1], "until": None, "ms": window[1] - heard[-1]}
        found.append({"device": device, **told, "brought": 0})
    return found


def _contacts(connection: Connection, device: str, since: int) -> list[int]:
    """When a device was in touch in the window, and the last time before it."""
    table = tables.contact.c
    mine = select(table.at).where(table.device == device)
    older = mine.where(table.at < since).order_by(table.at.desc()).limit(1)
    newer = mine.where(table.at >= since).order_by(table.at)
    return [*connection.scalars(older), *connection.scalars(newer)]


def _period(device: str, start: int, end: int, pushes: list[tuple[int, int]]) -> Value:
    brought = sum(n for received, n in pushes if end <= received < end + RETURN_MS)
    return {"device": device, "from": start, "until": end, "ms": end - start, "brought": brought}


def _runs(connection: Connection) -> list[Value]:
    """The runs of devices after their first, and when they were enrolled."""
    key, event = tables.device_key.c, tables.event.c
    query = (
        select(key.device, key.run, event.received)
        .outerjoin(tables.event, event.position == key.since_position)
        .where(key.run > 1)
        .order_by(key.since_position.desc())
    )
    found = connection.execute(query)
    return [{"device": row.device, "run": row.run, "at": row.received} for row in found]


def _devices(
    connection: Connection,
    known: dict[str, Value],
    periods: list[Value],
    pushes: dict[str, list[tuple[int, int]]],
    runs: list[Value],
) -> list[Value]:
    seen = devices.last_contacts(connection)
    found = [
        {
            "id": id_,
            "state": value["state"],
            "seen": seen.get(id_),
            "events": sum(n for _, n in pushes.get(id_, [])),
            "away": sum(one["ms"] for one in periods if one["device"] == id_),
            "times": sum(one["device"] == id_ for one in periods),
            "runs": 1 + sum(one["device"] == id_ for one in runs),
        }
        for id_, value in known.items()
    ]
    return sorted(found, key=lambda one: (-one["away"], one["id"]))
