"""Make a new ledger from a setting: schema, keys, master data, and the first administrator."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from sqlalchemy import select

from custody.config import Config
from custody.ledger import accounts, keys, rows, schema, tables
from custody.ledger.core import DESK, Ledger, now_ms
from custody.ledger.database import Database
from custody.ledger.errors import AlreadyInitialised, FolderUnusable
from custody.ledger.log import durable
from custody.ledger.masterdata import Change, administer_in
from custody.ledger.people import person_value
from custody.ledger.setting import Setting
from custody.ledger.strict import dumps
from custody.ledger.work import Work

ADMINISTRATOR = "admin"
SQLITE = "sqlite:///"


@dataclass(frozen=True)
class _Draft(Config):
    """A configuration whose keys are not in their place before their ledger is all there.

    So an `init` that was broken off, at whatever point, can be begun again.
    """

    folder: Path = Path()

    @property
    def keys(self) -> Path:
        return self.folder


def found(config: Config, setting: Setting, clock: Callable[[], int] = now_ms) -> str:
    """Make the ledger and return the token of the first administrator's one-time link.

    Raises AlreadyInitialised, with nothing changed, where a ledger or its keys are already.
    """
    _make_folder(config)
    refuse_existing(config)
    folder = Path(mkdtemp(prefix="keys.", suffix=".part", dir=config.data))
    draft = _Draft(config.data, config.database_url, config.secure_cookies, folder)
    ledger = Ledger(draft, clock)
    try:
        keys.create(draft.keys)
        schema.migrate(ledger.database)
        token = _fill(ledger, setting, config)
        _sweep(config)
        return token
    except BaseException:
        # New keys of a ledger that never came to be, wherever they are by now.
        shutil.rmtree(draft.keys if draft.keys.exists() else config.keys)
        raise
    finally:
        ledger.close()


def _make_folder(config: Config) -> None:
    """Make the data folder, and a database file in it that nobody else may read."""
    try:
        config.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        if config.database_url.startswith(SQLITE):
            Path(config.database_url.removeprefix(SQLITE)).touch(0o600)
    except OSError as error:
        raise FolderUnusable(f"{config.data} cannot be used: {error.strerror}") from error


def refuse_existing(config: Config) -> None:
    """Raise AlreadyInitialised where there is anything that `found` would replace."""
    if config.keys.exists():
        raise AlreadyInitialised(
            f"{config.data} holds the keys of a ledger already; choose another"
        )
    database = Database(config.database_url)
    try:
        if _holds_ledger(database):
            raise AlreadyInitialised("the database holds a ledger already; choose another")
    finally:
        database.close()


def _holds_ledger(database: Database) -> bool:
    """Say whether there is more than the empty tables of an `init` that was broken off."""
    if not database.has_table(tables.meta.name):
        return False
    with database.reading() as connection:
        return connection.execute(select(tables.meta.c.key)).first() is not None


def _sweep(config: Config) -> None:
    """Remove the keys of those that were broken off before."""
    for left in config.data.glob("keys.*.part"):
        shutil.rmtree(left, ignore_errors=True)


def _put_in_place(draft: Path, place: Path) -> None:
    durable.flush(draft)
    draft.replace(place)
    durable.flush(place.parent)


def _fill(ledger: Ledger, setting: Setting, config: Config) -> str:
    site = setting.site["id"]
    meta = {"database": secrets.token_hex(8), "site": site, "origin": f"custody/{site}"}
    with ledger.database.writing() as connection:
        rows.insert(connection, tables.meta, [{"key": k, "value": v} for k, v in meta.items()])
        jwk = keys.jwk_of(ledger.desk_key(1).public_key())
        desk = {"device": DESK, "run": 1, "since_position": 0, "jwk": dumps(jwk)}
        rows.insert(connection, tables.device_key, [desk])
        work = Work(connection)
        administrator = _administrator(setting)
        administer_in(ledger, work, "founded", site, [], [*_changes(setting), *administrator])
        work.flush()
        person = next(id_ for id_, job in _jobs(setting, administrator) if job == "administrator")
        token = accounts.link_in(connection, person, person, ledger.clock())
        _put_in_place(ledger.config.keys, config.keys)
        return token


def _administrator(setting: Setting) -> list[Change]:
    """Return the first administrator, where the setting names none."""
    if any(value["job"] == "administrator" for value in setting.people.values()):
        return []
    id_ = ADMINISTRATOR if ADMINISTRATOR not in setting.people else "administrator"
    value = person_value(id_, "administrator", {"administrator": "administration"})
    return [Change("person", id_, value)]


def _jobs(setting: Setting, added: list[Change]) -> list[tuple[str, str]]:
    people = [*setting.people.items(), *((one.id, one.value or {}) for one in added)]
    return [(id_, value["job"]) for id_, value in people]


def _changes(setting: Setting) -> list[Change]:
    return [
        Change("device", DESK, {"name": "desk", "state": "active", "run": 1}),
        Change("setting", "site", setting.site),
        Change("setting", "controls", setting.controls),
        Change("rulebook", setting.rulebook["id"], setting.rulebook),
        *(Change("person", id_, value) for id_, value in setting.people.items()),
        *(Change("place", id_, value) for id_, value in setting.places.items()),
    ]
