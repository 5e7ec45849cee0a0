"""What may happen to a request on its way: `FAULTS` by name, each a function of an `Exchange`."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

PIECE = 1 << 16
PORTAL = b"<!doctype html><title>Hotel Wi-Fi</title><p>Accept our terms to go on."


class Way(Protocol):
    """The link that an exchange is on. `held` are requests that arrive after the next one."""

    held: list[bytes]
    patience: float

    def connect(self) -> socket.socket: ...

    def pause(self, seconds: float) -> None: ...


class Exchange:
    """One connection of a device, and the requests that are made on it."""

    def __init__(self, link: Way, device: socket.socket) -> None:
        self.link, self.device = link, device

    def read(self) -> bytes:
        """Return the device's whole request; less where it hung up."""
        return read_message(self.device)

    def forward(self, raw: bytes) -> bytes:
        """Send a request to the server and return its whole answer, b"" where there is none."""
        with suppress(OSError), self.link.connect() as server:
            server.sendall(raw)
            return read_message(server, answer=True)
        return b""

    def forward_part(self, raw: bytes) -> None:
        """Send the beginning of a request to the server, and hang up."""
        with suppress(OSError), self.link.connect() as server:
            server.sendall(raw)
            server.shutdown(socket.SHUT_WR)
            while server.recv(PIECE):
                pass

    def answer(self, raw: bytes) -> None:
        with suppress(OSError):
            self.device.sendall(raw)

    def hold(self) -> None:
        """Say nothing, until the device has lost its patience or the link is closed."""
        self.link.pause(self.link.patience)

    def reset(self) -> None:
        """Let the connection end with RST, as a dead router's does."""
        self.device.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def read_message(source: socket.socket, *, answer: bool = False) -> bytes:
    """Return one HTTP message: head and body, by its Content-Length; an answer without one ends
    with the connection.
    """
    raw = b""
    while b"\r\n\r\n" not in raw:
        piece = source.recv(PIECE)
        if not piece:
            return raw
        raw += piece
    start = raw.index(b"\r\n\r\n") + 4
    length = _length(raw[:start])
    while (length is None and answer) or len(raw) < start + (length or 0):
        piece = source.recv(PIECE)
        if not piece:
            break
        raw += piece
    return raw


def _length(head: bytes) -> int | None:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            return int(value)
    return None


def http(status: str, content: bytes, kind: str = "text/html", *more: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(content)}"]
    return "\r\n".join([*lines, "Connection: close", *more, "", ""]).encode() + content


# --- the faults ---


def passed(x: Exchange) -> None:
    x.answer(x.forward(x.read()))


def lost_request(x: Exchange) -> None:
    x.read()


def lost_answer(x: Exchange) -> None:
    x.forward(x.read())


def half_request(x: Exchange) -> None:
    raw = x.read()
    x.forward_part(raw[: _middle(raw)])


def half_answer(x: Exchange) -> None:
    raw = x.forward(x.read())
    x.answer(raw[: _middle(raw)])


def _middle(raw: bytes) -> int:
    """Return the middle of a message's body; of its head where it has none."""
    start = raw.find(b"\r\n\r\n") + 4
    return start + (len(raw) - start) // 2 if len(raw) > start else len(raw) // 2


def duplicate(x: Exchange) -> None:
    """The request arrives twice, and the device hears the first answer."""
    raw = x.read()
    first = x.forward(raw)
    x.forward(raw)
    x.answer(first)


def duplicate_second(x: Exchange) -> None:
    """The request arrives twice, and the device hears the second answer."""
    raw = x.read()
    x.forward(raw)
    x.answer(x.forward(raw))


def late(x: Exchange) -> None:
    """The request arrives only after the device's next one: they are reordered."""
    x.link.held.append(x.read())


def replayed(x: Exchange) -> None:
    """The request passes, and arrives once more after the device's next one."""
    raw = x.read()
    x.answer(x.forward(raw))
    x.link.held.append(raw)


def half_open(x: Exchange) -> None:
    """The connection stands, and nothing comes through it in either direction."""
    x.hold()


def answers_cut(x: Exchange) -> None:
    """Requests arrive; no answer comes back."""
    x.forward(x.read())
    x.hold()


def requests_cut(x: Exchange) -> None:
    """What the device sends is taken and never arrives."""
    x.read()
    x.hold()


def refused(x: Exchange) -> None:
    x.reset()


def portal(x: Exchange) -> None:
    x.read()
    x.answer(http("200 OK", PORTAL))


def portal_json(x: Exchange) -> None:
    """A sign-in page that claims to be what was asked for."""
    x.read()
    x.answer(http("200 OK", PORTAL, "application/json"))


def redirected(x: Exchange) -> None:
    x.read()
    x.answer(http("302 Found", b"", "text/html", "Location: http://127.0.0.1:9/sign-in"))


def bad_gateway(x: Exchange) -> None:
    x.read()
    x.answer(http("502 Bad Gateway", b"<h1>502 Bad Gateway</h1>"))


def unavailable(x: Exchange) -> None:
    """The request arrives, and a machine in between says that it did not."""
    x.forward(x.read())
    x.answer(http("503 Service Unavailable", b"try again", "text/plain", "Retry-After: 1"))


def slow(x: Exchange) -> None:
    """Both ways in small pieces, with pauses."""
    raw = x.read()
    with suppress(OSError), x.link.connect() as server:
        for piece in _pieces(raw):
            server.sendall(piece)
            x.link.pause(0.001)
        for piece in _pieces(read_message(server, answer=True)):
            x.answer(piece)
            x.link.pause(0.001)


def _pieces(raw: bytes, most: int = 12) -> list[bytes]:
    size = len(raw) // most + 1
    return [raw[at : at + size] for at in range(0, len(raw), size)]


def delayed(x: Exchange) -> None:
    raw = x.read()
    x.link.pause(x.link.patience)
    x.answer(x.forward(raw))


Fault = Callable[[Exchange], None]
FAULTS: dict[str, Fault] = {
    one.__name__: one
    for one in (
        *(lost_request, lost_answer, half_request, half_answer),
        *(duplicate, duplicate_second, late, replayed),
        *(half_open, answers_cut, requests_cut, refused),
        *(portal, portal_json, redirected, bad_gateway, unavailable),
        *(slow, delayed),
    )
}
