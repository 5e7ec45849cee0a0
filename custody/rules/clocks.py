"""Deadlines: of items (rotation, destruction, the look at the end of the day) and of counts.

One function answers the handheld, the desk and `rehearse`. A deadline that has passed is `due`; one
in its last tenth (at least `SOON`, or the rulebook's value) is `soon`.
"""

from . import after_play, coupon_days, days, lots, marks, parts, recount, tables
from .book import holds, in_force, on
from .shapes import Any, Json

SOON = 15 * days.MINUTE
gaming_day = days.gaming_day


def due(book: Json, facts: Any, codes: list[str], now: int) -> list[Json]:
    """Return `{"clause", "item", "start", "at", "status", "at_once"}` for each deadline that runs
    for these items.

    Sorted by deadline, then item and clause. Times are UTC milliseconds.
    """
    book = on(book, days.gaming_day(book, now))
    found: list[Json] = []
    for code in [one for given in codes for one in lots.asked(facts, given)]:
        value = lots.value_of(facts, code)
        if value is not None:
            told = traits(book, value, facts)
            for clock in book["clocks"]:
                entry = _run(book, clock, value, told, now)
                if entry is not None:
                    found.append(dict(entry, item=code))
    return _by_time(found)


def _by_time(found: list[Json]) -> list[Json]:
    keys = sorted(
        [(entry["at"], entry["item"], entry["clause"], n) for n, entry in enumerate(found)]
    )
    return [found[key[3]] for key in keys]


def traits(book: Json, value: Json, facts: Any) -> Json:
    """Return the words by which a clock's `when` selects."""
    place = facts.get("place", value["place"]) if value["place"] else None
    packed = value.get("packed") or {}
    return {
        "kind": marks.kind(value),
        "form": value["form"],
        "state": marks.standing(value),
        "game": value.get("game") or value["attributes"].get("games"),
        "vessel": value.get("vessel"),
        "place": place["type"] if place else None,
        "handled": "yes" if _handled(value, place) else "no",
        "purpose": value.get("purpose") or packed.get("purpose"),
        "removed_for": (value.get("removal") or {}).get("reason"),
        "hold": (value.get("hold") or {}).get("by"),
        "released_by": value.get("released_by"),
        "suspect": "yes" if value.get("suspect") else "no",
        "replacement": "yes" if value.get("replacement") else "no",
        "wrapped": "yes" if value.get("wrapped") else "no",
        "unfit": "yes" if value.get("unfit") else "no",
        "plastic": "yes" if value["attributes"].get("plastic") else "no",
        "reuse": "yes" if after_play.may_return(book, value) else "no",
    }


def _handled(value: Json, place: Any) -> bool:
    """Whether players touch the cards: at the table where they lie, else where they were played."""
    if place is not None and place["type"] == "table":
        return tables.handled(place)
    return value.get("handled") is True


def _run(book: Json, clock: Json, value: Json, told: Json, now: int) -> Any:
    if not holds(clock["tests"], told) or _stopped(clock, value):
        return None
    if not in_force(clock, days.gaming_day(book, now)):
        return None
    if clock.get("every") == "gaming_day":
        return _daily(book, clock, value, now)
    if "ends" in clock:
        return _ending(book, clock, value, now)
    start = parts.since(value) if clock.get("taken") else _start(clock, value)
    if start is None or _ended(clock, value, start) or not _has_period(book, clock):
        return None
    return entry(clock, start, deadline(book, clock, start), now)


def _ending(book: Json, clock: Json, value: Json, now: int) -> Any:
    """A deadline that is the end of a gaming day which the item itself names."""
    start = _start(clock, value)
    if start is None or _ended(clock, value, start):
        return None
    if clock["ends"] == "gaming_day":
        return entry(clock, start, _closing(book, clock, start), now)
    day = coupon_days.LAST_DAYS[clock["ends"]](book, value)
    if day is None:
        return None
    return entry(clock, start, days.end(book, day), now)


def _closing(book: Json, clock: Json, start: int) -> int:
    """The end of the gaming day, or the next time of day that the operator's control names."""
    named = book["controls"].get(clock.get("control_time"))
    if not named:
        return days.end(book, days.gaming_day(book, start))
    return days.next_time(book, start, int(named[:2]) * 60 + int(named[3:5]))


def _has_period(book: Json, clock: Json) -> bool:
    """Whether the rule states a period, or the operator has set one where it states none."""
    control = clock.get("control_period") or {}
    return "period" in clock or book["controls"].get(control.get("name")) is not None


def _stopped(clock: Json, value: Json) -> bool:
    hold = value.get("hold") or {}
    return hold.get("by") in clock.get("stopped_by", [])


def _start(clock: Json, value: Json) -> Any:
    """The latest of the steps from which the clock counts."""
    times = [value["times"][step] for step in clock["start"] if step in value["times"]]
    return max(times) if times else None


def _ended(clock: Json, value: Json, start: int) -> bool:
    """Whether one of the steps that end the clock was taken since it started."""
    return any(value["times"].get(step, start - 1) >= start for step in clock.get("ended_by", []))


def deadline(book: Json, clock: Json, start: int) -> int:
    """Return the instant at which a period that started then is over.

    Hours pass as they pass; days end at the same wall-clock time; months end with their gaming day.
    """
    period = clock.get("period", {})
    control = clock.get("control_period") or {}
    chosen = book["controls"].get(control.get("name"))
    if control and chosen is not None:
        # An operator's shorter limit tightens the rule; a longer one does not loosen it.
        period = {control["unit"]: min(chosen, period.get(control["unit"], chosen))}
    if "hours" in period:
        return start + int(period["hours"]) * 60 * days.MINUTE
    if "days" in period:
        return days.after_days(book, start, period["days"])
    return days.after_months(book, start, period["months"])


def entry(clock: Json, start: int, at: int, now: int) -> Json:
    """Return one deadline with its status; `at_once` where the rule says "immediately"."""
    warn = (
        clock["soon"]["minutes"] * days.MINUTE if "soon" in clock else max(SOON, (at - start) // 10)
    )
    status = "due" if now > at else "soon" if now >= at - warn else "running"
    made = {"clause": clock["clause"][0], "start": start, "at": at, "status": status}
    return dict(made, at_once=clock.get("period") == {"hours": 0})


def _daily(book: Json, clock: Json, value: Json, now: int) -> Any:
    """Each gaming day on which it was in use ends with a look: the oldest day that lacks one
    counts.
    """
    times = value["times"]
    started = times.get(clock["start"][0])
    if started is None:
        return None
    first = days.gaming_day(book, started)
    looked = value.get("looked")
    if looked is not None and looked["day"] >= first:
        first = days.name(days.number(looked["day"]) + 1)
    used = now if value["state"] == "in_play" else times.get("remove", started)
    if first > days.gaming_day(book, used):
        return None
    return entry(clock, max(started, days.start(book, first)), days.end(book, first), now)


def due_counts(book: Json, facts: Any, kind: str, place: Any, now: int) -> list[Json]:
    """Return the deadlines of counts of a kind, for one place or for every store where it lies or
    lay.
    """
    book = on(book, days.gaming_day(book, now))
    found = []
    for rule in book["counts"]:
        if kind not in rule["kinds"] or "period" not in rule:
            continue
        found.extend(_while_there(book, facts, rule, kind, place, now))
        places = (facts.get("task", recount.task_id(kind)) or {}).get("places", {})
        for code in sorted(places):
            if place in (None, code) and _is_store(facts, rule, code):
                start = places[code]["last"] or places[code]["since"]
                made = entry(rule, start, deadline(book, rule, start), now)
                found.append(dict(made, item=None, place=code, kind=kind))
    return found


def _is_store(facts: Any, rule: Json, code: str) -> bool:
    place = facts.get("place", code)
    return place is None or place["type"] not in rule.get("also", [])


def _while_there(book: Json, facts: Any, rule: Json, kind: str, place: Any, now: int) -> list[Json]:
    """Counts of what lies outside of the stores, at places of the types `also`: they are due only
    while something lies there, from its arrival or the last count.
    """
    counted = (facts.get("task", recount.task_id(kind)) or {}).get("places", {})
    found = []
    for code in [code for type_ in rule.get("also", []) for code in facts.places(type_)]:
        values = [facts.get("item", one) for one in facts.at(code)] if place in (None, code) else []
        since = [v["times"].get("issue") for v in values if v["kind"] == kind and lots.is_range(v)]
        since = [at for at in since if at is not None]
        if since:
            start = max(min(since), (counted.get(code) or {}).get("last") or 0)
            made = entry(rule, start, deadline(book, rule, start), now)
            found.append(dict(made, item=None, place=code, kind=kind))
    return found
