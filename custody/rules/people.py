"""Who may sign: slots of a step filled by distinct people, each with the right job.

An outside signer fills a slot whose clause names the commission or a vendor.

A slot of a rulebook's entry says `need` (jobs), `clause`, and where asked: `performs` (must be the
first who signs), `beside` (must not be the first), `shared` (may be someone who fills another slot
too), `supervises` (is assigned to the game's family), `bar` and `among` (relations to the set:
`inspector` those who performed its instrument inspections, `inspection` and `witness` those who
signed the last one, `holder` who carries it, `swap` those who signed when a card of it was last
replaced).
"""

from .shapes import Any, Json, Table


def ids(draft: Json) -> list[str]:
    """Return the ids of those of the house who sign a draft or signed an event, in their order."""
    found = []
    for entry in draft.get("by") or []:
        person = entry if isinstance(entry, str) else entry.get("person")
        if person:
            found.append(person)
    return found


# Whom a text lets sign without being of the house: the regulator's people, a destroyer's agents.
OUTSIDE = ("commission", "vendor")
SAID = ("name", "agency", "number", "job")


def outsider(entry: Any) -> Any:
    """Return who an outside signer is, as a person's value; None for an entry that is no such one.

    `{"name", "agency", "number", "job", "how"}`: the job in which they sign, the number of their
    license or badge with their agency. Who leaves one out signs beside the others, for nobody.
    """
    if isinstance(entry, str) or entry.get("person"):
        return None
    if not all(isinstance(entry.get(key), str) and entry[key].strip() for key in SAID):
        return None
    value = {key: entry[key] for key in SAID}
    value["id"] = entry["agency"] + " " + entry["number"]
    value["license"] = entry["number"]
    value["outside"] = True
    return value


def signing(facts: Any, draft: Json) -> list[Json]:
    """Return the value of everybody who signs and is known, with their `id`, in their order: people
    of the house by their record, outside signers by what they said. Nobody comes twice.
    """
    return read(facts, draft)[1]


def read(facts: Any, draft: Json) -> tuple[list[str], list[Json]]:
    """Return what `ids` and `signing` do, in one walk along the signers."""
    found: list[Json] = []
    house: list[str] = []
    seen: Table = {}
    for entry in draft.get("by") or []:
        person = entry if isinstance(entry, str) else entry.get("person")
        if not person:
            value = outsider(entry)
        else:
            house.append(person)
            if person in seen:
                continue
            kept = facts.get("person", person)
            value = dict(kept, id=person) if kept is not None else None
        if value is not None and value["id"] not in seen:
            seen[value["id"]] = True
            found.append(value)
    return house, found


def names(draft: Json) -> list[str]:
    """Return the ids of all who sign, known or not: of outside signers agency and number."""
    found = []
    for entry in draft.get("by") or []:
        outside = outsider(entry)
        person = entry if isinstance(entry, str) else entry.get("person")
        if outside or person:
            found.append(outside["id"] if outside else person)
    return found


def known(facts: Any, ids: list[str]) -> list[Json]:
    """Return the value of each of those who are known, with their `id`, in order.

    Somebody who is named twice is still one person.
    """
    found = []
    for number, person in enumerate(ids):
        value = facts.get("person", person) if person not in ids[:number] else None
        if value is not None:
            found.append(dict(value, id=person))
    return found


def department(book: Json, job: str) -> str:
    """Return the department of a job, "" for an unknown one."""
    return str(book["departments"].get(job, ""))


def related(value: Any, relation: str) -> list[str]:
    """Return the people who stand in a relation to an item."""
    if value is None:
        return []
    if relation == "inspector":
        return list(value.get("inspectors", []))
    if relation == "holder":
        return [value["holder"]] if value["holder"] else []
    if relation == "swap":
        return list((value.get("swaps") or [{}])[-1].get("by", []))
    signers = (value.get("inspection") or {}).get("by", [])
    return list(signers[1:] if relation == "witness" else signers)


def relations(values: list[Any], relation: str) -> list[str]:
    """Return the people who stand in a relation to any of these items."""
    people: list[str] = []
    for value in values:
        people.extend([person for person in related(value, relation) if person not in people])
    return people


def misfit(slot: Json, person: Json, first: bool, values: list[Any], games: list[str]) -> str:
    """Return why a person cannot fill a slot: a reason's code, "" where nothing is against it."""
    if person["job"] not in slot["jobs"]:
        return "signer-missing"
    if person.get("outside") and person["job"] not in slot.get("outside", []):
        return "signer-missing"
    if slot.get("performs") and not first:
        return "signer-first"
    if slot.get("beside") and first:
        return "signer-missing"
    return _unrelated(slot, person, values, games) if slot.get("relates", True) else ""


# What a slot asks of a person beside the job: how they stand to the items, the table, others.
RELATES = ("bar", "among", "supervises", "assigned", "free", "compatible")


def _unrelated(slot: Json, person: Json, values: list[Any], games: list[str]) -> str:
    if "bar" in slot and person["id"] in relations(values, slot["bar"]):
        return "signer-barred"
    if "among" in slot and person["id"] not in relations(values, slot["among"]):
        return "signer-among"
    if slot.get("supervises") and not _supervises(person, games):
        return "signer-assigned"
    if person["job"] in slot.get("assigned", []) and not _assigned(person, values, games):
        return "signer-assigned"
    if slot.get("free") and person.get("busy"):
        return "signer-busy"
    if "compatible" in slot and slot["compatible"] in person.get("incompatible", []):
        return "signer-incompatible"
    return ""


def _supervises(person: Json, games: list[str]) -> bool:
    return any(game in games for game in person.get("supervises", []))


def _assigned(person: Json, values: list[Any], games: list[str]) -> bool:
    """Whether a table is among those that a person supervises; who is bound to none serves all."""
    own = person.get("supervises", [])
    here = any(value is not None and value["place"] in own for value in values)
    return not own or here or _supervises(person, games)


def filled(slots: list[Json], people: list[Json]) -> bool:
    """Whether people fill every slot of which none asks for more than their jobs and order."""
    return None not in fill(slots, people, [], [])


def fill(slots: list[Json], people: list[Json], values: list[Any], games: list[str]) -> list[Any]:
    """Return, for each slot, the place in `people` of who fills it, or None; as many filled as can
    be.
    """
    fits = [
        [
            index
            for index, person in enumerate(people)
            if misfit(slot, person, index == 0, values, games) == ""
        ]
        for slot in slots
    ]
    taken: Table = {}
    # The narrowest slot is filled first, so that it is the broader one that is said to be open.
    for _, number in sorted([(len(slot["jobs"]), n) for n, slot in enumerate(slots)]):
        if not slots[number].get("shared"):
            _place(number, fits, taken, [])
    filled: list[Any] = [None] * len(slots)
    for index in taken:
        filled[taken[index]] = index
    for number, slot in enumerate(slots):
        if slot.get("shared") and fits[number]:
            filled[number] = fits[number][0]
    return filled


def _place(number: int, fits: list[list[int]], taken: Table, tried: list[int]) -> bool:
    """Find someone for a slot, moving others to slots that they fill too."""
    for index in fits[number]:
        if index in tried:
            continue
        tried.append(index)
        if index not in taken or _place(taken[index], fits, taken, tried):
            taken[index] = number
            return True
    return False


def unfilled(slot: Json, people: list[Json], values: list[Any], games: list[str]) -> str:
    """Return the code that says best why nobody fills a slot."""
    codes = [
        misfit(slot, person, index == 0, values, games) or "signer-distinct"
        for index, person in enumerate(people)
    ]
    for code in _PLAINEST:
        if code in codes:
            return code
    return "signer-missing"


_PLAINEST = (
    "signer-barred",
    "signer-incompatible",
    "signer-busy",
    "signer-assigned",
    "signer-among",
    "signer-first",
    "signer-distinct",
)


def able(slot: Json, people: list[Json], values: list[Any], games: list[str]) -> list[str]:
    """Return the ids of those who could fill a slot, whatever their place in the list."""
    return [p["id"] for p in people if misfit(slot, p, True, values, games) == ""]
