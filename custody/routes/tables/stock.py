"""What is on hand, a gaming day's reconciliation, and the physical counts."""

from collections.abc import Iterable

from custody.ledger.reading import asof, counting, keyset, reconciling
from custody.routes import context, moments, present, rights, vocabulary
from custody.routes import stock as pages
from custody.routes.tables import table
from custody.routes.tables.table import Asked, Row, Table
from custody.routes.words import words
from custody.rules import clocks, counts


def _on_hand(asked: Asked) -> Iterable[Row]:
    moment = moments.read(asked["at"], table.one_of("known", asked["known"], asof.KNOWN))
    if moment.wrong:
        raise table.Wrong(moment.wrong)
    found = pages.balances(moment)
    for row in found["rows"]:
        for unit, amount in row["units"].items():
            kind, word = vocabulary.word("kind", row["kind"]), vocabulary.word("unit", unit)
            yield [row["place"], found["names"].place(row["place"]), kind, word, amount]


def kinds() -> list[str]:
    """Return the kinds that are counted as stock under the rulebook in force, dice first."""
    told = context.site()["book"]["words"]["kinds"]
    counted = (kind for kind in told if told[kind].get("units"))
    return sorted(counted, key=lambda kind: (kind != "dice", kind))


def _reconcile(asked: Asked) -> Iterable[Row]:
    today = clocks.gaming_day(context.site()["book"], context.ledger().clock())
    kind = table.one_of("kind", asked["kind"], kinds()) or kinds()[0]
    day, place = table.day(asked["day"]) or today, table.place(asked["place"])
    design = table.one_of("design", asked["design"], reconciling.designs(context.ledger(), kind))
    found = reconciling.of_day(context.ledger(), kind, day, place or None, design or None)
    name = context.names().place(place) or words("reconcile.site")
    line = [day, vocabulary.word("kind", kind), name, design]
    for term in counts.terms_of(kind):
        for unit, amount in found["terms"][term].items():
            yield [*line, vocabulary.word("term", term), vocabulary.word("unit", unit), amount]


def _counts(asked: Asked) -> Iterable[Row]:
    names, kind = context.names(), table.kind(asked["kind"]) or None
    for entry in keyset.whole(lambda cut: counting.part(context.ledger(), kind, cut)):
        event, shown = entry["event"], present.event(entry, names)
        state = words("counts.gone") if entry["gone"] else ""
        state = words("counts.double") if entry["double"] and not state else state
        when = table.when(event["at"], event["offset"])
        place, word = names.place(event.get("where")), vocabulary.word("kind", event.get("kind"))
        yield [entry["position"], when, word, place, shown["who"], state]


ON_HAND = Table(
    rights.STOCK,
    "stock.title",
    ("place", "name", "kind", "unit", "amount"),
    {"at": "", "known": ""},
    _on_hand,
)
RECONCILE = Table(
    rights.STOCK,
    "reconcile.title",
    ("day", "kind", "place", "design", "term", "unit", "amount"),
    {"day": "", "kind": "", "place": "", "design": ""},
    _reconcile,
)
COUNTS = Table(
    rights.STOCK,
    "counts.title",
    ("position", "time", "kind", "place", "who", "status"),
    {"kind": ""},
    _counts,
)
