"""People with devices, who act on shared items as their devices show them, by a seed."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

from tests.faults.site import Site
from tests.support import cast
from tests.support.client import Client, receiving
from tests.support.device import now_ms

HOUR_MS = 3_600_000
YEAR_MS = 365 * 24 * HOUR_MS
MOVES = (
    ("store", {"to": "vault", "by": ["fay", "sam"]}),
    ("issue", {"to": "pit1", "by": ["fay", "sam", "pam"]}),
    ("issue", {"to": "CR1", "by": ["fay"]}),
    ("issue", {"to": "CR2", "by": ["gus"]}),
    ("remove", {"by": ["fay"], "with": {"reason": "rotation"}}),
)


class Actor:
    """One device in someone's hand."""

    def __init__(self, site: Site, client: Client, rng: Random, name: str) -> None:
        self.site, self.client, self.rng, self.name = site, client, rng, name
        self.recorded: dict[tuple[str, int, str], bytes] = {}  # as its disk had them last
        self.gone = False  # revoked and wiped, or its disk is lost
        self.ahead = 0  # ms by which its wall clock is wrong
        client.clock = self.clock

    def clock(self) -> int:
        return now_ms() + self.ahead

    def act(self, codes: list[str]) -> None:
        """Record one thing that someone does, as the device's own replica shows the items."""
        if not self.client.id or not self.is_good():
            return
        deed = self.rng.choices((self.move, self.dispute, self.note, self.mumble), (20, 2, 2, 1))[0]
        deed(codes)
        self.note_recorded()

    def is_good(self) -> bool:
        """Say whether the device may go on under the run that it has."""
        return not self.client.needs_run()

    def receive(self, codes: list[str]) -> None:
        self.client.record("receive", **cast.receive(*codes))
        self.note_recorded()

    def move(self, codes: list[str]) -> None:
        """Move what the device knows of; now and then receive what another may have received."""
        some = self.rng.sample(codes, self.rng.choice((1, 1, 1, 2)))
        saw = self.client.saw(*some)
        if len(saw) < len(some):
            self.receive([code for code in some if code not in saw])
            return
        step, fields = self.rng.choice(MOVES)
        self.client.record(step, **{**fields, "items": some, "saw": saw})

    def dispute(self, codes: list[str]) -> None:
        """Resolve a dispute that the device shows."""
        shown = [(code, self.client.disk.record("item", code)) for code in codes]
        disputed = [code for code, item in shown if item and item["disputed"]]
        if disputed:
            told = {"exception": "concurrent-claim", "outcome": "counted together"}
            items = disputed[:1]
            fields = {"items": items, "saw": self.client.saw(*items), "with": told, "by": ["pam"]}
            self.client.record("resolve", **fields)

    def note(self, _codes: list[str]) -> None:
        self.client.record("notify", by=["fay"], **{"with": {"whom": "surveillance"}})

    def mumble(self, _codes: list[str]) -> None:
        """Write a line that nobody can read."""
        word = b"%d" % self.rng.randrange(1 << 30)
        self.client.write(lambda run, seq, prev: b"torn by a bad disk " + word)

    def note_recorded(self) -> None:
        self.recorded = self.held()

    def held(self) -> dict[tuple[str, int, str], bytes]:
        """Return the events that the device keeps now, whatever became of them."""
        kept = self.client.disk.events()
        return {(self.client.id, one.run, one.id): one.line for one in kept}

    def set_aside(self) -> set[tuple[str, int, str]]:
        """Return the events that stand in the log under another id: they were written again."""
        rows = self.client.disk.rows("SELECT device, run, id FROM aside")
        return {(str(device), int(run), str(id_)) for device, run, id_ in rows}

    def acknowledged(self) -> dict[tuple[str, int, str], bytes]:
        kept = self.client.disk.events("state != 'queued'")
        return {(self.client.id, one.run, one.id): one.line for one in kept}

    def restart(self) -> None:
        """End the app in the middle of things, and open it again over the same disk."""
        self._replace(self.client.disk.path)

    def roll_back(self, copy: Path) -> None:
        """Put an older copy of the device's own disk in its place."""
        path = self.client.disk.path
        self.client.close()
        shutil.copyfile(copy, path)
        self._replace(path, close=False)
        self.note_recorded()  # what came after the copy is no longer on its disk

    def _replace(self, path: Path, *, close: bool = True) -> None:
        if close:
            self.client.close()
        index = self.site.clients.index(self.client)
        http, clock = self.client.http, self.client.clock
        self.client = Client(http, path, clock)
        self.site.clients[index] = self.client

    def jump(self) -> None:
        """Set the wall clock wrong, or right again."""
        self.ahead = self.rng.choice((0, 2 * HOUR_MS, -3 * HOUR_MS, 24 * HOUR_MS, -50 * YEAR_MS))

    def copy_disk(self) -> Path:
        path = self.client.disk.path.with_suffix(f".{self.rng.randrange(1 << 30)}.copy")
        shutil.copyfile(self.client.disk.path, path)
        return path

    def digest(self) -> str:
        return receiving.digest(self.client)
