"""The exceptions, and the log of what was destroyed."""

from collections.abc import Iterable

from custody.ledger.reading import ending, exceptions, keyset
from custody.ledger.reading.ending import Asked as Ended
from custody.routes import context, present, rights, sentences, vocabulary
from custody.routes.tables import table
from custody.routes.tables.table import Asked, Row, Table, Value
from custody.routes.words import words
from custody.rules import codes, counts

STATES = (exceptions.OPEN, exceptions.RESOLVED, exceptions.ALL)


def _exceptions(asked: Asked) -> Iterable[Row]:
    known, names = context.site()["book"]["words"]["exceptions"]["words"], context.names()
    state = table.one_of("state", asked["state"], STATES)
    kind = table.one_of("kind", asked["kind"], known) or None
    device = table.one_of("device", asked["device"], names.devices) or None
    found = keyset.whole(lambda cut: exceptions.part(context.ledger(), state, kind, device, cut))
    for one in found:
        shown = present.exception(one, names)
        told = [one["id"], shown["title"], sentences.exception(one), one["clause"]]
        items, status = " ".join(one["items"]), "open" if shown["open"] else "resolved"
        where = [one["position"], table.when(one["received"]), shown["device_name"]]
        yield [*told, items, *where, words(f"exceptions.{status}")]


def _destruction(asked: Asked) -> Iterable[Row]:
    wanted = Ended(*table.span(asked["first"], asked["last"]), table.kind(asked["kind"]))
    for one in keyset.whole(lambda cut: ending.part(context.ledger(), wanted, cut)):
        line = destroyed(one)
        yield [line[name] for name in DESTROYED]


def destroyed(one: Value) -> Value:
    """Make one line of the destruction log, for the page and the file alike; pieces are single
    dice, decks, sets or coupons.
    """
    event = one["entry"]["event"] or {}
    given, names = event.get("with") or {}, context.names()
    shown = present.event(one["entry"], names)
    ordered = counts.kind_units(context.site()["book"], one["kind"])
    units = {unit: one["units"].get(unit, 0) for unit in ordered}
    return {
        **{"position": one["position"], "day": one["day"], "at": one["at"]},
        "time": table.when(one["at"]),
        "step": shown["step_word"],
        "kind": vocabulary.word("kind", one["kind"]),
        "each": one["items"],
        "codes": " ".join(codes.compress(one["items"])),
        "sets": units[ordered[0]],
        "pieces": units.get("dice", units[ordered[0]]),
        "amount": present.amount(units),
        "method": vocabulary.word("value", given.get("method")),
        "place": names.place(event.get("where") or one["place"]),
        "vendor": given.get("vendor") or "",
        "certificate": given.get("certificate") or "",
        "who": shown["who"],
        "people": shown["people"],
        "note": event.get("note") or "",
    }


DESTROYED = (
    *("position", "day", "time", "step", "kind", "codes", "sets", "pieces"),
    *("method", "place", "vendor", "certificate", "who", "note"),
)
EXCEPTIONS = Table(
    rights.LOOK,
    "exceptions.title",
    ("id", "kind", "what", "clause", "items", "position", "time", "device", "status"),
    {"state": exceptions.OPEN, "kind": "", "device": ""},
    _exceptions,
)
DESTRUCTION = Table(
    rights.LOOK,
    "destruction.log",
    DESTROYED,
    {"first": "", "last": "", "kind": ""},
    _destruction,
)
