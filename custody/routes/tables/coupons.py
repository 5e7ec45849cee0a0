"""The lots of coupons as they are, and the coupon ledger, line by line (MD-03.11)."""

from collections.abc import Iterable

from custody.ledger.reading import coupon_ledger, keyset, serial_lots
from custody.routes import context, present, rights, vocabulary
from custody.routes.tables import table
from custody.routes.tables.table import Asked, Row, Table, Value


def _lots(asked: Asked) -> Iterable[Row]:
    names = context.names()
    for lot in serial_lots.every(context.ledger(), coupon_ledger.KIND):
        given = lot["lot"]["attributes"]
        kind = vocabulary.word("value", given.get("type"))
        told = [lot["lot"]["code"], kind, given.get("denomination"), given.get("expires")]
        for part in lot["ranges"]:
            state, place = vocabulary.word("state", part["state"]), names.place(part.get("place"))
            yield [*told, part["code"], part["pieces"], state, place]


def _ledger(asked: Asked) -> Iterable[Row]:
    days = table.span(asked["first"], asked["last"])
    for one in keyset.whole(lambda cut: coupon_ledger.part(context.ledger(), *days, cut)):
        told = line(one)
        shared = [told["position"], one["day"], table.when(one["at"]), told["step_word"]]
        named = " ".join(told["named"])
        people = ", ".join(who["name"] for who in told["people"])
        licenses = ", ".join(who["license"] for who in told["people"] if who["license"])
        for flow, units in one["flows"].items():
            amounts = [units.get("coupons", 0), units.get("value", 0)]
            end = [told["reason"], people, licenses]
            yield [*shared, named, vocabulary.word("term", flow), *amounts, *end]


def line(one: Value) -> Value:
    """Make one line of the ledger: the step, its flows, and who signed with which licence."""
    shown = present.event(one["entry"], context.names())
    event = one["entry"]["event"] or {}
    return {
        **shown,
        "named": _named(event),
        "day": one["day"],
        "happened": one["at"],
        "flows": one["flows"],
        "reason": (event.get("with") or {}).get("reason") or shown["note"],
        "people": [{**who, "license": license_of(who["id"])} for who in shown["people"]],
    }


def _named(event: Value) -> list[str]:
    """Return what an event names, runs as runs: serials where it gives them, else its items."""
    fields = event.get("with") or {}
    if fields.get("serials"):
        return [str(one) for one in fields["serials"]]
    if fields.get("first") and event.get("step") == "distribute":
        return [f"{fields['first']}..{fields.get('last') or fields['first']}"]
    return [str(one) for one in event.get("items") or []]


def license_of(person: str) -> str:
    """Return the licence of a person, "" for none."""
    return str(context.names().people.get(person, {}).get("license") or "")


LOTS = Table(
    rights.STOCK,
    "coupons.title",
    ("lot", "type", "cents", "expires", "serials", "pieces", "state", "place"),
    {},
    _lots,
)
LEDGER = Table(
    rights.STOCK,
    "tables.coupon_ledger_title",
    (
        *("position", "day", "time", "step", "serials", "term"),
        *("pieces", "value_cents", "note", "who", "license"),
    ),
    {"first": "", "last": ""},
    _ledger,
)
