"""Ask another server over HTTP: one connection a request, with limits of time and size."""

from __future__ import annotations

import http.client
import ssl
import zlib
from collections.abc import Mapping
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

LARGEST = 64 << 20  # bytes of an answer, unpacked
PATIENCE_S = 20.0


class Unreachable(Exception):
    """No answer came from the upstream, or none that is its own; the text says what did."""


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes


class Http(Protocol):
    """What asks a server; tests wire two applications together by it."""

    def request(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> Answer: ...


class UrlHttp:
    """Requests to a server by its URL, which may have a path of its own.

    Certificates are checked against the system's authorities, or those in SSL_CERT_FILE.
    """

    def __init__(self, url: str, patience: float = PATIENCE_S) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is no address such as https://custody.example.com")
        self._host, self._port = parts.hostname, parts.port
        self._base = parts.path.rstrip("/")
        self._context = ssl.create_default_context() if parts.scheme == "https" else None
        self._patience = patience

    def request(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> Answer:
        """Raises Unreachable."""
        connection = self._connection()
        wanted = {"Accept-Encoding": "gzip", **headers}
        try:
            connection.request(method, self._base + path, body, wanted)
            found = connection.getresponse()
            raw = found.read(LARGEST + 1)
        except (OSError, http.client.HTTPException) as error:
            raise Unreachable(f"{self._host}: {error or type(error).__name__}") from error
        finally:
            connection.close()
        names = {name.title(): value for name, value in found.getheaders()}
        return Answer(found.status, names, unpacked(names, raw))

    def _connection(self) -> http.client.HTTPConnection:
        if self._context is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=self._patience)
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=self._patience, context=self._context
        )


def unpacked(headers: Mapping[str, str], raw: bytes) -> bytes:
    """Return an answer's content. Raises Unreachable for one that is cut short or too large."""
    if headers.get("Content-Encoding", "") == "gzip":
        expander = zlib.decompressobj(wbits=31)
        try:
            raw = expander.decompress(raw, LARGEST + 1)
        except zlib.error as error:
            raise Unreachable(f"the answer is no gzip stream: {error}") from error
        if len(raw) <= LARGEST and not expander.eof:
            raise Unreachable("the answer was cut short")
    if len(raw) > LARGEST:
        raise Unreachable(f"the answer has more than {LARGEST} bytes")
    return raw
