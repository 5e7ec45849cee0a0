"""What the coupon ledger and its forms say, as sums over postings (MD-03.11-K, M.3, O)."""

from . import counts, days, lots
from .shapes import Any, Json

FLOWS = ("issued", "returned", "voided", "distributed", "redeemed")


def quarter(day: str) -> list[str]:
    """Return the first and the last gaming day of the calendar quarter in which a day lies."""
    month = (int(day[5:7]) - 1) // 3 * 3 + 1
    first = day[:4] + "-" + ("0" + str(month))[-2:] + "-01"
    return [first, days.name(days.number(days.plus_months(first, 3)) - 1)]


def redeemed(postings: list[Json], first: str, last: str) -> Json:
    """Return `{"coupons", "value"}` (whole cents) of what players redeemed from one gaming day to
    another, both included: the quarterly report.
    """
    total = {"coupons": 0, "value": 0}
    for line in postings:
        if (
            line["kind"] == "coupons"
            and line["term"] == "redeemed"
            and first <= line["day"] <= last
        ):
            for unit in total:
                total[unit] += line["units"][unit]
    return total


def by_design(postings: list[Json], first: str, last: str) -> Json:
    """Return the flows of each design (type and denomination) from one gaming day to another:
    `{"match_play:1000": {"issued": {"coupons", "value"}, ..., "over": 0}}`. `over` is how many more
    were redeemed than distributed: it should be 0.
    """
    found: Json = {}
    for line in postings:
        if line["kind"] == "coupons" and line["term"] in FLOWS and first <= line["day"] <= last:
            entry = found.setdefault(line["design"], _blank())
            for unit in line["units"]:
                entry[line["term"]][unit] += line["units"][unit]
    for design in found:
        entry = found[design]
        more = entry["redeemed"]["coupons"] - entry["distributed"]["coupons"]
        entry["over"] = max(0, more)
    return found


def _blank() -> Json:
    return {term: {"coupons": 0, "value": 0} for term in FLOWS}


def form(book: Json, facts: Any, postings: list[Json], of: list[str], day: str, place: str) -> Json:
    """Return the daily Coupon Reconciliation Form of marketing at a place, as the record has it.

    `of` are the codes of the lots to look through. Answers `{"day", "opening", "received",
    "distributed", "returned", "voided", "remaining", "difference", "serials", "void"}`: amounts in
    coupons and value; `serials` the runs that lie there now, `void` `[run, reason]` of those voided
    there on that day; `difference` what a count found otherwise.
    """
    terms = counts.reconcile(book, postings, "coupons", day, place)
    moved = [line for line in postings if line["kind"] == "coupons" and line["day"] == day]
    left = _moved(moved, place, -1)
    values = [facts.get("item", code) for lot in of for code in lots.every(facts, lot)]
    there = [value for value in values if value is not None and value["place"] == place]
    return {
        "day": day,
        "opening": terms["opening"],
        "received": _moved(moved, place, 1),
        "distributed": terms["distributed"],
        "returned": {u: left[u] - terms["distributed"][u] - terms["voided"][u] for u in left},
        "voided": terms["voided"],
        "remaining": terms["closing"],
        "difference": terms["variance"],
        "serials": [value["code"] for value in there if value["state"] == "issued"],
        "void": [
            [value["code"], value["void"]["reason"]]
            for value in there
            if value["state"] == "voided" and days.gaming_day(book, value["void"]["at"]) == day
        ],
    }


def _moved(moved: list[Json], place: str, sign: int) -> Json:
    """What came into marketing's stock (1), or left it (-1)."""
    total = {"coupons": 0, "value": 0}
    for line in moved:
        if line["place"] == place and line["term"] == "out":
            for unit in total:
                total[unit] += max(0, sign * line["units"][unit])
    return total
