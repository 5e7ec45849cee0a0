"""Gaming days that are signed off, and what comes late for one of them.

A day's sign-off is an administrative act (`with.what` is `day`, `with.subject` the date). The
record `day` is `{"day", "signed": [{"event", "at", "by"}, ...]}`, the first sign-off first: one
that was corrected counts for nothing, and the day is open again.
"""

from . import context, corrected, days, naming
from .book import select
from .exception_kinds import CLAIM, LATE
from .shapes import Any, Json

ACT = "day"


def standing(facts: Any, day: str) -> Any:
    """Return the sign-off of a gaming day that counts, None while the day is open."""
    record = facts.get("day", day)
    for one in record["signed"] if record else []:
        if not corrected.is_dead(facts, one["event"]):
            return one
    return None


def unsigned(book: Json, facts: Any, moved: list[str], now: int) -> list[str]:
    """Return, of gaming days in which something moved, those that are over and that nobody signed
    off, in the order in which they were given.
    """
    over = [day for day in moved if days.end(book, day) <= now]
    return [day for day in over if standing(facts, day) is None]


def records(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """Return the record of the day that an administrative act signs off."""
    day = event["with"].get("subject")
    if event["with"].get("what") != ACT or not _is_day(day):
        return []
    known = facts.get("day", day) or {"day": day, "signed": []}
    one = {"event": event["id"], "at": event["at"], "by": event["by"]}
    return [["day", day, dict(known, signed=known["signed"] + [one])]]


def late(book: Json, facts: Any, event: Json, raised: list[Json]) -> list[Json]:
    """Return `late` for an event of a gaming day that was signed off before it came: the day of a
    fact is that in which it happened. Beside a concurrent claim nothing else is raised.
    """
    day = days.gaming_day(book, context.effective(event))
    one = standing(facts, day)
    if one is None or any(other["kind"] == CLAIM for other in raised):
        return []
    items = naming.codes_of(book, facts, event)["codes"]
    values = {"day": day, "person": one["by"][0], "signed": one["at"], "event": one["event"]}
    return [{"kind": LATE, "clause": None, "items": items, "values": values}]


def _is_day(text: Any) -> bool:
    return isinstance(text, str) and days.is_date(text)


def day_over(found: Json, group: Json, need: Json) -> Any:
    """The gaming day that is signed off is a date, and over."""
    day = found["with"].get("subject")
    if day is None:
        return None  # `field-missing` says so
    if not _is_day(day):
        return {"day": day, "code": "day-unknown"}
    return {"day": day} if found["at"] < days.end(found["book"], day) else None


def day_open(found: Json, group: Json, need: Json) -> Any:
    """The gaming day was not signed off yet, or its sign-off was corrected."""
    day = found["with"].get("subject")
    one = standing(found["facts"], day) if _is_day(day) else None
    return one and {"day": day, "person": one["by"][0]}


def day_signer(found: Json, group: Json, need: Json) -> Any:
    """Only who may sign off a gaming day opens it again, by correcting its sign-off."""
    wrong = found["with"].get(need["event"])
    event = found["facts"].get("event", wrong) if wrong else None
    if event is None or event["step"] != "administer":
        return None
    if (event.get("with") or {}).get("what") != ACT:
        return None
    slots = select(found["book"], "administer", {"act": ACT}, found["day"])["signers"]
    if any(person["job"] in slot["jobs"] for slot in slots for person in found["people"]):
        return None
    return {"need": [word for slot in slots for word in slot["need"]]}


CHECKS: Json = {"day_over": day_over, "day_open": day_open, "day_signer": day_signer}

CODES = {
    "day_over": "day-not-over",
    "day_open": "day-signed-off",
    "day_signer": "signer-missing",
}
