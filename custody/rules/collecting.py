"""What waits to be collected on a round: sealed envelopes, and what goes to security next."""

from . import papers
from .shapes import Any

ENVELOPE, WAITING = "envelope", "sealed"  # the kind that is collected, and the state in which it is
SECURITY = "security"  # the type of place to which a round brings what it collected


def waits(value: Any) -> bool:
    """Whether an item waits to be collected: nobody carries it, and no other envelope holds it."""
    if value is None or value.get("in") or value.get("holder"):
        return False
    if value["kind"] == ENVELOPE:
        return bool(value["state"] == WAITING)
    return goes_to_security(value)


def goes_to_security(value: Any) -> bool:
    """Whether a part of a form goes to security next (MD-02.13-K.3, MD-02.16-R.14)."""
    return value["kind"] == papers.KIND and papers.goes_to(value, SECURITY)


def waiting(facts: Any, codes: list[str]) -> list[str]:
    """Return those of some items that wait to be collected, in order."""
    return [code for code in codes if waits(facts.get("item", code))]
