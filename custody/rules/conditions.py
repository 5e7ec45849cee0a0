"""The closed vocabulary of conditions: what an entry's `needs` may ask for.

Each takes the context, the group and the need, and returns None where it holds, else the values
that its sentence names; `items` among them are the codes that fail. `custody/rulebooks/README.md`
says what each one's arguments are.
"""

from . import context, dice_measures, people
from .shapes import Any, Json

CODES = {
    "state": "wrong-state",
    "from": "wrong-source",
    "to": "wrong-destination",
    "where": "wrong-place",
    "never": "forbidden",
    "approved": "place-unapproved",
    "design": "design-unapproved",
    "on_site": "off-site",
    "table_open": "table-closed",
    "fits_game": "wrong-game",
    "pieces": "wrong-pieces",
    "inspected": "not-inspected",
    "fresh": "inspection-stale",
    "unused": "already-used",
    "since_open": "used-before-reopening",
    "none_left": "set-left-on-table",
    "clean": "box-doubtful",
    "reported": "not-reported",
    "not_suspect": "suspect",
    "suspect": "not-suspect",
    "looked": "not-looked-at",
    "sealed": "not-sealed",
    "seal_fresh": "seal-used",
    "signed": "collector-unsigned",
    "measured": "measure-wrong",
    "own_hold": "hold-not-yours",
    "either": "field-missing",
    "apart": "stored-with-chips",
    "same_place": "other-place",
    "alone": "one-set-each",
    "empty": "envelope-full",
    "preinspected": "inspection-stale",
    "pit": "wrong-destination",
    "opened": "not-opened",
    "reserve_only": "not-reserve",
    "vessel": "wrong-vessel",
    "exception_open": "exception-unclear",
    "supervisor": "not-supervisor",
}


def _failing(group: Json, fails: Any) -> list[str]:
    return [code for code, value, _ in group["items"] if fails(value)]


def _items(codes: list[str]) -> Any:
    return {"items": codes} if codes else None


def state(found: Json, group: Json, need: Json) -> Any:
    """The item is in one of the states `any`."""
    now = group["traits"]["state"]
    return None if now in need["any"] else {"state": now, "any": need["any"]}


def _place(found: Json, group: Json, need: Json, trait: str) -> Any:
    types = need.get("types")
    kind, use = group["traits"][trait], group["traits"].get(trait + "_use")
    if types is not None and kind not in types:
        return {"type": kind, "types": types}
    if kind == "storage" and use and "uses" in need and use not in need["uses"]:
        return {"type": use, "types": need["uses"]}
    return None


def source(found: Json, group: Json, need: Json) -> Any:
    """The item comes from a place of one of `types`."""
    return _place(found, group, need, "from")


def destination(found: Json, group: Json, need: Json) -> Any:
    """It goes to a place of one of `types`; a storage is for one of `uses`."""
    return _place(found, group, need, "to")


def place(found: Json, group: Json, need: Json) -> Any:
    """It happens at a place of one of `types`."""
    return _place(found, group, need, "where")


def never(found: Json, group: Json, need: Json) -> Any:
    """What the entry selects is forbidden."""
    return {}


def approved(found: Json, group: Json, need: Json) -> Any:
    """The place of the step is approved by the regulator."""
    if "from" in need.get("roles", []):
        place = found["facts"].get("place", group["items"][0][1]["place"] or "")
        return (
            {"place": group["items"][0][1]["place"]}
            if place and place.get("approved") is False
            else None
        )
    for role in ("to", "where"):
        if found[role] is not None and found[role].get("approved") is False:
            return {"place": found[role + "_id"]}
    return None


def design(found: Json, group: Json, need: Json) -> Any:
    """The design is approved: the operator's `designs` control is not `pending`."""
    return {} if found["book"]["controls"].get("designs") == "pending" else None


def on_site(found: Json, group: Json, need: Json) -> Any:
    """The place lies inside the facility."""
    where = found["where"] or found["to"]
    return {"place": found["where_id"]} if where and where.get("off_site") else None


def table_open(found: Json, group: Json, need: Json) -> Any:
    """The table is open (or closed, with `open = false`)."""
    table = found["where"] or found["to"]
    if (
        table is None
        or table["type"] != "table"
        or context.is_open(table) == need.get("open", True)
    ):
        return None
    return {"place": found["where_id"] or found["to_id"]}


def fits_game(found: Json, group: Json, need: Json) -> Any:
    """The item was made for the table's game."""
    played = group["traits"]["game"]

    def misfit(value: Json) -> bool:
        made_for = value["attributes"].get("games", [])
        return bool(made_for) and not any(game in made_for for game in played)

    failing = _failing(group, misfit)
    return {"items": failing, "game": played} if failing else None


def pieces(found: Json, group: Json, need: Json) -> Any:
    """As many pieces as the game needs: `count` by game."""
    for game in group["traits"]["game"]:
        wanted = need["count"].get(game)
        if wanted is None:
            continue
        failing = [code for code, value, _ in group["items"] if value["pieces"] != wanted]
        if failing:
            return {"items": failing, "count": wanted, "game": game}
    return None


def inspected(found: Json, group: Json, need: Json) -> Any:
    """It passed its inspection and was not put away since; `at` names the types of place where."""

    def fails(value: Json) -> bool:
        done = value.get("inspection")
        if done is None or done["result"] != "pass":
            return True
        return "at" in need and done["type"] not in need["at"]

    return _items(_failing(group, fails))


def fresh(found: Json, group: Json, need: Json) -> Any:
    """The inspection is of this gaming day, unless the set stayed sealed and labelled in the
    reserve.
    """

    def stale(value: Json) -> bool:
        done = value.get("inspection")
        if done is None or value.get("preinspected"):
            return done is None
        return value["state"] == "reserve" and bool(done["day"] != found["day"])

    return _items(_failing(group, stale))


def unused(found: Json, group: Json, need: Json) -> Any:
    """It has not been in play since it was last made ready."""
    return _items(_failing(group, lambda v: "play" in v["times"]))


def since_open(found: Json, group: Json, need: Json) -> Any:
    """It was in play at no time before the table was opened again."""
    table = (found["where"] or {}).get("table")
    if table is None or table["state"] != "open":
        return None
    return _items(_failing(group, lambda v: v["times"].get("play", table["at"]) < table["at"]))


def none_left(found: Json, group: Json, need: Json) -> Any:
    """No set of `kind` that was in play before is left on the table."""
    left = []
    for code in found["facts"].at(found["where_id"]) if found["where_id"] else []:
        value = found["facts"].get("item", code)
        if value and value["kind"] == need["kind"] and value["state"] == "in_play":
            left.append(code)
    return _items(left)


def clean(found: Json, group: Json, need: Json) -> Any:
    """It came in a box with a whole seal, or was examined and found to conform, without
    tampering.
    """
    return _items(_failing(group, lambda v: v.get("doubtful")))


def reported(found: Json, group: Json, need: Json) -> Any:
    """A discrepancy report was made: of form `form`, where the removal was for one of
    `removed_for`.
    """
    reasons = need.get("removed_for")

    def silent(value: Json) -> bool:
        if reasons and (value.get("removal") or {}).get("reason") not in reasons:
            return False
        return not any(r["form"] in need.get("form", [r["form"]]) for r in value.get("reports", []))

    return _items(_failing(group, silent))


def not_suspect(found: Json, group: Json, need: Json) -> Any:
    """Nothing that hints at tampering was found on it."""
    return _items(_failing(group, lambda v: v.get("suspect")))


def suspect(found: Json, group: Json, need: Json) -> Any:
    """Something was found on it, or it was taken out for one of `removed_for`."""

    def innocent(value: Json) -> bool:
        reason = (value.get("removal") or {}).get("reason")
        return not value.get("suspect") and reason not in need.get("removed_for", [])

    return _items(_failing(group, innocent))


def looked(found: Json, group: Json, need: Json) -> Any:
    """It was looked at after it was last in play."""

    def unseen(value: Json) -> bool:
        times = value["times"]
        last = max(times.get("remove", 0), times.get("play", 0))
        return "play" in times and (value.get("looked") or {"at": -1})["at"] < last

    return _items(_failing(group, unseen))


def sealed(found: Json, group: Json, need: Json) -> Any:
    """It travels in a sealed envelope, named as a whole; `purpose` says what for."""
    purposes = need.get("purpose")
    failing = [
        code
        for code, value, envelope in group["items"]
        if envelope is None
        or not envelope.get("sealed")
        or (purposes and envelope["purpose"] not in purposes)
    ]
    return _items(failing)


def seal_fresh(found: Json, group: Json, need: Json) -> Any:
    """The seal's number closed nothing before."""
    seal = found["with"].get("seal")
    used = found["facts"].sealed(seal) if seal else []
    into = found["draft"].get("into")
    return {"seal": seal, "used": used, "items": [into]} if used else None


def signed(found: Json, group: Json, need: Json) -> Any:
    """The collector signs, unless the operator has an approved procedure without."""
    waived = found["book"]["controls"].get("collector_signature") == "waived"
    return {} if found["with"].get("signed") is False and not waived else None


def own_hold(found: Json, group: Json, need: Json) -> Any:
    """Who releases is who holds: the commission's hold needs its representative."""
    commission = any(p["job"] == "compliance_representative" for p in found["people"])
    failing = _failing(
        group,
        lambda v: (v.get("hold") or {}).get("by") == "commission" and not commission,
    )
    return _items(failing)


def either(found: Json, group: Json, need: Json) -> Any:
    """At least one of the fields `fields` is given."""
    given = [f for f in need["fields"] if found["with"].get(f) not in (None, "", [])]
    return None if given else {"field": need["fields"]}


def apart(found: Json, group: Json, need: Json) -> Any:
    """The store holds no chips or plaques."""
    holds = (found["to"] or {}).get("holds", [])
    return {"place": found["to_id"]} if "chips" in holds or "plaques" in holds else None


def alone(found: Json, group: Json, need: Json) -> Any:
    """One set goes into an envelope of its own."""
    return None if len(found["items"]) == 1 else {}


def empty(found: Json, group: Json, need: Json) -> Any:
    """The envelope is new, or was opened and emptied: what is sealed is not added to."""
    into = found["into"]
    return {"into": found["draft"]["into"]} if into and into.get("contents") else None


def preinspected(found: Json, group: Json, need: Json) -> Any:
    """It was inspected, sealed and labelled, and its envelope never left the compartment."""

    def fails(value: Json) -> bool:
        kept = value.get("preinspected")
        return not kept or bool(kept["place"] != value["place"])

    return _items(_failing(group, fails))


def pit(found: Json, group: Json, need: Json) -> Any:
    """It is locked away in a pit stand."""
    place = found["to"] or found["facts"].get("place", group["items"][0][1]["place"] or "")
    return None if place and place["type"] == "pit_stand" else {"place": found["to_id"]}


def opened(found: Json, group: Json, need: Json) -> Any:
    """The envelope was opened and its seal compared before its contents are named."""
    return _items([code for code, value, envelope in group["items"] if envelope is not None])


def reserve_only(found: Json, group: Json, need: Json) -> Any:
    """It is reserve, and not in an envelope for destruction."""
    wrong = [
        code
        for code, value, envelope in group["items"]
        if envelope and envelope["purpose"] != "reserve_inspected"
    ]
    return _items(wrong)


def same_place(found: Json, group: Json, need: Json) -> Any:
    """It lies at the place of the step."""
    where = found["where_id"]
    away = _failing(group, lambda v: where is not None and v["place"] != where)
    return {"items": away, "place": where} if away else None


def vessel(found: Json, group: Json, need: Json) -> Any:
    """The vessel is the one in which the game's dice are kept: `by` game. Where none is named,
    none is wrong.
    """
    named = found["with"].get("vessel")
    for game in group["traits"]["game"]:
        wanted = need["by"].get(game)
        if named and wanted and named != wanted:
            return {"vessel": named, "must": wanted, "game": game}
    return None


def exception_open(found: Json, group: Json, need: Json) -> Any:
    """The exception that is named is open on the items, and only one of that kind."""
    named = found["with"].get("exception")
    events: Json = {}
    for code, _, _ in found["items"]:
        for key, kind, event in found["facts"].open(code):
            if named in (key, kind):
                events[event] = True
    if not events:
        return {"exception": named}
    return None if len(events) == 1 else {"exception": named, "events": sorted(events)}


def supervisor(found: Json, group: Json, need: Json) -> Any:
    """The person signed the event in question, or is one of `jobs`."""
    event = found["facts"].get("event", found["with"].get(need["event"]) or "")
    wrote = [] if event is None else people.ids(event)
    jobs = found["book"]["needs"][need["jobs"]]
    if any(p["id"] in wrote or p["job"] in jobs for p in found["people"]):
        return None
    return {}


CHECKS: Json = {
    "state": state,
    "from": source,
    "to": destination,
    "where": place,
    "never": never,
    "approved": approved,
    "design": design,
    "on_site": on_site,
    "table_open": table_open,
    "fits_game": fits_game,
    "pieces": pieces,
    "inspected": inspected,
    "fresh": fresh,
    "unused": unused,
    "since_open": since_open,
    "none_left": none_left,
    "clean": clean,
    "reported": reported,
    "not_suspect": not_suspect,
    "suspect": suspect,
    "looked": looked,
    "sealed": sealed,
    "seal_fresh": seal_fresh,
    "signed": signed,
    "measured": dice_measures.measured,
    "own_hold": own_hold,
    "either": either,
    "apart": apart,
    "alone": alone,
    "empty": empty,
    "preinspected": preinspected,
    "pit": pit,
    "opened": opened,
    "reserve_only": reserve_only,
    "same_place": same_place,
    "vessel": vessel,
    "exception_open": exception_open,
    "supervisor": supervisor,
}
