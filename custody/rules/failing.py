"""Which items of a group fail a condition."""

from .shapes import Any, Json


def codes(group: Json, fails: Any) -> list[str]:
    return [code for code, value, _ in group["items"] if fails(value)]


def items(found: list[str]) -> Any:
    return {"items": found} if found else None


def of(group: Json, fails: Any) -> Any:
    """Return what a condition answers that every item has to meet by itself."""
    return items(codes(group, fails))


def spot(found: Json, group: Json) -> tuple[Any, Any]:
    """Return the id and the value of the place of a step: where it is said to be, else where it
    goes, else where the items are.
    """
    for role in ("where", "to"):
        if found[role] is not None:
            return found[role + "_id"], found[role]
    here = group["items"][0][1]["place"] if group["items"] else None
    return here, found["facts"].get("place", here) if here else None
