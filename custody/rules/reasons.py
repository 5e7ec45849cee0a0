"""The reasons against a step, gathered once each."""

from .shapes import Any, Json


def add(
    found: Json,
    code: str,
    clause: Any,
    values: Json,
    items: Any = None,
    raises: Any = None,
    who: Any = None,
) -> None:
    """Add a reason; the same one for another group only adds its items."""
    for reason in found["reasons"]:
        if reason["code"] == code and reason["clause"] == clause and reason["values"] == values:
            known = dict.fromkeys(reason["items"], True)
            reason["items"] = reason["items"] + [c for c in items or [] if c not in known]
            return
    reason = {"code": code, "clause": clause, "values": values, "who": who or []}
    reason["items"] = list(items or [])
    if raises:
        reason["raises"] = raises
    found["reasons"].append(reason)
