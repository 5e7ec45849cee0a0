"""Meet a chain that a site node relays: its device, its run's key, its state and its contacts."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from custody.ledger import append, keys, rows, tables
from custody.ledger.cache import Value
from custody.ledger.chain import BatchRefused
from custody.ledger.core import DESK, Ledger
from custody.ledger.devices import ACTIVE, PENDING, REVOKED
from custody.ledger.events import HASH
from custody.ledger.masterdata import Change, administer_in
from custody.ledger.strict import dumps, reload
from custody.ledger.upstream.names import NODE, kept_as, signed_as
from custody.ledger.work import Work

Jwk = dict[str, str]


class Told(NamedTuple):
    """What a site node says of a chain beside its events.

    `key` is the run's public JWK, `state` the device's at the node, `contacts` the UTC ms of the
    last times at which it was in touch with the node, which its sign-on leases are counted from.
    `last` is the seq of the last event that the header speaks of.
    """

    device: str
    run: int
    key: Jwk
    name: str
    state: str
    contacts: tuple[int, ...]
    last: int


def meet(ledger: Ledger, site: str, told: Told) -> str:
    """Take what a site node tells of a chain, and return the name under which it is kept here.

    A device or run that is not known yet is introduced on the node's word; one that was revoked at
    the node is revoked here. Raises BatchRefused: `bad-key`, `revoked`.
    """
    with ledger.database.reading() as connection:
        name = _name(connection, site, told)
        if not _news(connection, name, told):
            return name
    with ledger.database.writing() as connection:
        name = _name(connection, site, told)
        _introduce(ledger, Work(connection), site, name, told)
        _note_contacts(connection, name, told)
    return name


def _name(connection: Connection, site: str, told: Told) -> str:
    """Return the name under which a chain with this key is kept, or is to be."""
    own = told.device if told.device != DESK else kept_as(DESK, site)
    for name in (own, kept_as(told.device, site)):
        known = run_key(connection, name, told.run)
        if known is None or known == told.key:
            return name
    detail = f"run {told.run} of this device is known with another key"
    raise BatchRefused("bad-key", detail, 409, field="key")


def run_key(connection: Connection, device: str, run: int) -> Jwk | None:
    """Return the public JWK of a run, or None."""
    table = tables.device_key.c
    query = select(table.jwk).where(table.device == device, table.run == run)
    text = connection.scalar(query)
    return None if text is None else reload(text)


def event_id(
    connection: Connection, device: str, run: int, seq: int, branch: int = 1
) -> str | None:
    """Return the id of an event of a run's branch, or None."""
    table = tables.event.c
    query = select(table.id).where(table.device == device, table.run == run, table.seq == seq)
    return connection.scalar(query.where(table.branch == branch))


def _news(connection: Connection, name: str, told: Told) -> bool:
    if run_key(connection, name, told.run) is None:
        return True
    value = Work(connection).get("device", name) or {}
    lowered = told.state == REVOKED and value.get("state") != REVOKED
    return lowered or bool(_new_contacts(connection, name, told))


def _introduce(ledger: Ledger, work: Work, site: str, name: str, told: Told) -> None:
    old = work.get("device", name)
    is_new_run = run_key(work.connection, name, told.run) is None
    if is_new_run:
        _require_active(work, site)
        row = {"device": name, "run": told.run, "jwk": dumps(told.key)}
        row["since_position"] = append.log_size(work.connection)
        rows.insert(work.connection, tables.device_key, [row])
    value = _value(work, site, name, told) if old is None else _changed(old, told)
    if is_new_run or value != old:
        what = "device-relayed" if is_new_run else "device-revoked"
        administer_in(ledger, work, what, name, [], [Change("device", name, value)])
        work.flush()


def _require_active(work: Work, site: str) -> None:
    if (work.get("device", site) or {}).get("state") != ACTIVE:
        detail = "this site node was revoked: it introduces no device any more"
        raise BatchRefused(REVOKED, detail, 403, field="device")


def _value(work: Work, site: str, name: str, told: Told) -> Value:
    """Return the value of a device that was not known; `node` is who introduced it.

    A node's desk is trusted as the node is.
    """
    if signed_as(name) == DESK:
        node = work.get("device", site) or {}
        shown = f"desk of {node.get('name', site)}"
        return {"name": shown, "state": ACTIVE, "run": told.run, "site_node": site}
    approval = (work.get("setting", "controls") or {}).get("device_approval")
    doubtful = approval == "administrator" or name != told.device or told.state == PENDING
    state = REVOKED if told.state == REVOKED else PENDING if doubtful else ACTIVE
    return {"name": told.name, "state": state, "run": told.run, "node": site}


def _changed(old: Value, told: Told) -> Value:
    state = REVOKED if told.state == REVOKED else old["state"]
    return {**old, "state": state, "run": max(old["run"], told.run)}


def _note_contacts(connection: Connection, name: str, told: Told) -> None:
    position = append.log_size(connection)
    added = [
        {"device": name, "at": at, "since_position": position}
        for at in _new_contacts(connection, name, told)
    ]
    rows.insert(connection, tables.contact, added)


def _new_contacts(connection: Connection, name: str, told: Told) -> list[int]:
    table = tables.contact.c
    found: set[int] = set()
    for some in rows.chunks(told.contacts):
        query = select(table.at).where(table.device == name, table.at.in_(some))
        found |= set(connection.scalars(query))
    return sorted(set(told.contacts) - found)


def read(header: dict[str, Any], line: int) -> Told:
    """Return what a relayed chain's header tells. Raises BatchRefused naming the field."""
    jwk = header.get("key")
    try:
        keys.key_of(jwk)
    except ValueError as error:
        raise BatchRefused("bad-key", str(error), field="key", line=line) from error
    assert isinstance(jwk, dict)
    public = {part: str(jwk[part]) for part in ("crv", "kty", "x", "y")}
    device, name, state = header["device"], header.get("name"), header.get("state", ACTIVE)
    prev = header.get("prev", "")
    told = header.get("contacts", [])
    _need(device.isascii() and device.isprintable() and 1 <= len(device) <= 128, "device", line)
    _need(signed_as(device) != NODE, "device", line)  # no device is called so
    _need(name is None or (isinstance(name, str) and 1 <= len(name) <= 100), "name", line)
    _need(state in (ACTIVE, PENDING, REVOKED), "state", line)
    _need(isinstance(prev, str) and (not prev or HASH.fullmatch(prev)), "prev", line)
    _need(
        isinstance(told, list) and all(type(at) is int and at >= 0 for at in told), "contacts", line
    )
    run, last = header["run"], header["last"]
    return Told(device, run, public, name or device, state, tuple(told), last)


def _need(right: object, field: str, line: int) -> None:
    if not right:
        detail = f"{field} is not as a relayed chain's header has it"
        raise BatchRefused("bad-header", detail, field=field, line=line)
