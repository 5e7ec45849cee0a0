"""Conditions on places, tables and what is made for them."""

from . import approvals, choosing, ends, failing, lots, tables
from .shapes import Any, Json


def _place(found: Json, group: Json, need: Json, trait: str) -> Any:
    types = need.get("types")
    kind, use = group["traits"][trait], group["traits"].get(trait + "_use")
    if types is not None and kind not in types:
        return {"type": kind, "types": types}
    if kind == "storage" and use and "uses" in need and use not in need["uses"]:
        return {"type": use, "types": need["uses"]}
    return None


def source(found: Json, group: Json, need: Json) -> Any:
    """The item comes from a place of one of `types`."""
    return _place(found, group, need, "from")


def destination(found: Json, group: Json, need: Json) -> Any:
    """It goes to a place of one of `types`; a storage is for one of `uses`."""
    return _place(found, group, need, "to")


def place(found: Json, group: Json, need: Json) -> Any:
    """It happens at a place of one of `types`."""
    return _place(found, group, need, "where")


def never(found: Json, group: Json, need: Json) -> Any:
    """What the entry selects is forbidden."""
    return {}


def approved(found: Json, group: Json, need: Json) -> Any:
    """The place of the step is approved by the regulator on that gaming day."""
    named = [(found[role + "_id"], found[role]) for role in ("to", "where")]
    if "from" in need.get("roles", []):
        source = group["items"][0][1]["place"]
        named = [(source, found["facts"].get("place", source or ""))]
    for code, place in named:
        if place is not None and not approvals.place(place, found["day"]):
            return {"place": code}
    return None


def design(found: Json, group: Json, need: Json) -> Any:
    """The design is approved: the operator's `designs` control is not `pending`."""
    return {} if found["book"]["controls"].get("designs") == "pending" else None


def on_site(found: Json, group: Json, need: Json) -> Any:
    """The place lies inside the facility."""
    where = found["where"] or found["to"]
    return {"place": found["where_id"]} if where and where.get("off_site") else None


def table_open(found: Json, group: Json, need: Json) -> Any:
    """The table is open (or closed, with `open = false`: unless its game or its handling
    changes).
    """
    spot, table = failing.spot(found, group)
    if not need.get("open", True) and ("game" in found["with"] or "handled" in found["with"]):
        return None
    if table is None or table["type"] != "table" or tables.is_open(table) == need.get("open", True):
        return None
    return {"place": spot}


def apart(found: Json, group: Json, need: Json) -> Any:
    """The store holds no chips or plaques."""
    holds = (found["to"] or {}).get("holds", [])
    return {"place": found["to_id"]} if "chips" in holds or "plaques" in holds else None


def pit(found: Json, group: Json, need: Json) -> Any:
    """It is locked away in a pit stand."""
    place = found["to"] or found["facts"].get("place", group["items"][0][1]["place"] or "")
    return None if place and place["type"] == "pit_stand" else {"place": found["to_id"]}


def same_place(found: Json, group: Json, need: Json) -> Any:
    """It lies at the place of the step, or is in the hands of whom it was issued to."""
    where = found["where_id"]
    away = failing.codes(group, lambda v: where not in (None, v["place"]) and not ends.in_hands(v))
    return {"items": away, "place": where} if away else None


def fits_game(found: Json, group: Json, need: Json) -> Any:
    """The item was made for the table's game."""
    played = group["traits"]["game"]
    failed = failing.codes(group, lambda v: not choosing.made_for(v, played))
    return {"items": failed, "game": played} if failed else None


def pieces(found: Json, group: Json, need: Json) -> Any:
    """As many pieces as the game needs: `count` by game."""
    for game in group["traits"]["game"]:
        wanted = need["count"].get(game)
        if wanted is None:
            continue
        failed = [code for code, value, _ in group["items"] if lots.each(value) != wanted]
        if failed:
            return {"items": failed, "count": wanted, "game": game}
    return None


def vessel(found: Json, group: Json, need: Json) -> Any:
    """The vessel is the one in which the game's dice are kept: `by` game. Where none is named,
    none is wrong.
    """
    named = found["with"].get("vessel")
    for game in group["traits"]["game"]:
        wanted = need["by"].get(game)
        if named and wanted and named != wanted:
            return {"vessel": named, "must": wanted, "game": game}
    return None
