"""A push as it arrives: header, lines, chain and signature (protocol.md, "Push")."""

from __future__ import annotations

from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey

from custody.ledger import keys
from custody.ledger.errors import LedgerError
from custody.ledger.events import HASH, Line, chain_fields, read
from custody.ledger.strict import Unreadable, loads
from custody.ledger.upstream.names import signed_as

MOST_EVENTS = 500


class BatchRefused(LedgerError):
    """A push of which nothing was stored. `type` is the protocol's word, `line` counts from 1."""

    def __init__(self, type_: str, detail: str, status: int = 400, **more: object) -> None:
        super().__init__(detail)
        self.type = type_
        self.status = status
        self.more = more


class Batch(NamedTuple):
    """`prev` is what its first line continues by the word of who hands it on, "" where nobody says:
    a line that cannot be read does not say it itself.
    """

    device: str
    run: int
    first: int
    last: int
    head: str
    sig: str
    lines: list[Line]
    prev: str = ""


def signed_text(device: str, run: int, last: int, head: str) -> bytes:
    """Return what a push's signature is over."""
    return f"custody-events-v1\n{device}\n{run}\n{last}\n{head}\n".encode()


def parse(body: bytes) -> Batch:
    """Read a push's body. Raises BatchRefused when its header or its number of lines is wrong."""
    first, *rest = body.removesuffix(b"\n").split(b"\n")
    header = read_header(first)
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


def read_header(raw: bytes, line: int = 1, fewest: int = 1) -> dict[str, Any]:
    """Return the header of a push of at least `fewest` events, which is line `line` of a body.

    Raises BatchRefused.
    """
    try:
        header = loads(raw)
    except Unreadable as error:
        raise _bad_header(f"the header cannot be read: {error}", line) from error
    if not isinstance(header, dict):
        raise _bad_header("the header is no JSON object", line)
    for field in ("device", "head", "sig"):
        if not isinstance(header.get(field), str):
            raise _bad_header(f"{field} must be a text", line, field)
    for field, least in (("run", 1), ("first", 1), ("last", fewest)):
        number = header.get(field)
        if not isinstance(number, int) or isinstance(number, bool) or number < least:
            raise _bad_header(f"{field} must be {least} or more", line, field)
    if not HASH.fullmatch(header["head"]):
        raise _bad_header("head must be an event id", line, "head")
    if header["last"] < header["first"] - 1 + fewest:
        raise _bad_header("last lies before first", line, "last")
    return header


def _bad_header(detail: str, line: int, field: str | None = None) -> BatchRefused:
    more: dict[str, object] = {} if field is None else {"field": field}
    return BatchRefused("bad-header", detail, 400, line=line, **more)


def check_chain(batch: Batch) -> None:
    """Raise BatchRefused (`bad-chain`) unless each readable line fits its place in the chain."""
    before: str | None = None
    for index, line in enumerate(batch.lines):
        found = line.event or chain_fields(line.raw)
        if found is not None:
            device = signed_as(batch.device)
            wanted = {"device": device, "run": batch.run, "seq": batch.first + index}
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
    text = signed_text(signed_as(batch.device), batch.run, batch.last, batch.head)
    try:
        keys.verify(key, batch.sig, text)
    except InvalidSignature as error:
        detail = f"the signature does not fit the head of run {batch.run}"
        raise BatchRefused("bad-signature", detail, line=1, field="sig") from error
    except ValueError as error:
        raise BatchRefused("bad-signature", str(error), line=1, field="sig") from error


def prev_of(batch: Batch) -> str | None:
    """Return the id of what a batch's first line continues, or None when nobody says."""
    first = batch.lines[0]
    found = first.event or chain_fields(first.raw)
    return (batch.prev or None) if found is None else str(found["prev"])
