"""Devices: one-time codes, enrolment, approval, revocation, and when each was last in touch."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select, update

from custody.ledger import append, rows, tables
from custody.ledger.cache import Value
from custody.ledger.core import DESK, Ledger
from custody.ledger.errors import CodeRefused, NotKnown, RunRefused, SettingError
from custody.ledger.masterdata import By, Change, administer, administer_in
from custody.ledger.strict import dumps, reload
from custody.ledger.suspicions import CONTACT_MS
from custody.ledger.work import Entry, Work

CODE_MS = 15 * 60_000  # protocol.md, "Enrol": a code serves once and for 15 minutes
CODE_LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"  # none that is taken for another
CODE_LENGTH = 12
ACTIVE, PENDING, REVOKED = "active", "pending", "revoked"
SITE_NODE = "site"  # the `type` of a site node; a handheld has none


ID = re.compile(r"d[0-9a-f]{16}")  # of a device that enrolled at some server of the site
NO_RUNS: dict[int, dict[str, str]] = {}
_LAST_CONTACT = 'SELECT max("at") FROM contact WHERE device = ?'


class Enrolled(NamedTuple):
    """What enrolment answers: the device's id and state, and the site's value; `runs` are those of
    the runs that it told of whose keys are known here as it told them.
    """

    device: str
    state: str
    site: Value
    runs: tuple[int, ...] = ()


def new_code(ledger: Ledger, by: str | None = None) -> str:
    """Return a new enrolment code, of which only the hash is kept. `by` is the person who asked."""
    code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    now = ledger.clock()
    row = {"hash": _code_hash(code), "expires": now + CODE_MS, "issued_by": by, "used": None}
    with ledger.database.writing() as connection:
        old = tables.enrolment_code.c.expires < now - CODE_MS
        connection.execute(tables.enrolment_code.delete().where(old))
        rows.insert(connection, tables.enrolment_code, [row])
    return code


def _code_hash(code: str) -> str:
    """Return the hash of a code as typed: case, blanks and dashes do not matter."""
    bare = "".join(code.split()).replace("-", "").upper()
    return hashlib.sha256(bare.encode()).hexdigest()


def _spend(connection: Connection, code: str, now: int) -> str | None:
    """Spend a code and return who issued it. Raises CodeRefused."""
    table = tables.enrolment_code
    mine = table.c.hash == _code_hash(code)
    found = connection.execute(select(table).where(mine)).mappings().one_or_none()
    if found is None:
        raise CodeRefused("this enrolment code is not known; ask for a new one")
    if found["used"] is not None:
        raise CodeRefused("this enrolment code has been used; a code serves once")
    if found["expires"] <= now:
        raise CodeRefused("this enrolment code has expired; a code serves for 15 minutes")
    connection.execute(update(table).where(mine).values(used=now))
    issuer: str | None = found["issued_by"]
    return issuer


def enrol(
    ledger: Ledger, code: str, name: str, jwk: dict[str, str], type_: str | None = None
) -> Enrolled:
    """Enrol a new device with its public key, and return its random id and state.

    `type_` is SITE_NODE for a server that relays what its own devices record.

    Raises CodeRefused, with nothing changed. `jwk` has been checked by `keys.key_of`.
    """
    with ledger.database.writing() as connection:
        issuer = _spend(connection, code, ledger.clock())
        work = Work(connection)
        device = "d" + secrets.token_hex(8)
        value: Value = {"name": name, "state": _first_state(work), "run": 1}
        value |= {"type": type_} if type_ else {}
        _add_run(ledger, work, "device-enrolled", device, value, jwk, issuer)
        return Enrolled(device, value["state"], work.get("setting", "site") or {})


def _first_state(work: Work) -> str:
    controls = work.get("setting", "controls") or {}
    return PENDING if controls.get("device_approval") == "administrator" else ACTIVE


def enrol_run(
    ledger: Ledger,
    code: str,
    device: str,
    run: int,
    jwk: dict[str, str],
    *,
    name: str = "",
    earlier: dict[int, dict[str, str]] = NO_RUNS,
) -> Enrolled:
    """Enrol a new run, with its own key, of a device whose storage was lost or restored.

    `earlier` are the public JWKs of its runs before. Those that are not known here are taken on the
    word of who gave the code, and so is a device that is not, under its own id: it enrolled at a
    server that cannot be asked now, or this one was restored. So its events come here as they were
    signed, and meet those that come from there as the same.

    Raises CodeRefused, NotKnown, RunRefused or SettingError, with nothing changed.
    """
    with ledger.database.writing() as connection:
        issuer = _spend(connection, code, ledger.clock())
        work = Work(connection)
        what = "run-enrolled" if work.get("device", device) else "device-enrolled"
        value = _value(work, device, name) if earlier else known(work, device)
        if value["state"] == REVOKED:
            raise SettingError("this device was revoked; enrol it as a new one")
        expected = max(value["run"], *earlier, 0) + 1
        if run != expected:
            raise RunRefused(run, expected)
        runs = _add_earlier(connection, device, earlier)
        _add_run(ledger, work, what, device, {**value, "run": run}, jwk, issuer)
        return Enrolled(device, value["state"], work.get("setting", "site") or {}, runs)


def _value(work: Work, device: str, name: str) -> Value:
    """Return a device's value; that of one which is not known here begins with no run."""
    if device == DESK or work.get("device", device) is not None or not ID.fullmatch(device):
        return known(work, device)
    return {"name": name, "state": _first_state(work), "run": 0}


def _add_earlier(
    connection: Connection, device: str, earlier: dict[int, dict[str, str]]
) -> tuple[int, ...]:
    """Note the keys of runs that are not known; return the runs that have the keys told."""
    told = {run: _public(jwk) for run, jwk in sorted(earlier.items())}
    here = keys_of(connection, device)
    position = append.log_size(connection)
    added = [
        {"device": device, "run": run, "since_position": position, "jwk": dumps(jwk)}
        for run, jwk in told.items()
        if run not in here
    ]
    rows.insert(connection, tables.device_key, added)
    return tuple(run for run, jwk in told.items() if here.get(run, jwk) == jwk)


def _public(jwk: dict[str, str]) -> dict[str, str]:
    return {name: jwk[name] for name in ("kty", "crv", "x", "y")}


def _add_run(
    ledger: Ledger,
    work: Work,
    what: str,
    device: str,
    value: Value,
    jwk: dict[str, str],
    issuer: str | None,
) -> None:
    position = append.log_size(work.connection)
    row = {"device": device, "run": value["run"], "since_position": position}
    row["jwk"] = dumps(_public(jwk))
    rows.insert(work.connection, tables.device_key, [row])
    by: list[dict[str, Any]] = [{"person": issuer}] if issuer else []
    administer_in(ledger, work, what, device, by, [Change("device", device, value)])
    note_contact(work.connection, device, ledger.clock())
    work.flush()


def known(work: Work, device: str) -> Value:
    """Return a device's value. Raises NotKnown, also for the server's own: nobody enrols as it."""
    value = None if device == DESK else work.get("device", device)
    if value is None:
        raise NotKnown(f"there is no device {device!r}")
    return value


def approve(ledger: Ledger, device: str, by: By) -> Entry:
    """Let a pending device take part. Raises NotKnown, or SettingError when it is not pending."""

    def make(work: Work) -> list[Change]:
        value = known(work, device)
        if value["state"] != PENDING:
            raise SettingError(
                f"{value['name']} is {value['state']}; only a pending device is approved"
            )
        return [Change("device", device, {**value, "state": ACTIVE})]

    return administer(ledger, "device-approved", device, by, make)


def revoke(ledger: Ledger, device: str, by: By) -> Entry:
    """Revoke a device: what it pushes from now on is kept apart, and its replica is to be wiped."""

    def make(work: Work) -> list[Change]:
        value = known(work, device)
        if value["state"] == REVOKED:
            raise SettingError(f"{value['name']} is revoked already")
        return [Change("device", device, {**value, "state": REVOKED})]

    return administer(ledger, "device-revoked", device, by, make)


def be_in_touch(ledger: Ledger, device: str, now: int) -> None:
    """Note that a device is in touch; nobody is held up where that was noted lately.

    The disk is not waited for: an event that was judged by this contact is not durable before it.
    """
    with ledger.database.reading() as connection:
        if not _is_due(connection, device, now):
            return
    with ledger.database.writing(waits=False) as connection:
        note_contact(connection, device, now)


def note_contact(connection: Connection, device: str, now: int) -> None:
    """Note that a device was in touch, at most once in ten minutes."""
    if _is_due(connection, device, now):
        row = {"device": device, "at": now, "since_position": append.log_size(connection)}
        rows.insert(connection, tables.contact, [row])


def _is_due(connection: Connection, device: str, now: int) -> bool:
    last = rows.find(connection, _LAST_CONTACT, device).scalar()
    return last is None or now - last >= CONTACT_MS


def last_contacts(connection: Connection) -> dict[str, int]:
    """Return when each device was last in touch, to ten minutes."""
    table = tables.contact.c
    query = select(table.device, func.max(table.at).label("at")).group_by(table.device)
    return {row.device: row.at for row in connection.execute(query)}


def run_keys(connection: Connection, device: str) -> list[Value]:
    """Return the public JWKs of a device's runs, the newest run first; [] if it never enrolled."""
    return [*keys_of(connection, device).values()]


def keys_of(connection: Connection, device: str) -> dict[int, Value]:
    """Return the public JWK of each run of a device, the newest run first."""
    table = tables.device_key.c
    query = select(table.run, table.jwk).where(table.device == device).order_by(table.run.desc())
    return {run: reload(text) for run, text in connection.execute(query)}
