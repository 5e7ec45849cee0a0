"""Sums over postings: what is on hand, and how a gaming day reconciles."""

from .shapes import Any, Json

FLOWS = (
    "received",
    "issued",
    "returned",
    "destroyed",
    "lost",
    "distributed",
    "voided",
    "redeemed",
    "used",
)
LEFT = ("distributed", "voided", "used")  # out of custody, and neither destroyed nor lost
SHOWN = ("reserve", "in_play", "awaiting", "held")
TERMS = FLOWS + SHOWN + ("opening", "closing", "variance", "remainder")
# The flows that only kinds in lots have: what is given out or applied, voided, comes back.
OF_LOTS: Json = {
    "coupons": ["distributed", "voided", "redeemed"],
    "seals": ["used", "voided"],
    "form": ["used", "voided"],
}


def kind_units(book: Json, kind: str) -> list[str]:
    """Return the units in which a kind is counted, the first one first: `["sticks", "dice"]`."""
    return list(book["words"]["kinds"][kind]["units"])


def balances(book: Json, kind: str) -> list[str]:
    """Return the parts of a kind's stock with a balance of their own: new sets, replacement sets.

    An item passes from one to another by being used, so they have no place in a day's equation.
    """
    return list(book["words"]["kinds"][kind].get("balances", []))


def terms_of(kind: str) -> list[str]:
    """Return the terms of a kind's day in the order in which they are read: what was there, what
    came and went, what is where, and what is left.
    """
    found = ["opening", "received", "issued", "returned"]
    found.extend(OF_LOTS.get(kind, []))
    found.extend(["destroyed", "lost"])
    found.extend(SHOWN)
    found.extend(["closing", "variance", "remainder"])
    return found


def stock_terms(book: Json) -> list[str]:
    """Return the terms that are stock."""
    return sorted({term for term in book["terms"].values() if term})


def on_hand(book: Json, postings: list[Json], kind: str, place: Any, design: Any = None) -> Json:
    """Return the balance of a kind at a place (everywhere with None): `{"sticks": 9, "dice":
    45}`.
    """
    stock = stock_terms(book)
    total = dict.fromkeys(kind_units(book, kind) + balances(book, kind), 0)
    for line in postings:
        if line["kind"] == kind and line["term"] in stock and _fits(line, place, design):
            _add(total, line["units"])
    return total


def _fits(line: Json, place: Any, design: Any) -> bool:
    return place in (None, line["place"]) and design in (None, line["design"])


def _add(total: Json, units: Json, sign: int = 1) -> None:
    for unit in units:
        if unit in total:
            total[unit] += sign * units[unit]


def reconcile(
    book: Json, postings: list[Json], kind: str, day: str, place: Any = None, design: Any = None
) -> Json:
    """Return every term of a gaming day, each in the kind's units.

    `opening` and `closing` are what was in custody at the day's start and end; `remainder` is
    opening + received - destroyed - lost - closing: computed, never forced; for one place it is
    what
    moved to other places. Right for a day whose late events arrive later: postings bear the day in
    which the thing happened. For one design, or for one code where the postings are those of that
    item (`refold.lines`), in the same way.
    """
    stock = stock_terms(book)
    zero = dict.fromkeys(kind_units(book, kind), 0)
    terms: Json = {name: dict(zero) for name in TERMS}
    for line in postings:
        if line["kind"] == kind and _fits(line, place, design) and line["day"] <= day:
            _count(terms, line, line["day"] == day, line["term"] in stock)
    for term, sign in _EQUATION:
        _add(terms["remainder"], terms[term], sign)
    return terms


def unexplained(terms: Json) -> Json:
    """Return what of a remainder is not explained by what was given out, applied or voided."""
    left = dict(terms["remainder"])
    for term in LEFT:
        _add(left, terms[term], -1)
    return left


_EQUATION = (("opening", 1), ("received", 1), ("destroyed", -1), ("lost", -1), ("closing", -1))


def _count(terms: Json, line: Json, today: bool, is_stock: bool) -> None:
    term, units = line["term"], line["units"]
    if is_stock:
        _add(terms["closing"], units)
        if not today:
            _add(terms["opening"], units)
        if term in SHOWN:
            _add(terms[term], units)
    elif today and term in terms:
        _add(terms[term], units)
