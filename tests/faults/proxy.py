"""A proxy on loopback between one device and the server, that spoils what it is told to spoil.

Each connection carries one request, and a device makes one at a time. `Link.plan` says which
faults the next ones meet, in order; with nothing planned a request passes.
"""

from __future__ import annotations

import socket
import threading
from collections import deque
from contextlib import suppress

from tests.faults.spoiling import FAULTS, Exchange, Fault, passed, read_message

PATIENCE_SECONDS = 0.03  # how long a connection without an answer is held
SERVER_SECONDS = 30


class Link:
    """One device's way to the server at `target`, a port that may change."""

    def __init__(self, target: int = 0, patience: float = PATIENCE_SECONDS) -> None:
        self.target, self.patience = target, patience
        self.held: list[bytes] = []  # requests that arrive after the next one
        self.met: list[str] = []  # the faults that connections met, in order
        self._plan: deque[Fault] = deque()
        self._always: Fault | None = None
        self._hanging_up = threading.Event()
        self._busy: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def plan(self, *names: str) -> None:
        """Let the next connections meet these faults, in order; `passed` is none."""
        self._plan.extend(FAULTS.get(name, passed) for name in names)

    def always(self, name: str | None) -> None:
        """Let every connection without a plan meet a fault, until None is said."""
        self._always = FAULTS[name] if name else None

    def heal(self) -> None:
        """Let everything pass from now on, and arrive what was held back."""
        self._plan.clear()
        self._always = None
        self._hanging_up.set()
        self.settle()
        self._hanging_up.clear()
        self.deliver()

    def settle(self) -> None:
        """Wait until every connection has ended, and what it let arrive has arrived."""
        while self._busy:
            self._busy.pop().join(SERVER_SECONDS)

    def deliver(self) -> None:
        """Let the requests arrive that were held back; nobody hears their answers."""
        held, self.held = self.held, []
        for raw in held:
            with suppress(OSError), self.connect() as server:
                server.sendall(raw)
                read_message(server, answer=True)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.target), timeout=SERVER_SECONDS)

    def pause(self, seconds: float) -> None:
        """Wait, until the link is healed or closed."""
        self._hanging_up.wait(seconds)

    def close(self) -> None:
        self._hanging_up.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()
        self.settle()

    def _accept(self) -> None:
        while True:
            try:
                device, _ = self._listener.accept()
            except OSError:
                return
            fault = self._plan.popleft() if self._plan else self._always or passed
            self.met.append(fault.__name__)
            self._busy = [one for one in self._busy if one.is_alive()]
            self._busy.append(threading.Thread(target=self._serve, args=(device, fault)))
            self._busy[-1].start()

    def _serve(self, device: socket.socket, fault: Fault) -> None:
        held_before = len(self.held)
        with device, suppress(OSError):
            device.settimeout(SERVER_SECONDS)
            fault(Exchange(self, device))
        if held_before:
            held, self.held = self.held[:held_before], self.held[held_before:]
            self._replay(held)

    def _replay(self, held: list[bytes]) -> None:
        rest, self.held = self.held, held
        self.deliver()
        self.held = rest
