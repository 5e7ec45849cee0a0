"""Put a server's database back to an earlier state, as a restore from a backup does."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from custody.ledger.core import open_ledger
from tests.support.nodes import Casinos, Server


def take_copy(server: Server) -> Path:
    """Copy a server's database while it is open."""
    path = Path(server.ledger.config.database_url.removeprefix("sqlite:///"))
    copy = path.with_suffix(".backup")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    return copy


def put_back(casinos: Casinos, copy: Path) -> None:
    """Restore the upstream's database, keep its checkpoint, and start it anew."""
    config = casinos.upstream.ledger.config
    casinos.upstream.ledger.close()
    path = Path(config.database_url.removeprefix("sqlite:///"))
    for side in ("-wal", "-shm"):
        path.with_name(path.name + side).unlink(missing_ok=True)
    shutil.copy(copy, path)
    casinos.upstream = Server(open_ledger(config), casinos.upstream.app)
