"""A real server process on a free port over a data folder of its own."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

CUSTODY = Path(sys.executable).with_name("custody")
START_SECONDS = 60
_ADDRESS = re.compile(r"https?://[^\s/]+:\d+")


class ServerError(Exception):
    """The server ended, or did not say its address in time; the message holds what it printed."""


class Server:
    """``custody serve`` or ``custody demo`` in a process of its own.

    `url` has no slash at its end. After `stop` or `kill`, `start` serves the same folder at the
    same port again, so that a page can find it.
    """

    def __init__(self, command: str, data: Path, *arguments: str, **environment: str):
        self.command, self.data, self.arguments = command, data, arguments
        self.env = {**os.environ, **environment}
        self.executable, self.folder = CUSTODY, Path.cwd()
        self.port = free_port()
        self.lines: list[str] = []

    def start(self) -> "Server":
        arguments = [self.command, "--data", str(self.data), *self.arguments]
        self.lines = []
        self.process = subprocess.Popen(
            [self.executable, *arguments, "--port", str(self.port)],
            env=self.env,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.url = self._address()
        return self

    def stop(self) -> None:
        """End it as an operator would (SIGTERM), and wait until it has answered all."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power cut would (SIGKILL)."""
        self._end(signal.SIGKILL)

    def output(self) -> str:
        return "".join(self.lines)

    def wait_for(self, text: str) -> None:
        """Wait until it has printed `text`."""
        deadline = time.monotonic() + START_SECONDS
        while text not in self.output():
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise ServerError(f"it never printed {text!r}:\n{self.output()}")
            time.sleep(0.02)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
        self.process.stdout.close()

    def _address(self) -> str:
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            found = _ADDRESS.search(self.output())
            if found:
                return found.group(0)
            if self.process.poll() is not None:
                self._reader.join()
                raise ServerError(f"exit status {self.process.returncode}:\n{self.output()}")
            time.sleep(0.02)
        self.kill()
        raise ServerError(f"no address within {START_SECONDS} s:\n{self.output()}")

    def _end(self, number: signal.Signals) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, number)
        self.process.wait(timeout=60)
        self._reader.join(timeout=30)


def free_port() -> int:
    """Return a port that is free now. A server that chose its own could not have it again soon."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def custody(*arguments: str, data: Path | None = None, status: int = 0) -> str:
    """Run the `custody` command and return its standard output; any other exit `status` fails."""
    command: Sequence[str | Path] = [CUSTODY, *arguments]
    done = subprocess.run(
        [*command, *(["--data", str(data)] if data else [])], capture_output=True, text=True
    )
    assert done.returncode == status, f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout
