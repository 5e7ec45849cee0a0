"""Redeeming a coupon: where, once, into the drop box (MD-03.12)."""

from . import ends, failing
from .shapes import Any, Json


def _table(found: Json) -> Any:
    """The place that is named as the table: `with.table`, else where it happens."""
    return found["with"].get("table") or found["where_id"]


def table_named(found: Json, group: Json, need: Json) -> Any:
    """The table is named, into whose drop box the coupon goes."""
    return None if _table(found) else {"field": "table"}


def at_table(found: Json, group: Json, need: Json) -> Any:
    """It is redeemed at a gaming table."""
    code = _table(found)
    place = ends.place(found["facts"], code) if code else None
    return {"place": code} if place is not None and place["type"] != "table" else None


def into_drop(found: Json, group: Json, need: Json) -> Any:
    """It goes into the drop box, won or lost, and nowhere else."""
    to = found["to"]
    return None if to is None or to["type"] == "drop" else {"place": found["to_id"]}


def against_house(found: Json, group: Json, need: Json) -> Any:
    """Players at the table wager against the house; `never` lists the games where they do not."""
    games = [game for game in group["traits"]["game"] if game in need["never"]]
    return {"game": games} if games else None


def unredeemed(found: Json, group: Json, need: Json) -> Any:
    """It was not redeemed before."""
    failed = failing.codes(group, lambda v: v.get("redeemed"))
    if not failed:
        return None
    before = found["facts"].get("item", failed[0])["redeemed"]
    return {"items": failed, "at": before["at"], "table": before["table"]}


CHECKS: Json = {
    "table_named": table_named,
    "at_table": at_table,
    "into_drop": into_drop,
    "against_house": against_house,
    "unredeemed": unredeemed,
}

CODES = {
    "table_named": "field-missing",
    "at_table": "not-a-table",
    "into_drop": "not-into-drop",
    "against_house": "not-against-house",
    "unredeemed": "redeemed-before",
}
