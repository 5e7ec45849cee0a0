"""The operator's choices as they were approved: from when and until when each holds.

What a regulator approves has a first and a last gaming day. A choice of the setting that the
register says nothing of holds as it was given; one whose approvals have all run out falls back to
the strictest reading.
"""

from .shapes import Any, Json

FOREVER = "9999-12-31"
# The entry of the register under which a place is approved, by its type.
AREAS = {"storage": "storage_areas", "cage": "storage_areas", "destruction": "destruction_areas"}


def controls(rulebook: Json, given: Json, register: list[list[Any]], day: str) -> Json:
    """Return the choices in force on a gaming day, the strictest reading where there is none.

    `register` is `[[name, from, until, value], ...]`: gaming days, the second one excluded.
    """
    declared = rulebook.get("control", {})
    found = {name: control.get("absent") for name, control in declared.items()}
    found.update(given)
    for name in sorted({entry[0] for entry in register}):
        begun = sorted([e[1], n] for n, e in enumerate(register) if e[0] == name and e[1] <= day)
        held = [register[n][3] for _, n in begun if day < (register[n][2] or FOREVER)]
        if held:
            found[name] = held[-1]
        elif begun:
            found[name] = strictest(declared.get(name, {}))
    for name in found:
        found[name] = _open(declared.get(name, {}), found[name])
    return found


def strictest(control: Json) -> Any:
    """Return what holds for a control when its approval has run out."""
    return control.get("lapsed", control.get("absent"))


def _open(control: Json, value: Any) -> Any:
    """Of a list only what the clause leaves open, of a number no more than it allows."""
    if "only" in control and isinstance(value, list):
        return [word for word in value if word in control["only"]]
    if "most" in control and isinstance(value, int):
        return min(value, control["most"])
    return value


def changes(register: list[list[Any]]) -> list[str]:
    """Return the gaming days on which a choice begins or ends, sorted."""
    days = [day for entry in register for day in (entry[1], entry[2]) if day]
    return sorted(set(days))


def since(days: list[str], day: str) -> str:
    """Return the last of these days that is not after `day`; "" before the first."""
    found = ""
    for one in days:
        if one <= day:
            found = one
    return found


def place(value: Json, day: str) -> bool:
    """Whether a place may be used on a gaming day: by its entries in the register (`register`:
    `[[from, until], ...]`), else as it was said to be.
    """
    begun = [span for span in value.get("register", []) if span[0] <= day]
    if not begun:
        return value.get("approved") is not False
    return any(day < (until or FOREVER) for _, until in begun)
