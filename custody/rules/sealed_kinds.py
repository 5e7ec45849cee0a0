"""Decks and sets of tiles come sealed one by one: what each step does to that."""

from . import marks
from .shapes import Json

KINDS = marks.KINDS


def follow(value: Json, event: Json, role: str) -> None:
    """Note on a deck or set what a step means for its seal, its first use and its inspection."""
    after = AFTER.get(event["step"])
    if after is not None and role != "source":
        after(value, event)


def _received(value: Json, event: Json) -> None:
    value["wrapped"] = value["attributes"].get("sealed") is not False


def _inspected(value: Json, event: Json) -> None:
    value["wrapped"] = False
    value["unfit"] = event["with"].get("result") == "fail"


def _played(value: Json, event: Json) -> None:
    value["wrapped"] = False
    value["times"].setdefault("first_play", event["at"])


def _removed(value: Json, event: Json) -> None:
    """A new round of inspection begins; what is suspect stays so until it is found clean."""
    value["examined"] = None
    value["released_by"] = None
    if value["removal"]["reason"] in marks.FORCED:
        value["wrapped"] = False


def _packed(value: Json, event: Json) -> None:
    purpose = event["with"].get("purpose")
    if purpose == "tampering":
        value["suspect"] = True
    if purpose == "unsuitable" and _only_worn(value):
        value["suspect"] = False
    if purpose in ("reserve_open", "tampering"):
        value["wrapped"] = False


def _only_worn(value: Json) -> bool:
    """Whether a plastic deck failed the look after play, and nothing else speaks against it."""
    reason = (value.get("removal") or {}).get("reason")
    looked = value.get("examined") is not None and value["attributes"].get("plastic")
    return bool(looked) and reason not in marks.FORCED


AFTER: Json = {
    "receive": _received,
    "inspect": _inspected,
    "play": _played,
    "remove": _removed,
    "pack": _packed,
}
