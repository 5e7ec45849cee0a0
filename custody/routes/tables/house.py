"""People, devices and places as the desk lists them; who may do what; what a month changed.

Of people no verifier of a PIN, a badge or a password is in a table: only that there is one.
"""

from collections.abc import Iterable
from typing import Any

from custody.ledger import keeping
from custody.ledger.reading import keeping as reading
from custody.ledger.reading import today
from custody.routes import context, present, rights, vocabulary
from custody.routes.tables import table
from custody.routes.tables.table import Asked, Row, Table, Value
from custody.routes.words import words
from custody.rules import clocks


def _yes(told: object) -> str:
    return words("words.yes") if told else words("words.no")


def _people(asked: Asked) -> Iterable[Row]:
    departments = context.site()["book"]["departments"]
    for id_, one in context.names().people.items():
        job, active = one.get("job"), one.get("active", True)
        department = vocabulary.word("department", departments.get(job))
        games = ", ".join(one.get("supervises") or [])
        ways = [_yes(one.get("badge")), _yes(one.get("pin")), _yes(active)]
        told = [one.get("name") or id_, vocabulary.job(str(job or "")), department]
        yield [id_, *told, one.get("license"), games, *ways]


def _devices(asked: Asked) -> Iterable[Row]:
    for one in today.devices(context.ledger()):
        state = vocabulary.word("device_state", one["state"])
        told = [one["id"], one["name"], state, table.when(one["seen"])]
        yield [*told, _yes(one["silent"]), one["events"]]


def _places(asked: Asked) -> Iterable[Row]:
    names = context.names()
    for id_, one in names.places.items():
        told = [id_, names.place(id_), vocabulary.word("place_type", one.get("type"))]
        locks = ", ".join(vocabulary.word("department", name) for name in one.get("locks") or [])
        yield [*told, present.place_details(one, names), locks, _yes(one.get("approved", True))]


def access() -> list[list[str]]:
    """Return everybody with a job that signs or has a desk: name, id, job and the functions."""
    rows = []
    for id_, one in context.names().people.items():
        if one.get("active", True):
            held = sorted(context.rights_of(one["job"]))
            may = ", ".join(vocabulary.plain(right) for right in held) or words("words.none")
            rows.append([one.get("name") or id_, id_, vocabulary.job(one["job"]), may])
    return rows


def _access(asked: Asked) -> Iterable[Row]:
    for row in access():
        yield [*row]


def changes(month: str) -> list[list[Any]]:
    """Return the changes of a month (`2026-12`): when (UTC ms), the act, who, the note. Raises
    PeriodError for what is no month.
    """
    keeping.bounds("month", month)
    found = reading.changes(context.ledger(), month)
    shown = [(present.event(one, context.names()), _act(one)) for one in found]
    return [[told["received"], act, told["who"], told["note"]] for told, act in shown]


def _act(entry: Value) -> str:
    event = entry["event"]
    fields = event.get("with") or {}
    about = fields.get("subject") or fields.get("event") or ", ".join(event.get("items") or [])
    step = vocabulary.word("step", event["step"])
    what = vocabulary.plain(str(fields.get("what") or ""))
    return " ".join(filter(None, [step, what, str(about)]))


def _changes(asked: Asked) -> Iterable[Row]:
    now = clocks.gaming_day(context.site()["book"], context.ledger().clock())
    month = asked["period"] or reading.current("month", now)
    try:
        rows = changes(month)
    except keeping.PeriodError as error:
        raise table.Wrong(str(error)) from error
    for received, *told in rows:
        yield [table.when(received), *told]


PEOPLE = Table(
    rights.PEOPLE,
    "people.title",
    (
        *("person", "name", "job", "department", "license"),
        *("supervises", "badge", "pin", "active"),
    ),
    {},
    _people,
)
DEVICES = Table(
    rights.DEVICES,
    "devices.title",
    ("device", "name", "state", "seen", "silent", "events"),
    {},
    _devices,
)
PLACES = Table(
    rights.PLACES,
    "places.title",
    ("place", "name", "type", "details", "locks", "approved"),
    {},
    _places,
)
ACCESS = Table(rights.RECORDS, "tables.access_title", ("who", "code", "job", "may"), {}, _access)
CHANGES = Table(
    rights.RECORDS,
    "tables.changes_title",
    ("time", "act", "who", "note"),
    {"period": ""},
    _changes,
)
