"""An entry of a rulebook made ready: its days, tests, signers, needs, fields and checklist."""

from . import approvals, people
from .shapes import Any, Json

CONTROL = "control"


def entry_of(book: Json, entry: Json) -> Json:
    """Return an entry of any part of the rulebook with what is asked of it looked up once."""
    made = dated(book, entry)
    when = entry.get("when", {})
    made["clause"] = entry.get("clause", [])
    made["tests"] = _tests(when)
    made["weight"] = len(when) + len(when.get(CONTROL, {}))
    made["signers"] = [_slot(book, slot) for slot in entry.get("signers", [])]
    made["needs"] = [_need(need) for need in entry.get("needs", [])]
    made["asks"] = {field["name"]: field for field in entry.get("fields", [])}
    made["specs"] = _specs(book, entry, made["asks"])
    made["required"] = sorted([name for name in made["asks"] if made["asks"][name].get("required")])
    made["ways"] = {part: entry[part] for part in ("original", "duplicate") if part in entry}
    made["notes"] = [_need(line) for line in entry.get("checklist", [])]
    return made


def dated(book: Json, entry: Json) -> Json:
    """Return an entry with the gaming days from `since` on and before `until` it is in force."""
    since = entry.get("in_force", book["in_force"])
    return dict(entry, since=since, until=entry.get("until", approvals.FOREVER))


def _specs(book: Json, entry: Json, asks: Json) -> Json:
    """Each field of the entry's steps: what the vocabulary says of it, narrowed by the entry."""
    specs: Json = {}
    for step in listed(entry.get("step", [])):
        fields = book["words"]["steps"].get(step, {}).get("fields", {})
        for name in fields:
            specs[name] = dict(fields[name])
            specs[name].update(asks.get(name, {}))
    return specs


def _slot(book: Json, slot: Json) -> Json:
    made = dict(slot)
    made["need"] = listed(slot["need"])
    made["jobs"] = {job: True for word in made["need"] for job in book["needs"][word]}
    made["outside"] = _outside(book, made)
    made["tests"] = _tests(slot.get("when", {}))
    made["relates"] = any(word in slot for word in people.RELATES)
    return made


def _outside(book: Json, slot: Json) -> list[str]:
    """The jobs in which somebody who is not of the house fills a slot: the clause names them."""
    if not slot.get("clause"):
        return []
    named = [job for word in slot["need"] if word != "anyone" for job in book["needs"][word]]
    return sorted([job for job in named if book["departments"][job] in people.OUTSIDE])


def _need(need: Json) -> Json:
    made = dict(need)
    made["tests"] = _tests(need.get("when", {}))
    return made


def _tests(when: Json) -> list[list[Any]]:
    """What a `when` asks for: `[trait, {word: True, ...}]`. Controls were settled when the book
    was loaded.
    """
    return [
        [trait, dict.fromkeys(listed(value), True)]
        for trait, value in sorted(when.items())
        if trait != CONTROL
    ]


def listed(value: Any) -> list[Any]:
    """Return a value as a list: itself where it is one."""
    return value if isinstance(value, list) else [value]
