"""A house whose server is a process of its own, and the wire by which others speak to it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from custody.config import load
from custody.ledger import devices, tables
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.founding import found
from custody.ledger.setting import Setting, check_setting
from tests.faults.forge import cpu_seconds
from tests.support import cast
from tests.support.client import Client
from tests.support.device import Answer, SocketHttp
from tests.support.server import Server

PATIENCE = 60  # seconds for an answer
KINDS = (("/sync/v1/events", "push"), ("/sync/v1/changes", "pull"), ("/sync/", "sync"))


class Wire(SocketHttp):
    """Counts the bytes of what is pushed; tells how long each answer took, and what failed."""

    def __init__(self, port: int) -> None:
        super().__init__("127.0.0.1", port, PATIENCE)
        self.sent = 0
        self.seen: Callable[[str, float], None] = lambda kind, took: None
        self.failed: Callable[[str], None] = lambda what: None

    def request(self, method: str, path: str, headers: Any, body: bytes | None) -> Answer:
        kind = _kind(path, headers)
        began = time.perf_counter()
        try:
            answer = super().request(method, path, headers, body)
        except OSError as error:
            self.failed(f"{kind}: {type(error).__name__}")
            raise
        self.seen(kind, time.perf_counter() - began)
        if kind == "push":
            self.sent += len(body or b"")
        if answer.status >= 400 or "sign-in" in answer.headers.get("Location", ""):
            self.failed(f"{kind}: {answer.status}")
        return answer


def _kind(path: str, headers: Any) -> str:
    for start, kind in KINDS:
        if path.startswith(start):
            return kind
    page = path.partition("?")[0].strip("/").partition("/")[0] or "today"
    return f"desk {page}" + (", again" if "HX-Request" in headers else "")


class House:
    """A founded casino, its server's process, and its handhelds."""

    def __init__(self, folder: Path, setting: Setting | None = None) -> None:
        self.folder = folder
        folder.mkdir()
        config = load(folder / "data")
        found(config, setting or check_setting(cast.setting()))
        self.ledger: Ledger = open_ledger(config)
        self.server = Server("serve", folder / "data").start()

    def client(self, name: str) -> Client:
        made = Client(Wire(self.server.port), self.folder / f"{name}.db")
        outcome = made.enrol(devices.new_code(self.ledger))
        assert outcome.status == 201, outcome
        return made

    def memory(self) -> int:
        """Return the server's resident memory in MB."""
        status = Path(f"/proc/{self.server.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) // 1024

    def in_custody(self) -> int:
        """Return how many items replicas hold."""
        table = tables.record.c
        query = select(func.count()).where(table.of == "item", table.live)
        with self.ledger.database.reading() as connection:
            return int(connection.scalar(query) or 0)

    def processor(self) -> float:
        """Return the seconds of processor time that the server has used."""
        return cpu_seconds(self.server.process.pid)

    def close(self) -> None:
        self.server.stop()
        self.ledger.close()
