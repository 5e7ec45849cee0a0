"""Put a server's database back to an earlier state, as a restore from a backup does."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.support import postgres
from tests.support.nodes import UPSTREAM, Casinos


def take_copy(casinos: Casinos, name: str = UPSTREAM) -> str:
    """Copy a server's database; return the file, or the URL of a copy on PostgreSQL."""
    database = casinos.server(name).ledger.database
    url = casinos.config(name).database_url
    if not database.is_sqlite:
        server = postgres.server_of(url)
        copy = postgres.new_name(server)
        database.close()  # it opens again when it is asked
        postgres.copy_database(server, url, copy)
        return copy
    path = _file(url)
    target = path.with_suffix(".backup")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(target)) as made:
        source.backup(made)
    return str(target)


def put_back(casinos: Casinos, copy: str, name: str = UPSTREAM) -> None:
    """Restore a server's database, keep its checkpoint, and start it anew."""
    url = casinos.config(name).database_url
    casinos.server(name).ledger.close()
    if copy.startswith("postgresql"):
        postgres.copy_database(postgres.server_of(url), copy, url)
    else:
        for side in ("-wal", "-shm"):
            _file(url).with_name(_file(url).name + side).unlink(missing_ok=True)
        shutil.copy(copy, _file(url))
    if name == UPSTREAM:
        casinos.restart_upstream()
    else:
        casinos.restart(name)


def _file(url: str) -> Path:
    return Path(url.removeprefix("sqlite:///"))
