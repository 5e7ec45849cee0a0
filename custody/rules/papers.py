"""Two-part forms as items: original and duplicate, each with the way that a rulebook's `[[paper]]`
says.

A form has a number, of a lot of blank forms (`FR-DDR/000123`) or of its own. The step that names
it, in `with.form_number` or in `with.fact.form`, uses the blank up and makes the parts, which are
items: `FR-DDR/000123/original`, `FR-DDR/000123/duplicate`. A part's `way` are the types of place
where it has still to go.
"""

from . import numbered, serials
from .book import holds, in_force
from .exception_kinds import GAP
from .shapes import Any, Json

KIND = "form"
PARTS = ("original", "duplicate")
LONGEST = 50
# Steps that make no use of a form: of places, and about the record itself.
NEVER = ("count", "access", "table", "notify", "correct", "resolve", "administer")
# Steps with which papers go along that lie with what is named.
HANDED = ("hand_over", "open")
CARRIED = ("store", "return", "deliver", "issue", "collect")
_WITH_PAPERS = HANDED + CARRIED


def number(event: Json) -> Any:
    """Return the number of the form on which a step is written down, None for none."""
    fields = event.get("with")
    if not fields or ("form_number" not in fields and "fact" not in fields):
        return None
    fact = fields.get("fact")
    found = fields.get("form_number") or (fact.get("form") if isinstance(fact, dict) else None)
    if event["step"] in NEVER or not isinstance(found, str) or not 0 < len(found) <= LONGEST:
        return None
    return found if all("!" <= letter <= "~" for letter in found) and ".." not in found else None


def is_on(event: Json, value: Any) -> bool:
    """Whether a step is written down on this blank form."""
    return value is not None and value["kind"] == KIND and numbered.applied(value, number(event))


def run(facts: Any, event: Json) -> Any:
    """Return the run of the blank form that a step uses up; None for a number of no lot."""
    return numbered.unused(facts, number(event), KIND)


def base(facts: Any, event: Json) -> Any:
    """Return the full name of the form's number, None where it is not clear."""
    named = number(event)
    if named is None or not numbered.numbers(facts, named, KIND):
        return named
    found = numbered.meant(facts, named, KIND)
    return None if found is None else serials.name(found, found["first"])


def codes(facts: Any, event: Json) -> list[str]:
    """Return the codes of the parts that a step may make, and of those that go along with it."""
    along = _along(facts, event) if event["step"] in _WITH_PAPERS else []
    named = base(facts, event) if event.get("with") else None
    found = [] if named is None else [named + serials.INSIDE + part for part in PARTS]
    for key in along:
        papers = (facts.get("task", "form:" + key) or {}).get("papers", {})
        found.extend([papers[part] for part in PARTS if part in papers])
    return found


def _along(facts: Any, event: Json) -> list[str]:
    """The events whose forms lie with the items that are named."""
    found: Json = {}
    for code in event.get("items") or []:
        value = facts.get("item", code)
        if value is None:
            continue
        if event["step"] == "hand_over":
            found.update({made["event"]: True for made in value.get("reports", [])})
        elif event["step"] == "open":
            inner = [facts.get("item", one) or {} for one in value.get("contents", [])]
            found.update({(one.get("preshuffled") or {}).get("event", ""): True for one in inner})
        elif value.get("form_event"):
            found[value["form_event"]] = True
    return sorted(found)


def part_of(code: Any) -> str:
    """Return which part of a form a code names, "" for none."""
    tail = str(code).rpartition(serials.INSIDE)[2]
    return tail if tail in PARTS and tail != code else ""


def of(book: Json, facts: Any, event: Json, named: list[str], day: str) -> Any:
    """Return the rulebook's entry for the form on which a step is written down; None for none."""
    if number(event) is None:
        return None
    first = facts.get("item", named[0]) if named else None
    kind = (first.get("kinds") or [first["kind"]])[0] if first else event.get("kind")
    traits = {"kind": kind, "report": (event.get("with") or {}).get("form")}
    for entry in book["papers"].get(event["step"], []) + book["papers"].get("any", []):
        if holds(entry["tests"], traits) and in_force(entry, day):
            return entry
    return None


def goes_to(value: Json, kind: str) -> bool:
    """Whether a part of a form is to be brought to a place of this type next."""
    return bool(value.get("way")) and kind in value["way"][0]


def makes(event: Json, code: str) -> bool:
    """Whether an event brings a part of a form into being."""
    return event["paper"] is not None and part_of(code) in event["paper"]["ways"]


def created(event: Json, code: str) -> Json:
    """Return the value of a part that comes into being: who performs the step has it, unless it is
    already where it goes first.
    """
    part = part_of(code)
    stem = code[: -len(part) - 1]
    place = event["where"] or event["from_place"]
    value: Json = {"code": code, "kind": KIND, "form": part, "in": None, "times": {}, "pieces": 1}
    value["attributes"] = {"number": stem, "document": event["with"].get("form") or event["step"]}
    value["event"] = event["id"]
    value["clauses"] = event["paper"]["clause"]
    value["way"] = [list(types) for types in event["paper"]["ways"][part]]
    value.update({"state": "issued", "place": place, "holder": event["by"][0]})
    if value["way"] and event["place_type"] in value["way"][0] and event["where"] is None:
        _lies(value, event, place, event["place_type"])
    return value


def _lies(value: Json, event: Json, place: Any, kind: Any) -> None:
    value.update({"place": place, "holder": None, "state": event["arrivals"].get(kind, "issued")})
    value["way"] = value["way"][1:]


def touch(event: Json, value: Json) -> None:
    """Send a part on its way with what it belongs to: to where that goes, or back to the pit."""
    if not value["way"] or value.get("event") == event["id"]:
        return
    if event["step"] == "open" and event["place_type"] != "table":
        return  # no delivery of a batch
    if event["to_type"] in value["way"][0]:
        _lies(value, event, event["to"], event["to_type"])
    elif event["step"] in HANDED and "pit_stand" in value["way"][0] and event["pit"]:
        _lies(value, event, event["pit"], "pit_stand")
    elif event["step"] in HANDED:
        value.update({"holder": event["by"][0], "place": None})
        if "pit_stand" in value["way"][0]:
            value["way"] = value["way"][1:]  # it came from no pit, and goes on from here


def voided(event: Json, value: Json) -> None:
    """A part that is void goes nowhere any more, and is kept where it is."""
    if value["kind"] == KIND:
        value["state"] = "voided"
        value["void"] = {"reason": event["with"].get("reason"), "at": event["at"]}
        value["way"] = []


def arrived(event: Json, value: Json) -> None:
    """A part that was named has come to the next place of its way."""
    if value.get("way") and event["to_type"] in value["way"][0]:
        value["way"] = value["way"][1:]


def missing(facts: Any, event: Json, clause: Any) -> list[Json]:
    """Return the exceptions of a count of forms: the parts that should lie there and do not."""
    if event["kind"] != KIND:
        return []
    told = event["with"].get("found") or []
    seen = [code for code in told if not isinstance(told, dict) or told[code] != 0]
    values = {"place": event["where"], "event": event["id"]}
    return [
        {"kind": GAP, "clause": clause, "items": [code], "values": dict(values)}
        for code in facts.at(event["where"])
        if part_of(code) and code not in seen
    ]


def found_again(store: Any, named: list[str]) -> list[str]:
    """Return the ids of the exceptions about parts that were missed and are named now."""
    parts = [code for code in named if serials.INSIDE in code and part_of(code)]
    return [key for code in parts for key, kind, _ in store.open(code) if kind == GAP]


def written(event: Json, value: Json) -> None:
    """A blank form is used up, or passed over."""
    if numbered.applied(value, number(event)):
        value["on"] = event["id"]
        value["missed"] = None
        value["place"] = event["where"] or event["from_place"] or value["place"]
        value["holder"] = event["by"][0]
    else:
        value["missed"] = event["id"]


def tied(facts: Any, event: Json, records: list[list[Any]]) -> list[list[Any]]:
    """Return the tasks of a step with its form in them: number and parts, which say themselves
    where they are.
    """
    if event["base"] is None:
        return records
    key = "form:" + event["id"]
    known = [value for _, name, value in records if name == key]
    form = dict(known[0] if known else _plain(event), number=event["base"])
    form["papers"] = {p: event["base"] + serials.INSIDE + p for p in event["paper"]["ways"]}
    for part in PARTS:
        form.pop(part, None)
    form["trail"] = [[event["id"], {"delivered": None}]]
    return [record for record in records if record[1] != key] + [["task", key, form]]


def _plain(event: Json) -> Json:
    form: Json = {"form": event["step"], "event": event["id"], "items": event["codes"]}
    form.update({"at": event["at"], "day": event["day"], "by": event["by"]})
    return form
