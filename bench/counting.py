"""A way through to a server on loopback that counts the bytes of each request, heads apart."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

END = b"\r\n\r\n"


class Request(NamedTuple):
    """`what` is method and path, `head` and `body` are bytes as they went over the wire."""

    what: str
    head: int
    body: int


class Way:
    """Listens on `port`; `requests` are those that passed, in the order in which they ended."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.requests: list[Request] = []
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                browser, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self.target))
                for one in (browser, server):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for work in (self._out, self._back):
                    threading.Thread(target=work, args=(browser, server), daemon=True).start()

    def _out(self, browser: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            for request in _requests(browser, server):
                self.requests.append(request)
            server.shutdown(socket.SHUT_WR)

    @staticmethod
    def _back(browser: socket.socket, server: socket.socket) -> None:
        with browser, server, suppress(OSError):
            while some := server.recv(65536):
                browser.sendall(some)


def _requests(browser: socket.socket, server: socket.socket) -> Iterator[Request]:
    """Pass requests on, and yield each that has passed whole."""
    had = b""
    while True:
        while END not in had:
            some = browser.recv(65536)
            if not some:
                return
            server.sendall(some)
            had += some
        head, _, had = had.partition(END)
        length = _length(head)
        while len(had) < length:
            some = browser.recv(65536)
            if not some:
                return
            server.sendall(some)
            had += some
        had = had[length:]
        what = " ".join(head.decode("latin-1").split(" ", 2)[:2])
        yield Request(what, len(head) + len(END), length)


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    return 0
