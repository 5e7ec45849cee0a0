"""What the commands share: the options that name a ledger, and how their errors are told."""

from __future__ import annotations

import errno
import functools
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click

from custody.assets import AssetsMissingError
from custody.config import Config, ConfigError, load
from custody.ledger.errors import LedgerError
from custody.ledger.keys import KeysMissing
from custody.tls import TlsError

Command = TypeVar("Command", bound=Callable[..., Any])

EXPECTED = (AssetsMissingError, ConfigError, KeysMissing, LedgerError, TlsError)


def ledger_options(command: Command) -> Command:
    """Add --data and --database, which CUSTODY_DATA and CUSTODY_DATABASE_URL stand for."""
    data = click.option("--data", envvar="CUSTODY_DATA", help="The data folder.", metavar="DIR")
    database = click.option(
        "--database",
        envvar="CUSTODY_DATABASE_URL",
        metavar="URL",
        help="The database; SQLite in the data folder when not given.",
    )
    return data(database(command))


class Address(click.ParamType[str]):
    """A server's address as browsers open it, without the slash at its end."""

    name = "url"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the address. Fails (exit status 2) for what is no http(s) URL with a host."""
        try:
            parts = urlsplit(value)
            bare = not (parts.query or parts.fragment or parts.username)
            fits = bare and parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:  # a port that is no number, a bracket that is not closed
            fits = False
        if not fits or not value.isascii() or any(sign <= " " for sign in value):
            self.fail(f"{value!r} is no address such as https://custody.example:8443", param, ctx)
        return value.rstrip("/")


@contextmanager
def drafted(path: Path) -> Iterator[Path]:
    """Yield a file beside `path` that takes its place at the end, or is gone after an error: half a
    page of labels is printed for a whole one, half a table read for all of it.
    """
    draft = path.with_name(path.name + ".part")
    try:
        yield draft
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def telling_errors(command: Callable[..., None]) -> Callable[..., None]:
    """Tell an expected error as one line on standard error, with exit status 1."""

    @functools.wraps(command)
    def told(*args: object, **options: object) -> None:
        try:
            command(*args, **options)
        except EXPECTED as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            raise _failed(error) from error
        except _database_errors() as error:
            raise _unusable(error) from error

    return told


def _failed(error: OSError) -> Exception:
    """A full disk, or a file that may not be read, is told in one line; a reader of the output who
    has gone is click's to see to.
    """
    if error.errno == errno.EPIPE:
        return error
    where = error.filename or "a file or the disk"
    return click.ClickException(f"{where} cannot be used: {error.strerror or error}")


def _database_errors() -> tuple[type[Exception], ...]:
    """What a database raises; asked only once a command has failed, as many start without one."""
    from sqlalchemy.exc import DatabaseError

    return DatabaseError, sqlite3.Error


def _unusable(error: Exception) -> Exception:
    """A database that is full, read-only, away or damaged is told in one line; a statement that it
    refuses is a fault of the program, and told as one.
    """
    from sqlalchemy.exc import OperationalError

    said = getattr(error, "orig", error)
    damaged = type(said) is sqlite3.DatabaseError
    if damaged or isinstance(error, (OperationalError, sqlite3.OperationalError)):
        return click.ClickException(f"the database cannot be used: {said}")
    return error


def config_of(data: str | None, database: str | None, *, secure: bool = False) -> Config:
    """Return the configuration; a missing folder is a usage error (exit status 2)."""
    try:
        return load(data, database, secure=secure)
    except ConfigError as error:
        raise click.UsageError(str(error)) from error
