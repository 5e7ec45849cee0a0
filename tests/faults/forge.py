"""Start `custody serve` many times in little time: one process has everything imported, and forks.

Each server is a process of its own that runs the real command, with its own database connections
and threads. `python -m tests.faults.forge` is the process that forks; it reads one JSON line a
server from its standard input, and writes the server's pid.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from tests.faults import crashing
from tests.support.server import START_SECONDS, ServerError, free_port

ROOT = Path(__file__).parents[2]


class Forge:
    """The process that forks servers; it and all of them end with `close`."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.faults.forge"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def fork(self, **order: Any) -> int:
        """Start a server and return its pid."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        said = self._process.stdout.readline()
        if not said:
            raise ServerError("the process that forks servers ended; see what it said")
        return int(said)

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait(timeout=60)


class Forked:
    """One `custody serve`, which may be killed and started again at the same port."""

    def __init__(self, forge: Forge, data: Path, database: str = "", port: int = 0) -> None:
        self._forge, self.data, self.database = forge, data, database
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = data.with_name(data.name + ".server.log")
        self._handle: int | None = None
        self.cpu_seconds = 0.0  # of all its processes that were ended from here

    def start(self, *points: str) -> Forked:
        """Start it, to be killed at the first of some points that it comes to."""
        arguments = ["serve", "--data", str(self.data), "--port", str(self.port)]
        if self.database:
            arguments += ["--database", self.database]
        self._log.write_text("")
        self.pid = self._forge.fork(arguments=arguments, points=points, log=str(self._log))
        self._handle = os.pidfd_open(self.pid)
        self._wait_ready()
        return self

    def stop(self) -> None:
        """End it as an operator would (SIGTERM), and wait until it has answered all."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power cut would (SIGKILL)."""
        self._end(signal.SIGKILL)

    def wait_dead(self, seconds: float = 60) -> None:
        """Wait until it has ended by itself."""
        assert self._handle is not None
        if not select.select([self._handle], [], [], seconds)[0]:
            raise ServerError(f"it did not end within {seconds} s:\n{self.output()}")
        os.close(self._handle)
        self._handle = None

    def is_dead(self) -> bool:
        return self._handle is None or bool(select.select([self._handle], [], [], 0)[0])

    def output(self) -> str:
        return self._log.read_text(errors="replace")

    def health(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}/health", timeout=60) as answer:
            return dict(json.load(answer))

    def _end(self, number: signal.Signals) -> None:
        if self._handle is None:
            return
        if not self.is_dead():
            self.cpu_seconds += cpu_seconds(self.pid)
            signal.pidfd_send_signal(self._handle, number)
        try:
            self.wait_dead()
        except ServerError:
            self._abandon()
            raise

    def _abandon(self) -> None:
        """Leave nothing behind of a server that does not do as it should: its port is needed."""
        assert self._handle is not None
        signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        self.wait_dead()

    def _wait_ready(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while "Custody is at" not in self.output():
            if self.is_dead() or time.monotonic() > deadline:
                self.kill()
                raise ServerError(f"the server did not start:\n{self.output()}")
            time.sleep(0.005)


def cpu_seconds(pid: int) -> float:
    """Return the processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- the process that forks ---


def _serve(order: dict[str, Any]) -> None:
    """Become a server; never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    log = os.open(order["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (log, 1), (log, 2)):
        os.dup2(source, target)
    os.setsid()
    for point in order["points"]:
        crashing.arm(point)
    from custody.cli import main

    main(order["arguments"])


def _import_all() -> None:
    import importlib
    import pkgutil

    import custody.routes
    from custody import assets
    from custody.cli import main
    from custody.commands import serve

    assert main
    assert serve
    for module in pkgutil.walk_packages(custody.routes.__path__, "custody.routes."):
        importlib.import_module(module.name)
    assets.ensure()
    assets.ensure = lambda: None  # they are seen to once, not by every server


def _warm_up() -> None:
    """Do once what each server would do at its first request, such as reading the rulebook."""
    from custody.app import create_app
    from custody.config import load
    from custody.ledger import devices
    from custody.ledger.core import open_ledger
    from custody.ledger.founding import found
    from custody.ledger.setting import check_setting
    from tests.support import cast
    from tests.support.device import Device, FlaskHttp

    with tempfile.TemporaryDirectory() as folder:
        config = load(folder)
        found(config, check_setting(cast.setting()))
        ledger = open_ledger(config)
        device = Device(FlaskHttp(create_app(config, ledger)))
        device.enrol(devices.new_code(ledger))
        device.record("receive", **cast.receive("D5-001"))
        device.push()
        device.pull()
        ledger.log.checkpoint()
        ledger.close()


def _watch_parent() -> None:
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _serve(json.loads(line))
        print(pid, flush=True)


if __name__ == "__main__":
    _import_all()
    _warm_up()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended servers leave no zombies
    _watch_parent()
