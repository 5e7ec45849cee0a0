"""Which items of a group fail a condition."""

from .shapes import Any, Json


def codes(group: Json, fails: Any) -> list[str]:
    return [code for code, value, _ in group["items"] if fails(value)]


def items(found: list[str]) -> Any:
    return {"items": found} if found else None


def of(group: Json, fails: Any) -> Any:
    """Return what a condition answers that every item has to meet by itself."""
    return items(codes(group, fails))
