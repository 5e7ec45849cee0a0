"""Read the body of a relay: chains one after the other, each with its header line."""

from __future__ import annotations

from typing import NamedTuple

from custody.ledger.chain import MOST_EVENTS, Batch, BatchRefused, read_header
from custody.ledger.events import read
from custody.ledger.upstream import introducing
from custody.ledger.upstream.introducing import Told

LIMIT = 4 << 20  # bytes of a relay: several whole pushes, whose headers grew by the keys
MOST_CHAINS = 500


class Relayed(NamedTuple):
    """One chain of a relay; `batch` is None when it only says that the chain is there.

    `refused` is why its header cannot be taken; the other chains are.
    """

    told: Told | None
    batch: Batch | None
    refused: BatchRefused | None


def chains(body: bytes) -> list[Relayed]:
    """Return the chains of a relay's body.

    Raises BatchRefused when a header does not say where the next one is.
    """
    lines = body.removesuffix(b"\n").split(b"\n")
    found: list[Relayed] = []
    at = 0
    while at < len(lines):
        header = read_header(lines[at], at + 1, fewest=0)
        count = header["last"] - header["first"] + 1
        following = lines[at + 1 : at + 1 + count]
        _check_size(header, count, following, at + 1)
        found.append(_chain(header, following, at + 1))
        at += 1 + count
        if len(found) > MOST_CHAINS:
            raise BatchRefused("too-large", f"a relay has at most {MOST_CHAINS} chains", 413)
    return found


def _check_size(header: dict[str, object], count: int, lines: list[bytes], line: int) -> None:
    if count > MOST_EVENTS:
        detail = f"line {line}: a chain has at most {MOST_EVENTS} events in a relay"
        raise BatchRefused("too-large", detail, 413, line=line)
    if len(lines) != count:
        detail = (
            f"line {line}: the header announces events {header['first']} to {header['last']}, "
            f"but {len(lines)} lines follow it"
        )
        raise BatchRefused("bad-header", detail, field="last", line=line)


def _chain(header: dict[str, object], lines: list[bytes], line: int) -> Relayed:
    try:
        told = introducing.read(header, line)
    except BatchRefused as refused:
        return Relayed(None, None, refused)
    if not lines:
        return Relayed(told, None, None)
    fields = {name: header[name] for name in ("device", "run", "first", "last", "head", "sig")}
    fields |= {"lines": [read(raw) for raw in lines], "prev": header.get("prev", "")}
    return Relayed(told, Batch(**fields), None)  # type: ignore[arg-type]  # both readers checked them
