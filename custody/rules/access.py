"""Secure places: who may reach what lies there, and whether it is watched."""

from .shapes import Any, Json

GAMING = ("table_games", "poker")


def authorized(found: Json, group: Json, need: Json) -> Any:
    """Everybody who signs is of one of `jobs`, and on the list of the place, where it has one."""
    jobs = [job for word in need["jobs"] for job in found["book"]["needs"][word]]
    lists: list[Any] = [p["agents"] for p in _places(found, group) if p.get("agents")]
    strangers = [
        person["id"]
        for person in found["people"]
        if person["job"] not in jobs
        or any(person["id"] not in agents and person["job"] not in agents for agents in lists)
    ]
    return {"people": strangers} if strangers else None


def watched(found: Json, group: Json, need: Json) -> Any:
    """The place is not marked as without suitable surveillance."""
    dark = found["to"] is not None and found["to"].get("surveilled") is False
    return {"place": found["to_id"]} if dark else None


def key_rank(found: Json, group: Json, need: Json) -> Any:
    """Of the gaming departments, somebody of one of `jobs` is there to use their key, if anybody is
    there.
    """
    book = found["book"]
    jobs = [job for word in need["jobs"] for job in book["needs"][word]]
    gaming = [p["job"] for p in found["people"] if book["departments"].get(p["job"]) in GAMING]
    return {"need": need["jobs"]} if gaming and not any(job in jobs for job in gaming) else None


def _places(found: Json, group: Json) -> list[Json]:
    ids = [found["to_id"], found["where_id"]] + [value["place"] for _, value, _ in group["items"]]
    known = [found["facts"].get("place", code) for code in ids if code]
    return [place for place in known if place is not None]


CHECKS: Json = {"authorized": authorized, "watched": watched, "key_rank": key_rank}

CODES = {
    "authorized": "not-authorized",
    "watched": "place-unwatched",
    "key_rank": "key-rank",
}
