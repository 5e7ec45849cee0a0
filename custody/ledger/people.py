"""People: jobs, badges, PINs, and whether they still work here."""

from __future__ import annotations

from collections.abc import Callable

from custody.ledger import credentials
from custody.ledger.cache import Value
from custody.ledger.core import Ledger
from custody.ledger.errors import CredentialRefused, NotKnown, SettingError
from custody.ledger.judging import book_of
from custody.ledger.masterdata import By, Change, administer
from custody.ledger.places import known_words
from custody.ledger.suspicions import LEASE_HOURS
from custody.ledger.work import Entry, Work
from custody.rules.codes import valid

FIELDS = {
    "job": str,
    "name": str,
    "license": str,
    "supervises": list,
    "incompatible": list,
    "lease_hours": int,
    "language": str,
}


def person_value(id_: str, given: object, departments: dict[str, str]) -> Value:
    """Return the value of a person (docs/architecture.md, "Sign-ons").

    `given` is a job, or an object with one. `departments` maps each known job to its department.
    Raises SettingError naming the word that is wrong.
    """
    where = f"person {id_!r}"
    if not valid(id_):
        raise SettingError(f"{where}: an id has 1 to 64 printable characters without blanks")
    fields = {"job": given} if isinstance(given, str) else given
    if not isinstance(fields, dict):
        raise SettingError(f'{where}: write a job, or an object such as {{"job":"floorperson"}}')
    known_words(where, fields, FIELDS)
    for field, value in fields.items():
        if type(value) is not FIELDS[field]:
            raise SettingError(f"{where}: {field} must be {FIELDS[field].__name__}, not {value!r}")
    known_words(f"{where}, job", [fields.get("job", "")], departments)
    hours = fields.get("lease_hours", LEASE_HOURS)
    if not 1 <= hours <= LEASE_HOURS:
        raise SettingError(f"{where}: lease_hours is 1 to {LEASE_HOURS}, not {hours}")
    return {
        "name": id_,
        "license": None,
        "supervises": [],
        "incompatible": [],
        "badge": None,
        "pin": None,
        "active": True,
        **fields,
        "lease_hours": hours,
        "department": departments[fields["job"]],
    }


def save_person(ledger: Ledger, id_: str, given: Value, by: By) -> Entry:
    """Add a person, or change job, name and the like; badge, PIN and `active` stay as they are."""

    def make(work: Work) -> list[Change]:
        value = person_value(id_, given, book_of(work)["departments"])
        old = work.get("person", id_) or {}
        value.update({name: old[name] for name in ("badge", "pin", "active") if name in old})
        return [Change("person", id_, value)]

    return administer(ledger, "person", id_, by, make)


def set_pin(ledger: Ledger, person: str, pin: str, by: By) -> Entry:
    """Set a person's PIN. Raises CredentialRefused for one that is easily guessed."""
    verifier = credentials.pin_verifier(pin)
    return _change(ledger, "pin", person, by, lambda old: {**old, "pin": verifier})


def set_badge(ledger: Ledger, person: str, badge: str, by: By) -> Entry:
    """Give a person a badge. Raises CredentialRefused when somebody has it already."""
    hashed = credentials.badge_hash(ledger.site, badge)

    def make(work: Work) -> list[Change]:
        for other, value in work.all("person"):
            if value.get("badge") == hashed and other != person:
                raise CredentialRefused(
                    f"this badge is {value['name']}'s; each badge is one person's"
                )
        return [Change("person", person, {**known(work, person), "badge": hashed})]

    return administer(ledger, "badge", person, by, make)


def set_active(ledger: Ledger, person: str, active: bool, by: By) -> Entry:
    """Let a person sign from now on, or no more. What they signed stays."""
    what = "person-restored" if active else "person-revoked"
    return _change(ledger, what, person, by, lambda old: {**old, "active": active})


def known(work: Work, person: str) -> Value:
    """Return a person's value. Raises NotKnown."""
    value = work.get("person", person)
    if value is None:
        raise NotKnown(f"there is no person {person!r}")
    return value


def _change(
    ledger: Ledger, what: str, person: str, by: By, change: Callable[[Value], Value]
) -> Entry:
    return administer(
        ledger,
        what,
        person,
        by,
        lambda work: [Change("person", person, change(known(work, person)))],
    )
