"""Pictures that events name, by the SHA-256 of their bytes: files in DATA/blobs and their facts.

A picture comes in one piece or in several, each going on where the one before ended; what has come
of it is kept by device until it is whole. Only then is it hashed, decoded once, and kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import func, select, update

from custody.documents import pictures
from custody.documents.errors import PhotoError
from custody.ledger import rows, tables
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.errors import LedgerError, NotKnown
from custody.ledger.log import durable

LIMIT = 8 << 20  # bytes of one picture
DAY_MS = 86_400_000
MOST_A_DAY = 500  # pictures of one device
MOST_BYTES_A_DAY = 1 << 30
MOST_STARTED = 10  # pictures of one device that have come in part
EDGES = {"small": 320, "large": 1600}  # pixels of the longer edge of the copies that pages show
AWAITED, HERE, REFUSED = "awaited", "here", "refused"


class OtherBytes(LedgerError):
    """The bytes have another SHA-256 than the picture's name; what had come is dropped."""


class NoPicture(LedgerError):
    """The bytes have the right hash and are no picture; that is noted, and they are not kept."""


class TooMany(LedgerError):
    """A device has sent as many pictures as it may in a day; `again` is when, UTC ms."""

    def __init__(self, again: int) -> None:
        super().__init__("this device has sent as many pictures as it may in 24 hours")
        self.again = again


class Kept(NamedTuple):
    """What is known of a picture: `state` is `awaited`, `here`, or `refused` with a `problem`."""

    name: str
    state: str
    bytes: int
    media: str | None
    problem: str | None


def original_path(ledger: Ledger, name: str) -> Path:
    """Return where a picture's bytes lie as they came; `name` is their SHA-256."""
    return ledger.config.blobs / name[:2] / name


def part_path(ledger: Ledger, device: str, name: str) -> Path:
    """Return where what a device has sent of a picture is kept until it is whole."""
    mine = hashlib.sha256(device.encode()).hexdigest()[:16]
    return ledger.config.blobs / "parts" / mine / name


def held(ledger: Ledger, device: str, name: str) -> int:
    """Return how many bytes of a picture have come from a device that are not whole yet."""
    try:
        return part_path(ledger, device, name).stat().st_size
    except FileNotFoundError:
        return 0


def require_room(ledger: Ledger, device: str) -> None:
    """Raise TooMany when a device has sent a day's pictures."""
    table = tables.blob.c
    since = ledger.clock() - DAY_MS
    query = select(func.count(), func.sum(table.bytes), func.min(table.received))
    query = query.where(table.device == device, table.received > since)
    with ledger.database.reading() as connection:
        count, size, first = connection.execute(query).one()
    if count >= MOST_A_DAY or int(size or 0) >= MOST_BYTES_A_DAY:
        raise TooMany(int(first) + DAY_MS)


def drop_old_parts(ledger: Ledger, device: str) -> None:
    """Drop the oldest of what a device began to send, beyond what it may have begun at once."""
    folder = part_path(ledger, device, "x").parent
    begun = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime)
    for path in begun[:-MOST_STARTED]:
        path.unlink(missing_ok=True)


def finish(ledger: Ledger, device: str, name: str, *, relayed: bool = False) -> Kept:
    """Keep a picture that is whole, durably. Raises OtherBytes or NoPicture."""
    part = part_path(ledger, device, name)
    content = part.read_bytes()
    kept = keep(ledger, device, name, content, relayed=relayed)
    part.unlink(missing_ok=True)
    return kept


def keep(ledger: Ledger, device: str, name: str, content: bytes, *, relayed: bool = False) -> Kept:
    """Keep a picture's bytes, durably, unless they are there. Raises OtherBytes, NoPicture."""
    found = hashlib.sha256(content).hexdigest()
    if found != name:
        part_path(ledger, device, name).unlink(missing_ok=True)
        raise OtherBytes(f"these bytes have the SHA-256 {found}")
    known = one(ledger, name)
    if known.state != AWAITED:
        return known
    now = ledger.clock()
    row = {"name": name, "bytes": len(content), "device": device, "received": now}
    row |= {"relayed": now if relayed else None, "problem": None}
    try:
        facts = pictures.check(content)
    except PhotoError as error:
        _note(ledger, {**row, "media": None, "width": None, "height": None, "problem": error.code})
        part_path(ledger, device, name).unlink(missing_ok=True)
        raise NoPicture(str(error)) from error
    path = original_path(ledger, name)
    durable.write([(path, content)], ledger.config.data, mode=0o600)
    _note(ledger, {**row, **facts._asdict()})
    return one(ledger, name)


def _note(ledger: Ledger, row: Value) -> None:
    with ledger.database.writing() as connection:
        rows.upsert(connection, tables.blob, [row])


def one(ledger: Ledger, name: str) -> Kept:
    """Return what is known of a picture; one that never came is awaited."""
    return known(ledger, [name])[0]


def known(ledger: Ledger, names: Iterable[str]) -> list[Kept]:
    """Return what is known of pictures, in their order."""
    wanted = list(names)
    table = tables.blob
    found: dict[str, Kept] = {}
    with ledger.database.reading() as connection:
        for some in rows.chunks(wanted):
            for row in connection.execute(select(table).where(table.c.name.in_(some))).mappings():
                state = REFUSED if row["problem"] else HERE
                told = (row["bytes"], row["media"], row["problem"])
                found[row["name"]] = Kept(row["name"], state, *told)
    return [found.get(name) or _without_facts(ledger, name) for name in wanted]


def _without_facts(ledger: Ledger, name: str) -> Kept:
    """A picture may be here from before its facts were noted."""
    path = original_path(ledger, name)
    state, size = (HERE, path.stat().st_size) if path.exists() else (AWAITED, 0)
    return Kept(name, state, size, None, None)


def original(ledger: Ledger, name: str) -> bytes:
    """Return the bytes of which an event has the hash. Raises NotKnown while they are not here."""
    try:
        return original_path(ledger, name).read_bytes()
    except FileNotFoundError as error:
        raise NotKnown("this picture has not arrived yet") from error


def rendition(ledger: Ledger, name: str, size: str) -> bytes:
    """Return a copy to look at, of size `small` or `large`. Raises NotKnown.

    Copies are made when they are first asked for, and may be deleted at any time.
    """
    path = ledger.config.data / "renditions" / name[:2] / f"{name}-{size}.jpg"
    if path.exists():
        return path.read_bytes()
    copy = pictures.rendition(original(ledger, name), EDGES[size])
    durable.write([(path, copy)], ledger.config.data, mode=0o600)
    return copy


# --- a site node's --------------------------------------------------------------------------------


def unrelayed(ledger: Ledger, most: int) -> list[str]:
    """Return the names of pictures that the upstream may not have, the oldest first."""
    table = tables.blob.c
    query = select(table.name).where(table.relayed.is_(None), table.problem.is_(None))
    with ledger.database.reading() as connection:
        return list(connection.scalars(query.order_by(table.received, table.name).limit(most)))


def note_relayed(ledger: Ledger, name: str) -> None:
    """Note that the upstream has a picture, so that it is sent there no second time."""
    table = tables.blob
    with ledger.database.writing() as connection:
        mine = update(table).where(table.c.name == name)
        connection.execute(mine.values(relayed=ledger.clock()))
