"""A step's form, made from the rulebook's entry: fields, signers and what only a person can
check.
"""

from . import context, people, taking, traits
from .book import holds, in_force, noted, select
from .shapes import Any, Json


def form(book: Json, facts: Any, draft: Json) -> Json:
    """Return what a screen for a step shows, for a draft that may still be incomplete.

    `fields` [{"name", "type", "options", "required", "clause", "value"}, ...] in the vocabulary's
    order, those that the entries tell apart first; `places` [{"name": "to"|"into"|"where",
    "required", "options"}, ...]; `signers` [{"need", "clause", "filled_by", "performs",
    "outside"}, ...] where `filled_by` is a person id or None, and `outside` the jobs in which
    somebody may sign who is not of the house; `clauses` [{"line", "clause"}, ...], the checklist,
    of which what is ticked goes into `with.checked`; `counts` the cases of which it asks how many
    pieces (`taking.asked`); `cites` the entry's clauses; `why` what may be said of a fact;
    `about` the kinds of what is named, sorted.
    Several kinds in one step give the union. Labels are in the catalogue (`sentences.label`).
    """
    found = context.of(book, facts, draft)
    book = found["book"]
    made: Json = {
        "fields": [],
        "places": [],
        "signers": [],
        "clauses": [],
        "cites": [],
        "fact": [],
        "counts": [],
        "why": book["words"]["everywhere"]["fact"]["words"],
        "about": _kinds(found),
    }
    words = book["words"]["steps"].get(draft["step"])
    if words is None:
        return made
    made["places"] = _places(words, draft)
    made["counts"] = taking.asked(book, found["facts"], draft)
    house = [person for person in found["people"] if not person.get("outside")]
    signed_on = house + [p for p in found["present"] if p not in found["people"]]
    made["fact"] = [person["id"] for person in signed_on if person["job"] in book["facts"]]
    for group in found["groups"]:
        entry = select(book, draft["step"], group["traits"], found["day"])
        if entry is not None:
            _fields(made, found, words, entry, group)
            _signers(made, found, entry, group)
            _notes(made, entry, group)
            for rule in book["rules"].get(draft["step"], []):
                if holds(rule["tests"], group["traits"]) and in_force(rule, found["day"]):
                    _stricter(made, found, rule)
                    _signers(made, found, rule, group)
                    _notes(made, rule, group)
    return made


def _kinds(found: Json) -> list[str]:
    known = [group["traits"]["kind"] for group in found["groups"]]
    return sorted(dict.fromkeys([kind for kind in known if kind]))


def _stricter(made: Json, found: Json, rule: Json) -> None:
    """A rule asks for fields of the entry besides, and narrows their words."""
    for field in made["fields"]:
        spec = rule["asks"].get(field["name"])
        if spec is None:
            continue
        if spec.get("required") and asked(found, spec):
            field["required"] = True
            field["clause"] = field["clause"] or spec.get("clause")
        narrow = spec.get("all") or spec.get("words")
        if narrow:
            field["options"] = [word for word in field["options"] if word in narrow]


def _places(words: Json, draft: Json) -> list[Json]:
    return [
        {"name": role, "required": role in words.get("requires", []), "value": draft.get(role)}
        for role in ("to", "into", "where")
        if role in words.get("requires", []) or draft.get(role)
    ]


def _fields(made: Json, found: Json, words: Json, entry: Json, group: Json) -> None:
    known = {field["name"]: field for field in made["fields"]}
    for name in words["order"]:
        spec = entry["specs"][name]
        if not _fits(found, spec, group["traits"]["kind"]):
            continue
        required = bool(spec.get("required")) and asked(found, spec)
        if name in known:
            known[name]["required"] = known[name]["required"] or required
            continue
        made["fields"].append(
            {
                "name": name,
                "type": spec["type"],
                "label": spec.get("label"),
                "options": _options(found, name, spec, group["traits"]["kind"]),
                "required": required,
                "clause": spec.get("clause"),
                "unit": spec.get("unit"),
                "must": spec.get("is"),
                "value": found["with"].get(name),
            }
        )


def _fits(found: Json, spec: Json, kind: Any) -> bool:
    """Whether a field is for this kind, and not one that the controls do not ask for."""
    control = "control" in spec.get("if", {})
    return kind in spec.get("kinds", [kind]) and (not control or asked(found, spec))


def _options(found: Json, name: str, spec: Json, kind: Any) -> list[Any]:
    """The words to choose from: all that must be ticked, those that entries tell apart, or the
    vocabulary's.
    """
    for field, trait in traits.CHOICES:
        if field == name:
            told = choices(found["book"], found["step"], field, trait, kind)
            if told:
                return told
    return list(spec.get("all") or spec.get("words") or [])


def asked(found: Json, spec: Json) -> bool:
    """Whether a field is asked for now: `if` names fields of `with`, or controls, and what calls
    for it.
    """
    wanted = spec.get("if", {})
    controls = wanted.get("control", {})
    return all(found["book"]["controls"].get(name) == controls[name] for name in controls) and all(
        found["with"].get(name) == wanted[name] for name in wanted if name != "control"
    )


def _signers(made: Json, found: Json, entry: Json, group: Json) -> None:
    slots = [slot for slot in entry["signers"] if holds(slot["tests"], group["traits"])]
    values = [value for _, value, _ in group["items"]]
    games = group["traits"]["game"]
    filled = people.fill(slots, found["people"], values, games)
    for number, slot in enumerate(slots):
        person = None if filled[number] is None else found["people"][filled[number]]["id"]
        line = {
            "need": slot["need"],
            "clause": slot.get("clause"),
            "performs": bool(slot.get("performs")),
            "filled_by": person,
            "outside": slot["outside"],
            "who": people.able(slot, found["present"], values, games),
        }
        if line not in made["signers"]:
            made["signers"].append(line)


def _notes(made: Json, entry: Json, group: Json) -> None:
    for line in noted(entry, group["traits"]):
        note = {"line": line["line"], "clause": line.get("clause")}
        if note not in made["clauses"]:
            made["clauses"].append(note)
    made["cites"].extend([clause for clause in entry["clause"] if clause not in made["cites"]])


def choices(book: Json, step: str, field: str, trait: str, kind: Any = None) -> list[str]:
    """Return the words of a field that entries of a step (for a kind) tell apart, in order."""
    spec = book["words"]["steps"][step]["fields"].get(field)
    if spec is None:
        return []
    entries = [e for e in book["steps"][step] if kind is None or _about(e, kind)]
    return [w for w in spec.get("words", []) if any(_tells(e, trait, w) for e in entries)]


def _about(entry: Json, kind: str) -> bool:
    return all(kind in wanted for trait, wanted in entry["tests"] if trait == "kind")


def _tells(entry: Json, trait: str, word: str) -> bool:
    return any(name == trait and word in wanted for name, wanted in entry["tests"])
