"""A rulebook made ready for use: jobs resolved, entries sorted, what the operator's controls rule
out left out.

The rulebook is JSON as `rulebooks.loader` makes it; `custody/rulebooks/README.md` explains its
words.
"""

from . import approvals, jobs
from .entries import CONTROL, dated, entry_of, listed
from .shapes import Any, Json


def load(rulebook: Json, site: Json) -> Json:
    """Return a book: what every other function of the core takes first.

    `site` is `{"zone": [[UTC ms, offset minutes], ...], "day_starts": "HH:MM", "controls": {...}}`,
    and `register` where approvals begin or end (`approvals.controls`): `on` then gives the book of
    a gaming day.
    """
    book = _made(rulebook, site, "")
    register = site.get("register", [])
    if register:
        book["changes"] = {
            "days": approvals.changes(register),
            "rulebook": rulebook,
            "site": site,
            "made": {},
        }
    return book


def on(book: Json, day: str) -> Json:
    """Return the book with the choices that were in force on a gaming day."""
    changes = book.get("changes")
    if changes is None:
        return book
    since = approvals.since(changes["days"], day)
    made = changes["made"].get(since)
    if made is None:
        made = book if since == "" else _made(changes["rulebook"], changes["site"], since)
        made["changes"] = changes
        changes["made"][since] = made
    return made  # type: ignore[no-any-return]


def _made(rulebook: Json, site: Json, day: str) -> Json:
    words = rulebook["vocabulary"]
    book: Json = {
        "id": rulebook["id"],
        "version": rulebook["version"],
        "in_force": rulebook["in_force"],
        "zone": site["zone"],
        "day_starts": _minutes(site["day_starts"]),
        "starts": {},
        "today": [0, 0, ""],
        "required": {},
        "words": words,
        "limits": rulebook.get("limits", {}),
        "controls": approvals.controls(
            rulebook, site.get("controls", {}), site.get("register", []), day
        ),
    }
    book["departments"], book["needs"] = jobs.of(words, book["controls"])
    stating = rulebook.get("fact", {}).get("need", ["anyone"])
    book["facts"] = {job: True for word in stating for job in book["needs"][word]}
    book["gone"] = [state["name"] for state in words["states"] if state.get("gone")]
    book["terms"] = {state["name"]: state.get("term") for state in words["states"]}
    book["plans"] = [dated(book, plan) for plan in rulebook.get("plan", [])]
    book["families"] = rulebook.get("family", [])
    book["kin"] = _kin(book["families"])
    book["steps"] = _entries(book, rulebook.get("step", []), words["steps"])
    book["free"] = _free(book["steps"])
    book["creates"] = {step: True for step in words["steps"] if words["steps"][step].get("creates")}
    book["rules"] = _by_step(book, rulebook.get("rule", []))
    book["papers"] = _by_step(book, rulebook.get("paper", []))
    book["asked"] = _asked(book)
    book["selects"] = {step: _selects(book, step) for step in book["steps"]}
    book["tells"] = {step: _tells(book["selects"][step]) for step in book["steps"]}
    book["marked"] = {
        step: [word for word in MARKS if word in book["selects"][step]] for step in book["steps"]
    }
    book["clocks"] = [entry_of(book, e) for e in rulebook.get("clock", []) if _runs(book, e)]
    book["counts"] = [entry_of(book, e) for e in rulebook.get("count", []) if _runs(book, e)]
    return book


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:5])


def _entries(book: Json, entries: list[Json], steps: Json) -> Json:
    """Entries of each step, the most specific first; of equal ones, the one written first."""
    found = _by_step(book, entries)
    for step in steps:
        # MicroPython's sort is not stable: the place in the file decides between equals.
        kept = found.setdefault(step, [])
        ordered = sorted([(-entry["weight"], index) for index, entry in enumerate(kept)])
        found[step] = [kept[index] for _, index in ordered]
    return found


def _free(steps: Json) -> Json:
    """The steps of which a signer must have no open table to supervise."""
    return {
        step: True
        for step in steps
        if any(slot.get("free") for entry in steps[step] for slot in entry["signers"])
    }


def _asked(book: Json) -> Json:
    """The conditions that some entry asks for."""
    entries = [e for part in ("steps", "rules") for step in book[part] for e in book[part][step]]
    return {need["is"]: True for entry in entries for need in entry["needs"]}


def _selects(book: Json, step: str) -> Json:
    """The words by which a step's entries and rules, and what they ask, are chosen."""
    found: Json = {}
    for entry in book["steps"][step] + book["rules"].get(step, []):
        for part in [entry] + entry["needs"] + entry["signers"] + entry["notes"]:
            for trait, _ in part["tests"]:
                found[trait[4:] if trait[:4] == "not_" else trait] = True
    return found


# The words that stand in a field of `with`, under another name where the field is of many steps.
FIELDS = {
    "reason": "reason",
    "vessel": "vessel",
    "look": "when",
    "result": "result",
    "method": "method",
    "seals": "seals",
    "report": "form",
    "opens": "state",
    "act": "what",
}


# The marks of a step that `marks.OF_STEP` finds.
MARKS = ("table", "where_use", "part", "site", "instead")


def _tells(words: Json) -> list[list[str]]:
    """Which of these words stand in which field: `[[word, field], ...]`."""
    return [[word, FIELDS[word]] for word in sorted(words) if word in FIELDS]


def _by_step(book: Json, entries: list[Json]) -> Json:
    found: Json = {}
    for entry in entries:
        if _runs(book, entry):
            made = entry_of(book, entry)
            for step in listed(entry["step"]):
                found.setdefault(step, []).append(made)
    return found


def _runs(book: Json, entry: Json) -> bool:
    """Whether the operator's controls leave an entry standing."""
    wanted = entry.get("when", {}).get(CONTROL, {})
    return all(chosen(book, name) in listed(value) for name, value in wanted.items())


def chosen(book: Json, name: str) -> Any:
    return book["controls"].get(name)


def noted(entry: Json, traits: Json) -> list[Json]:
    """Return the lines of an entry's checklist that are for things with these traits."""
    return [note for note in entry["notes"] if holds(note["tests"], traits)]


def holds(conditions: list[list[Any]], traits: Json) -> bool:
    """Whether every trait that is asked for has one of the words asked for."""
    for trait, words in conditions:
        if trait[:4] == "not_":
            if _one(traits.get(trait[4:]), words):
                return False
        elif not _one(traits.get(trait), words):
            return False
    return True


def _one(found: Any, words: Json) -> bool:
    """Whether a trait's word, or one of its words, is among these; `none` stands for no word."""
    if isinstance(found, list):
        return any(word in words for word in found or ["none"])
    return ("none" if found is None else found) in words


def select(book: Json, step: str, traits: Json, day: Any = None) -> Any:
    """Return the most specific entry for a step on things with these traits, None where there is
    none.
    """
    for entry in book["steps"].get(step, []):
        if holds(entry["tests"], traits) and in_force(entry, day):
            return entry
    return None


def in_force(entry: Json, day: Any) -> bool:
    """Whether an entry is in force on a gaming day (None: whenever)."""
    return day is None or bool(entry["since"] <= day < entry["until"])


def family(book: Json, games: list[str]) -> list[str]:
    """Return the games of every family to which one of these belongs, and these themselves."""
    if len(games) == 1 and isinstance(games[0], str):  # as it is at every table
        return book["kin"].get(games[0], games)  # type: ignore[no-any-return]
    return _related(book["families"], games)


def _related(families: list[Json], games: list[str]) -> list[str]:
    found = list(games)
    for entry in families:
        if any(game in entry["games"] for game in games):
            found.extend(entry["games"])
    return found


def _kin(families: list[Json]) -> Json:
    """What `family` says of each game that is of one."""
    return {game: _related(families, [game]) for entry in families for game in entry["games"]}
