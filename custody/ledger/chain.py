"""A push as it arrives: header, lines, chain and signature (protocol.md, "Push")."""

from __future__ import annotations

from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey

from custody.ledger import keys
from custody.ledger.errors import LedgerError
from custody.ledger.events import HASH, Line, chain_fields, read
from custody.ledger.strict import Unreadable, loads

MOST_EVENTS = 500


class BatchRefused(LedgerError):
    """A push of which nothing was stored. `type` is the protocol's word, `line` counts from 1."""

    def __init__(self, type_: str, detail: str, status: int = 400, **more: object) -> None:
        super().__init__(detail)
        self.type = type_
        self.status = status
        self.more = more


class Batch(NamedTuple):
    device: str
    run: int
    first: int
    last: int
    head: str
    sig: str
    lines: list[Line]


def signed_text(device: str, run: int, last: int, head: str) -> bytes:
    """Return what a push's signature is over."""
    return f"custody-events-v1\n{device}\n{run}\n{last}\n{head}\n".encode()


def parse(body: bytes) -> Batch:
    """Read a push's body. Raises BatchRefused when its header or its number of lines is wrong."""
    first, *rest = body.removesuffix(b"\n").split(b"\n")
    header = _header(first)
    if len(rest) > MOST_EVENTS or header["last"] - header["first"] + 1 > MOST_EVENTS:
        raise BatchRefused("too-large", f"a push carries at most {MOST_EVENTS} events", 413)
    if len(rest) != header["last"] - header["first"] + 1:
        raise BatchRefused(
            "bad-header",
            f"the header announces events {header['first']} to {header['last']}, "
            f"but {len(rest)} lines follow it",
            field="last",
        )
    fields = {name: header[name] for name in ("device", "run", "first", "last", "head", "sig")}
    return Batch(**fields, lines=[read(raw) for raw in rest])


def _header(raw: bytes) -> dict[str, Any]:
    try:
        header = loads(raw)
    except Unreadable as error:
        raise BatchRefused("bad-header", f"the header cannot be read: {error}", line=1) from error
    if not isinstance(header, dict):
        raise BatchRefused("bad-header", "the header is no JSON object", line=1)
    for field in ("device", "head", "sig"):
        if not isinstance(header.get(field), str):
            raise BatchRefused("bad-header", f"{field} must be a text", field=field, line=1)
    for field in ("run", "first", "last"):
        number = header.get(field)
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise BatchRefused("bad-header", f"{field} must be 1 or more", field=field, line=1)
    if not HASH.fullmatch(header["head"]):
        raise BatchRefused("bad-header", "head must be an event id", field="head", line=1)
    if header["last"] < header["first"]:
        raise BatchRefused("bad-header", "last lies before first", field="last", line=1)
    return header


def check_chain(batch: Batch) -> None:
    """Raise BatchRefused (`bad-chain`) unless each readable line fits its place in the chain."""
    before: str | None = None
    for index, line in enumerate(batch.lines):
        found = line.event or chain_fields(line.raw)
        if found is not None:
            wanted = {"device": batch.device, "run": batch.run, "seq": batch.first + index}
            if before is not None:
                wanted["prev"] = before
            _check_line(found, wanted, index + 2)
        before = line.id
    if batch.head != before:
        raise BatchRefused(
            "bad-chain",
            f"the header's head is not the last line's hash, {before}",
            line=len(batch.lines) + 1,
            field="head",
        )


def _check_line(found: dict[str, Any], wanted: dict[str, object], number: int) -> None:
    for field, value in wanted.items():
        if found[field] != value or isinstance(found[field], bool):
            raise BatchRefused(
                "bad-chain",
                f"line {number}: {field} is {found[field]!r}; it must be {value!r}",
                line=number,
                field=field,
            )


def check_signature(batch: Batch, key: EllipticCurvePublicKey) -> None:
    """Raise BatchRefused (`bad-signature`) unless the device's key signed the batch's head."""
    text = signed_text(batch.device, batch.run, batch.last, batch.head)
    try:
        keys.verify(key, batch.sig, text)
    except InvalidSignature as error:
        detail = f"the signature does not fit the head of run {batch.run}"
        raise BatchRefused("bad-signature", detail, line=1, field="sig") from error
    except ValueError as error:
        raise BatchRefused("bad-signature", str(error), line=1, field="sig") from error


def prev_of(line: Line) -> str | None:
    """Return the line's `prev`, or None when the line does not say."""
    found = line.event or chain_fields(line.raw)
    return None if found is None else str(found["prev"])
