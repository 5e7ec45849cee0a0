"""The ledger as one object: its database, its keys, its clock and what it knows of its site."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from functools import cached_property

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from sqlalchemy import func, select

from custody.config import Config
from custody.ledger import keys, schema, tables
from custody.ledger.database import Database
from custody.ledger.errors import NotInitialised
from custody.ledger.log import LogReader, open_log
from custody.ledger.scope import Scope
from custody.ledger.together import Together
from custody.ledger.tokens import Tokens

MOVED = "moved"  # the row of meta by which `custody move` says where a ledger went
DESK = "desk"  # the device by which the server signs what people do at a desk


def now_ms() -> int:
    """Return the wall clock in UTC milliseconds."""
    return time.time_ns() // 1_000_000


class Ledger:
    """Everything that functions of the ledger take as their first argument.

    `clock` returns UTC milliseconds. `boot` names this process's start in the desk's events.
    """

    def __init__(self, config: Config, clock: Callable[[], int] = now_ms) -> None:
        self.config = config
        self.clock = clock
        self.database = Database(config.database_url)
        self.together = Together(self.database)
        self.tokens = Tokens(config.data, self.database)
        self.boot = secrets.token_hex(8)
        self.scope = Scope()
        self._desk_keys: dict[int, EllipticCurvePrivateKey] = {}
        self._started = time.monotonic_ns()

    def mono(self) -> int:
        """Return milliseconds since this process opened the ledger."""
        return (time.monotonic_ns() - self._started) // 1_000_000

    def desk_key(self, run: int) -> EllipticCurvePrivateKey:
        """Return the key by which the desk signs in a run of its chain."""
        if run not in self._desk_keys:
            self._desk_keys[run] = keys.desk_key(self.config.keys, run)
        return self._desk_keys[run]

    @cached_property
    def log(self) -> LogReader:
        """The verifiable log: checkpoints, tiles, receipts."""
        return open_log(self)

    @cached_property
    def meta(self) -> dict[str, str]:
        """What never changes after `init`: `database` (its id), `site`, `origin`."""
        with self.database.reading() as connection:
            rows = connection.execute(select(tables.meta.c.key, tables.meta.c.value))
            return {row.key: row.value for row in rows}

    @property
    def site(self) -> str:
        """The id of the site, which `init` fixed for good."""
        return self.meta["site"]

    def size(self) -> int:
        """Return the number of events in the log."""
        with self.database.reading() as connection:
            highest = connection.scalar(select(func.max(tables.event.c.position)))
        return 0 if highest is None else highest + 1

    def close(self) -> None:
        """Let go of the database and of the file of tokens."""
        self.tokens.close()
        self.database.close()


def open_ledger(config: Config, clock: Callable[[], int] = now_ms) -> Ledger:
    """Open a ledger that `custody init` made, bringing its schema up to date.

    Raises NotInitialised when there is none.
    """
    how = "make one with `custody init --data DIR --setting FILE`"
    missing = NotInitialised(f"there is no ledger in {config.data}: {how}")
    if not config.keys.exists():
        raise NotInitialised(f"{missing}; if there was one, put {config.keys} back from a backup")
    ledger = Ledger(config, clock)
    try:
        if not ledger.database.has_table(tables.meta.name) or "site" not in ledger.meta:
            raise missing
        if MOVED in ledger.meta:
            raise NotInitialised(
                f"this ledger was moved to {ledger.meta[MOVED]}: name that with --database"
            )
        schema.bring_up(ledger.database)
    except BaseException:
        ledger.close()
        raise
    return ledger
