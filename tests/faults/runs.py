"""Play fault runs by their seeds.

    python -m tests.faults.runs --seed 17

A run that fails prints its seed, what was done to it, and this command. One seed in four is played
on PostgreSQL, and always the same ones; `--database` says otherwise.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from custody.config import Config
from custody.ledger.founding import found
from custody.ledger.setting import check_setting
from tests.faults import ending
from tests.faults.forge import Forge
from tests.faults.run import Run
from tests.faults.world import Original, World
from tests.support import cast, postgres

SQLITE, POSTGRESQL = "sqlite", "postgresql"


class Played(NamedTuple):
    """What a run came to. `counted` are its faults, acts and claims; `cpu` its server's seconds."""

    seed: int
    database: str
    seconds: float
    cpu: float
    counted: Counter[str]


class RunFailed(AssertionError):
    """A run after which something did not hold; the text says how to play it again."""

    def __init__(self, seed: int, database: str, counted: Counter[str]) -> None:
        how = f"python -m tests.faults.runs --seed {seed} --database {database}"
        what = ", ".join(f"{name} {count}" for name, count in sorted(counted.items()))
        super().__init__(f"seed {seed} fails on {database}; play it again with\n  {how}\n({what})")


def database_of(seed: int) -> str:
    return POSTGRESQL if seed % 4 == 3 else SQLITE


class Stage:
    """What runs share: the process that forks servers, and what their sites are copied from.

    `server` gives the URL of a PostgreSQL server, asked for when the first run needs it.
    """

    def __init__(self, forge: Forge, folder: Path, server: Iterator[str]) -> None:
        self._forge, self._folder, self._server = forge, folder, server
        self._originals: dict[str, Original] = {}

    def play(self, seed: int, database: str | None = None) -> Played:
        """Play one run. Raises RunFailed."""
        chosen = database or database_of(seed)
        original = self._original(chosen)
        folder = Path(tempfile.mkdtemp(dir=self._folder))
        began = time.monotonic()
        world = World(self._forge, folder, original)
        run: Run | None = None
        try:
            run = Run(world, seed)
            run.play()
            ending.end(run)
        except Exception as error:
            raise RunFailed(seed, chosen, run.counted if run else Counter()) from error
        finally:
            world.close()
            shutil.rmtree(folder)
        spent = world.server.cpu_seconds
        return Played(seed, chosen, time.monotonic() - began, spent, run.counted)

    def _original(self, database: str) -> Original:
        if database not in self._originals:
            folder = Path(tempfile.mkdtemp(dir=self._folder))
            server = next(self._server) if database == POSTGRESQL else ""
            url = postgres.new_database(server) if server else f"sqlite:///{folder}/custody.db"
            config = Config(folder / "data", url)
            found(config, check_setting(cast.setting()))
            self._originals[database] = Original(folder, config, server)
        return self._originals[database]


@contextmanager
def stage() -> Iterator[Stage]:
    """Set a stage up for a command, and take it down."""
    with ExitStack() as ending_with, tempfile.TemporaryDirectory(prefix="faults-") as folder:
        forge = Forge()
        ending_with.callback(forge.close)

        def server() -> Iterator[str]:
            yield ending_with.enter_context(postgres.running())

        yield Stage(forge, Path(folder), server())


def main() -> int:
    parser = argparse.ArgumentParser(description="Play one fault run again.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--database", choices=(SQLITE, POSTGRESQL))
    given = parser.parse_args()
    with stage() as made:
        played = made.play(given.seed, given.database)
    what = ", ".join(f"{name} {count}" for name, count in sorted(played.counted.items()))
    print(f"seed {played.seed} on {played.database}: {played.seconds:.1f} s\n{what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
