"""What is wrong with an event before any rule is asked: who sent it, its clock, its sign-ons."""

from __future__ import annotations

from collections.abc import Iterator

from custody.ledger.cache import Value
from custody.ledger.core import DESK
from custody.ledger.upstream.names import NODE, signed_as
from custody.ledger.work import Entry, Work
from custody.rules import exception_kinds as kinds

CLOCK_AHEAD_MS = 120_000  # a wall clock further than this from the server's raises `clock`
CLOCK_BEHIND_MS = 2_000  # what a wall clock may lose against `mono` by being set right gently
DRIFT_PER_MS = 0.0005  # two good clocks of one device drift apart by less than this
HOUR_MS = 3_600_000
LEASE_HOURS = 168  # the longest sign-on lease; design.md, "Signing on at a handheld"
CONTACT_MS = 600_000  # contacts are noted to ten minutes
LOG_REWRITTEN = kinds.LOG_REWRITTEN  # of the act too, by which the desk records it
ADMINISTER = "administer"
OF_STATE = {"pending": kinds.PENDING_DEVICE, "revoked": kinds.REVOKED_DEVICE}


def is_apart(work: Work, entry: Entry) -> bool:
    """Say whether an event is kept apart from the state: a fork's, or a revoked device's."""
    return entry.branch > 1 or _state(work, entry) == "revoked"


def _state(work: Work, entry: Entry) -> str:
    return str((work.get("device", entry.device) or {}).get("state", "active"))


def of_entry(work: Work, entry: Entry) -> list[Value]:
    """Return what an event raises by itself; must be asked before its branch's head is moved."""
    found: list[Value] = []
    event = entry.event
    if entry.branch > 1 or _state(work, entry) in OF_STATE:
        found += _device(work, entry)
    if event is None:
        found.append({"kind": kinds.UNREADABLE, "values": {"why": entry.why}})
    elif entry.branch == 1:
        found += _clock(work, entry, event)
        found += _people(work, entry, event)
        if event["step"] == ADMINISTER:
            found += _log(entry, event)
            found += _administering(entry)
    items = (event or {}).get("items") or []
    return [{"items": list(items), **one} for one in found]


def _administering(entry: Entry) -> Iterator[Value]:
    """Yield `rule-broken` for an administrative act that is no desk's: it does nothing. Nor does
    one of a site node's desk, here: it is the node's own affair.
    """
    if signed_as(entry.device) not in (DESK, NODE):
        values = {"reason": "not-foreseen", "step": ADMINISTER, "kind": None}
        yield {"kind": kinds.RULE_BROKEN, "values": {**values, "from": None, "to": None}}


def _device(work: Work, entry: Entry) -> Iterator[Value]:
    state = _state(work, entry)
    if state in OF_STATE:
        yield {"kind": OF_STATE[state], "values": {"device": entry.device}}
    if entry.branch > 1 and entry.seq == _head(work, entry)["first"]:
        yield {
            "kind": kinds.FORK,
            "values": {"device": entry.device, "run": entry.run, "seq": entry.seq},
        }


def _log(entry: Entry, event: Value) -> Iterator[Value]:
    """Yield `log-rewritten` where the desk records that a device's checkpoint contradicts it."""
    told = event.get("with") or {}
    desk = signed_as(entry.device)  # or a site node's, whose log it is then
    if (desk, told.get("what")) == (DESK, LOG_REWRITTEN):
        yield {"kind": kinds.LOG_REWRITTEN, "values": {"device": told.get("subject")}}


def _clock(work: Work, entry: Entry, event: Value) -> Iterator[Value]:
    """Yield `clock` for a wall clock that is behind `mono`, or far from the server's."""
    server = event.get("server")
    if server is not None and abs(event["at"] - server) > CLOCK_AHEAD_MS:
        yield {"kind": kinds.CLOCK, "values": {"at": event["at"], "server": server}}
        return
    head = _head(work, entry)
    marks = (head["at"], head["mono"], event.get("mono"))
    if event.get("boot") is None or head["boot"] != event["boot"] or None in marks:
        return
    run_on = event["mono"] - head["mono"]
    lost = run_on - (event["at"] - head["at"])
    if lost > CLOCK_BEHIND_MS + run_on * DRIFT_PER_MS:
        yield {"kind": kinds.CLOCK, "values": {"at": event["at"], "behind": lost}}


def _head(work: Work, entry: Entry) -> Value:
    return work.head(entry.device, entry.run, entry.branch)


def _people(work: Work, entry: Entry, event: Value) -> Iterator[Value]:
    moment, contact = _moment(entry, event), None
    is_desk = signed_as(entry.device) == DESK
    for signer in event.get("by") or []:
        person = signer.get("person")
        value = work.get("person", person) if person else None
        if value is None:
            continue  # an outside signer, or one whom the rules raise as unknown
        if value.get("active") is False:
            yield {"kind": kinds.REVOKED_PERSON, "values": {"person": person}}
        elif not is_desk:
            hours = min(value.get("lease_hours", LEASE_HOURS), LEASE_HOURS)
            contact = contact or work.contacts(entry.device).before(moment, entry.position)
            if contact and moment - contact > hours * HOUR_MS + CONTACT_MS:
                values = {"person": person, "hours": hours, "contact": contact}
                yield {"kind": kinds.LEASE_EXPIRED, "values": values}


def _moment(entry: Entry, event: Value) -> int:
    """Return when an event happened as far as the server can tell: never after it came in."""
    server = event.get("server")
    return min(int(event["at"] if server is None else server), entry.received)
