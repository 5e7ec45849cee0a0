"""Who signs in at a desk: accounts, passwords, one-time links, sessions, and failed tries.

An account's `user` is what is typed; its `person` signs steps. Secrets are kept as hashes only.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, select, update

from custody.ledger import credentials, rows, tables
from custody.ledger.core import Ledger
from custody.ledger.errors import CodeRefused, NotKnown
from custody.ledger.masterdata import By, Change, administer_in
from custody.ledger.people import known
from custody.ledger.work import Work

LINK_MS = 24 * 3_600_000
SESSION_MS = 12 * 3_600_000  # however busy
IDLE_MS = 30 * 60_000  # without a request
MOST_TRIES = 5
TRIES_MS = 15 * 60_000  # failed tries are forgotten after this long without another


class TooManyTries(CodeRefused):
    """Sign-in is closed for a while; `until` is UTC ms."""

    def __init__(self, until: int) -> None:
        super().__init__("too many failed sign-ins; wait, or ask an administrator for a link")
        self.until = until


class SignedIn(NamedTuple):
    """A session as found by its cookie; `session` is the SHA-256 of the cookie."""

    session: str
    user: str
    person: str


def new_link(ledger: Ledger, person: str, user: str | None = None) -> str:
    """Return the token of a one-time link by which a person sets a password, within a day.

    Makes the account (`user`, or the person's id) when there is none. Raises NotKnown.
    """
    with ledger.database.writing() as connection:
        known(Work(connection), person)
        return link_in(connection, person, user or person, ledger.clock())


def link_in(connection: Connection, person: str, user: str, now: int) -> str:
    """Make a link within a transaction that is open already."""
    table = tables.account
    if connection.scalar(select(table.c.user).where(table.c.user == user)) is None:
        row = {"user": user, "person": person, "password": None, "active": True, "changed": now}
        rows.insert(connection, table, [row])
    secret = credentials.token()
    link = {"hash": credentials.token_hash(secret), "user": user}
    rows.insert(connection, tables.link, [{**link, "expires": now + LINK_MS, "used": None}])
    return secret


def user_of_link(ledger: Ledger, secret: str) -> str:
    """Return the user whose password a link sets. Raises CodeRefused for a used or old one."""
    with ledger.database.reading() as connection:
        return _open_link(connection, secret, ledger.clock())


def _open_link(connection: Connection, secret: str, now: int) -> str:
    table = tables.link.c
    query = select(tables.link).where(table.hash == credentials.token_hash(secret))
    found = connection.execute(query).mappings().one_or_none()
    if found is None:
        raise CodeRefused("this link is not known; ask an administrator for a new one")
    if found["used"] is not None:
        raise CodeRefused("this link has been used; a link serves once")
    if found["expires"] <= now:
        raise CodeRefused("this link has expired; ask an administrator for a new one")
    return str(found["user"])


def spend_link(ledger: Ledger, secret: str, password: str) -> str:
    """Set the password of a link's user and end the user's sessions. Returns the user.

    Raises CodeRefused, or CredentialRefused for a bad password (the link stays good then).
    """
    hashed = credentials.password_hash(password)
    now = ledger.clock()
    with ledger.database.writing() as connection:
        user = _open_link(connection, secret, now)
        spent = tables.link.c.hash == credentials.token_hash(secret)
        connection.execute(update(tables.link).where(spent).values(used=now))
        _set_password(ledger, connection, user, hashed, [])
        _forget_tries(connection, [f"name:{user}"])
    return user


def set_password(ledger: Ledger, user: str, password: str, by: By) -> None:
    """Set an account's password and end its sessions. Raises CredentialRefused or NotKnown."""
    hashed = credentials.password_hash(password)
    with ledger.database.writing() as connection:
        _set_password(ledger, connection, user, hashed, by)


def _set_password(ledger: Ledger, connection: Connection, user: str, hashed: str, by: By) -> None:
    table = tables.account
    mine = table.c.user == user
    person = connection.scalar(select(table.c.person).where(mine))
    if person is None:
        raise NotKnown(f"there is no account {user!r}")
    values = {"password": hashed, "changed": ledger.clock()}
    connection.execute(update(table).where(mine).values(values))
    connection.execute(tables.session.delete().where(tables.session.c.user == user))
    work = Work(connection)
    changes: list[Change] = []
    administer_in(ledger, work, "password", person, by or [{"person": person}], changes)
    work.flush()


def authenticate(ledger: Ledger, user: str, password: str, address: str) -> str | None:
    """Return the user's person when the password fits, else None.

    The try is counted, durably, under the name and the address before the password is checked.
    Raises TooManyTries after five.
    """
    subjects = [f"name:{user}", f"address:{address}"]
    with ledger.database.writing() as connection:
        _count_try(connection, subjects, ledger.clock())
    with ledger.database.reading() as connection:
        table = tables.account.c
        query = select(table.person, table.password).where(table.user == user, table.active)
        found = connection.execute(query).one_or_none()
        active = found is not None and _is_active(connection, found.person)
    fits = credentials.password_fits(found.password if found else None, password)
    if found is None or not (fits and active):
        return None
    with ledger.database.writing() as connection:
        _forget_tries(connection, subjects)
    return str(found.person)


def _is_active(connection: Connection, person: str) -> bool:
    return (Work(connection).get("person", person) or {}).get("active") is True


def _count_try(connection: Connection, subjects: list[str], now: int) -> None:
    table = tables.attempt
    query = select(table).where(table.c.subject.in_(subjects), table.c.last > now - TRIES_MS)
    recent = {row["subject"]: row for row in connection.execute(query).mappings()}
    for row in recent.values():
        if row["tries"] >= MOST_TRIES * (1 if row["subject"].startswith("name:") else 10):
            raise TooManyTries(row["last"] + TRIES_MS)
    counted = [
        {"subject": s, "tries": recent[s]["tries"] + 1 if s in recent else 1, "last": now}
        for s in subjects
    ]
    rows.upsert(connection, table, counted)


def _forget_tries(connection: Connection, subjects: list[str]) -> None:
    table = tables.attempt
    connection.execute(table.delete().where(table.c.subject.in_(subjects)))


def open_session(ledger: Ledger, user: str, cookie: str) -> None:
    """Open a session for a cookie that the browser was given at sign-in."""
    now = ledger.clock()
    row = {"hash": credentials.token_hash(cookie), "user": user, "started": now, "seen": now}
    with ledger.database.writing() as connection:
        connection.execute(tables.session.delete().where(tables.session.c.expires <= now))
        rows.insert(connection, tables.session, [{**row, "expires": now + SESSION_MS}])


def find_session(ledger: Ledger, cookie: str) -> SignedIn | None:
    """Return a cookie's session, noting (to a minute) that it was seen; None when it is over."""
    now, name = ledger.clock(), credentials.token_hash(cookie)
    session, account = tables.session.c, tables.account.c
    query = (
        select(session.user, session.seen, account.person)
        .join(tables.account, account.user == session.user)
        .where(session.hash == name, session.expires > now, session.seen > now - IDLE_MS)
        .where(account.active)
    )
    with ledger.database.reading() as connection:
        found = connection.execute(query).one_or_none()
        if found is None or not _is_active(connection, found.person):
            return None
    if now - found.seen >= 60_000:
        with ledger.database.writing() as connection:
            touch = update(tables.session).where(session.hash == name).values(seen=now)
            connection.execute(touch)
    return SignedIn(name, found.user, found.person)


def end_session(ledger: Ledger, cookie: str) -> None:
    """End the session of a cookie; none is no error."""
    table = tables.session
    with ledger.database.writing() as connection:
        connection.execute(table.delete().where(table.c.hash == credentials.token_hash(cookie)))
