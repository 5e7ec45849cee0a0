"""The places where custody ends; every site has them, without an entry of its own."""

from .shapes import Any

ENDS = ("player", "drop", "destroyed", "lost")


def place(facts: Any, code: str) -> Any:
    """Return a place's value; an end that the site has not described is a place of its own type."""
    found = facts.get("place", code)
    if found is None and code in ENDS:
        return {"type": code}
    return found
