"""Sign events as the server's own device `desk`, through the same path as a device's push."""

from __future__ import annotations

from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from sqlalchemy import Connection, func, select

from custody.ledger import append, judging, keys, tables
from custody.ledger.branching import Place, new_head
from custody.ledger.cache import Value
from custody.ledger.chain import Batch, signed_text
from custody.ledger.core import DESK, Ledger
from custody.ledger.errors import Refused
from custody.ledger.events import LINE_LIMIT, NO_EVENT, read
from custody.ledger.strict import dumps
from custody.ledger.work import Entry, Work
from custody.rules import codes_range, days, lots, naming

EMPTY: Value = {
    "items": [],
    "from": None,
    "to": None,
    "into": None,
    "where": None,
    "with": {},
    "note": "",
}


class Signer(NamedTuple):
    """A device of the server's own, and the key of its run."""

    device: str
    run: int
    key: EllipticCurvePrivateKey


def record_at_desk(ledger: Ledger, draft: Value, by: list[dict[str, Any]]) -> Entry:
    """Judge a draft and, when the rules allow it, sign and store it.

    `draft` is as in docs/architecture.md; its chain fields, `at` and `by` are filled in here, and
    `saw` too where it is not given. `by` is `[{"person": id, "how": "password"}, ...]`, the
    performer first. Raises Refused with the reasons; a fact (`with.fact`) is never refused.
    """
    with ledger.database.writing() as connection:
        work = Work(connection)
        entry = judge_and_append(ledger, work, draft, by)
        work.flush()
        return entry


def judge_and_append(ledger: Ledger, work: Work, draft: Value, by: list[dict[str, Any]]) -> Entry:
    """Do what `record_at_desk` does within a transaction that is open already."""
    return append_draft(ledger, work, judged(ledger, work, draft, by), by)


def judged(ledger: Ledger, work: Work, draft: Value, by: list[dict[str, Any]]) -> Value:
    """Return a draft made complete. Raises Refused where the rules are against it, unless it is a
    fact.
    """
    complete = {**EMPTY, "at": ledger.clock(), **draft}
    reasons = judging.reasons_against(work, {**complete, "by": [one["person"] for one in by]})
    if reasons and not complete["with"].get("fact"):
        raise Refused(reasons)
    return complete


def append_draft(
    ledger: Ledger,
    work: Work,
    draft: Value,
    by: list[dict[str, Any]],
    signer: Signer | None = None,
) -> Entry:
    """Sign a draft as the next event of the desk, or of another device of the server's own, and
    store it; nothing is judged here.

    Raises Refused for one that nobody could read: longer than an event may be, or with a text that
    no event may hold.
    """
    device, run, key = signer or _own(ledger, work)
    known = work.branches(device, run)
    head = known[0] if known else None
    seq, prev = (head["seq"] + 1, head["id"]) if head else (1, NO_EVENT)
    chain = {"v": 1, "device": device, "run": run, "seq": seq, "prev": prev}
    raw = dumps({**_event(ledger, work, draft, by), **chain}).encode("utf-8", "surrogatepass")
    line = read(raw)
    if line.event is None:
        raise Refused([_unreadable(len(raw), line.why)])
    sig = keys.sign(key, signed_text(device, run, seq, line.id))
    batch = Batch(device, run, seq, seq, line.id, sig, [line])
    place = Place(head or new_head(batch, 1, 1, 1, NO_EVENT), 0, None)
    return append.store(work, place, batch, ledger.clock())[0]


def run_of(connection: Connection) -> int:
    """Return the run in which the desk signs: the last of which there is a key."""
    table = tables.device_key.c
    return int(connection.scalar(select(func.max(table.run)).where(table.device == DESK)) or 1)


def _own(ledger: Ledger, work: Work) -> Signer:
    run = run_of(work.connection)
    return Signer(DESK, run, ledger.desk_key(run))


def _event(ledger: Ledger, work: Work, draft: Value, by: list[dict[str, Any]]) -> Value:
    now, mono = ledger.clock(), ledger.mono()
    at = draft.get("at", now)
    site = work.get("setting", "site")
    book = judging.book_of(work) if site else None
    times = {"at": at, "mono": mono, "boot": ledger.boot, "server": now}
    signed = [{"how": "password", "at": now, "mono": mono, **one} for one in by]
    return {
        **EMPTY,
        **draft,
        **times,
        "offset": days.offset(book, at) if book else 0,
        "day": draft.get("day") or (days.gaming_day(book, at) if book else None),
        "site": site["id"] if site else None,
        "rulebook": site["rulebook"] if site else None,
        "by": signed,
        "saw": draft["saw"] if "saw" in draft else _saw(book, work, draft),
    }


def _saw(book: Value | None, work: Work, draft: Value) -> dict[str, str]:
    """Return the last event of each item that the draft claims, as the ledger has it now; none
    before the site has a rulebook.
    """
    if book is None:
        return {}
    seen = dict(naming.last_seen(book, work, {**EMPTY, **draft}))
    ranges = {code for code in seen if lots.is_range(work.get("item", code))}
    return dict(codes_range.told_seen(seen, ranges))


def _unreadable(size: int, why: str | None) -> Value:
    told: Value = {"clause": None, "who": [], "items": []}
    if size > LINE_LIMIT:
        return {**told, "code": "event-too-long", "values": {"found": size, "most": LINE_LIMIT}}
    return {**told, "code": "event-unreadable", "values": {"why": why}}
