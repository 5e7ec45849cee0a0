"""The log as a table to read: a row an event, in its order. To check it, take the JSON Lines."""

from collections.abc import Iterable

from custody.ledger.reading import whole_log
from custody.routes import context, present, rights, vocabulary
from custody.routes.tables import table
from custody.routes.tables.table import Asked, Row, Table, Value
from custody.rules import there


def _events(asked: Asked) -> Iterable[Row]:
    names = context.names()
    for entry in whole_log.walk(context.ledger()):
        event, shown = entry["event"] or {}, present.event(entry, names)
        happened = table.when(there.effective(event), event["offset"]) if event else ""
        chain = [entry["position"], table.when(entry["received"]), shown["device_name"]]
        told = [happened, event.get("day"), shown["step_word"], _items(event), shown["place_line"]]
        fields = "; ".join(f"{label}: {text}" for label, text in shown["fields"])
        raised = ", ".join(vocabulary.word("exception", kind) for kind in entry["raised"])
        struck = (entry["struck"] or {}).get("id")
        yield [*chain, *told, shown["who"], fields, shown["note"], raised, struck, entry["id"]]


def _items(event: Value) -> str:
    """Codes as the event has them: a run stays a run."""
    return " ".join(event.get("items") or [])


EVENTS = Table(
    rights.LOG,
    "tables.events_title",
    (
        *("position", "received", "device", "time", "day", "step", "items", "place"),
        *("who", "fields", "note", "exceptions", "corrected_by", "event"),
    ),
    {},
    _events,
)
