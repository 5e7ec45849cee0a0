"""Numbered seals: which one closes what (MD-02.16-R.9-R.10)."""

from . import failing, numbered
from .shapes import Any, Json

STEPS = ("pack", "repack")
KIND = "seals"


def run(facts: Any, event: Json) -> Any:
    """Return the run of the seal out of a lot that a step applies; None for one that is none, or is
    used already.
    """
    seal = (event.get("with") or {}).get("seal") if event["step"] in STEPS else None
    return numbered.unused(facts, seal, KIND)


def usable(found: Json, group: Json, need: Json) -> Any:
    """A seal out of a lot was issued, and neither used nor voided; which lot's it is, is clear, and
    who has it by name is among those who sign.
    """
    seal = found["with"].get("seal")
    if not seal or found["facts"].sealed(seal):
        return None
    wrong = numbered.usable(found["facts"], seal, KIND)
    if wrong is None:
        keeper = numbered.not_yours(found, seal, KIND)
        return {"code": "seal-not-yours", "seal": seal, "people": keeper} if keeper else None
    if wrong[0] == "unclear":
        return {"code": "seal-unclear", "seal": seal, "seals": wrong[1]}
    return {"seal": seal, "state": wrong[1]}


def unused(found: Json, group: Json, need: Json) -> Any:
    """It closes nothing and never did."""
    return failing.items(failing.codes(group, lambda v: v.get("on")))


CHECKS: Json = {"seal_usable": usable, "seal_unused": unused}

CODES = {"seal_usable": "seal-not-issued", "seal_unused": "seal-spent"}
