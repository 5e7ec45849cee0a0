"""What a request of the desk is about: the ledger that answers, and the person who asks."""

from dataclasses import dataclass, field
from typing import Any

from flask import Flask, current_app, g
from flask.ctx import AppContext

from custody.ledger.core import Ledger
from custody.ledger.reading import as_it_was, records
from custody.ledger.reading import site as reading_site
from custody.routes import rights
from custody.routes.names import Names


@dataclass(frozen=True)
class Caller:
    """The person signed in at this desk. `session` is the SHA-256 of the cookie; ids are opaque."""

    id: str
    name: str
    job: str
    session: str
    language: str = "en"
    rights: frozenset[str] = field(default_factory=frozenset)

    def may(self, right: str) -> bool:
        """Say whether their job has a right (`rights`)."""
        return right in self.rights


def outside(opened: Ledger) -> AppContext:
    """Return the context of a ledger without a request, in which a command makes the desk's tables:
    `with context.outside(ledger): ...`. Nobody is signed in there; the language is English.
    """
    app = Flask("custody")
    app.extensions["custody"] = opened
    return app.app_context()


def ledger() -> Ledger:
    """Return the ledger of the application that is answering now."""
    opened: Ledger = current_app.extensions["custody"]
    return opened


def caller() -> Caller | None:
    """Return who is signed in, or None."""
    found: Caller | None = g.get("caller")
    return found


def me() -> Caller:
    """Return who is signed in, on a page that only a signed-in person reaches."""
    found = caller()
    if found is None:
        raise LookupError("nobody is signed in: this page lacks require(right)")
    return found


def may(right: str) -> bool:
    """Tell whether the person signed in has a right."""
    found = caller()
    return found is not None and found.may(right)


def by_me() -> list[dict[str, Any]]:
    """Return the signer of what the person signed in does at the desk, as the ledger takes it."""
    return [{"person": me().id, "how": "password"}]


def site() -> dict[str, Any]:
    """Return the site's setting, the book in force and its id, read once a request."""
    if "site" not in g:
        g.site = reading_site.of(ledger())
    found: dict[str, Any] = g.site
    return found


def names() -> Names:
    """Return the names of people and devices, read once a request."""
    if "names" not in g:
        opened = ledger()
        g.names = Names(*(records.every(opened, of) for of in ("person", "device", "place")))
    found: Names = g.names
    return found


def names_then(position: int) -> Names:
    """Return the names of people and places as the events below a log position left them."""
    opened = ledger()
    people, places = (as_it_was.master(opened, of, position) for of in ("person", "place"))
    return Names(people, names().devices, places)


def as_caller(person: str, value: dict[str, object], session: str) -> Caller:
    """Make the caller of a person's record; rights follow the job as it is now, not at sign-in."""
    job = str(value.get("job", ""))
    return Caller(
        id=person,
        name=str(value.get("name") or person),
        job=job,
        session=session,
        language=str(value.get("language") or ""),
        rights=rights_of(job) if value.get("active", True) else frozenset(),
    )


def rights_of(job: str) -> frozenset[str]:
    """Return the rights of a job of the vocabulary, or of one that the operator's overlay adds."""
    like = {} if job in rights.RIGHTS else site()["book"]["words"].get("like", {})
    return rights.of(job, like)
