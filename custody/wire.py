"""What the HTTP server itself refuses, before any application is asked, in the protocol's shape;
and connections that are gone once they are closed.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

from cheroot.server import HTTPConnection, HTTPRequest

ROOTS = (b"/sync/", b"/log/")  # where errors are RFC 9457 problem details
MEDIA_TYPE = "application/problem+json"


LENGTH = b"Content-Length"


class Headers(dict[bytes, bytes]):
    """The headers of a request. Two lengths that differ are refused (RFC 9110, 8.6): what stands
    before this server may have believed the other one.
    """

    def __setitem__(self, name: bytes, value: bytes) -> None:
        if name == LENGTH and self.get(name, value) != value:
            raise ValueError("Two Content-Length headers differ.")
        super().__setitem__(name, value)


class Request(HTTPRequest):
    """A request whose head may be malformed, such as by a Content-Length that is no number."""

    def __init__(self, *told: Any, **more: Any) -> None:
        super().__init__(*told, **more)
        self.inheaders = Headers()

    def simple_response(self, status: int | str, msg: str = "") -> None:
        """Answer an error by itself: as problem details where the protocol is spoken."""
        path = getattr(self, "path", None) or b""
        if not msg or not path.startswith(ROOTS):
            super().simple_response(status, msg)
            return
        code = HTTPStatus(int(str(status)[:3]))
        told = {"type": "bad-request", "title": code.phrase, "status": code.value, "detail": msg}
        body = json.dumps(told).encode() + b"\n"
        self.close_connection = True
        head = f"HTTP/1.1 {code.value} {code.phrase}\r\nContent-Type: {MEDIA_TYPE}\r\n"
        head += (
            f"Content-Length: {len(body)}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
        )
        self.conn.wfile.write(head.encode() + body)


class Connection(HTTPConnection):
    """A connection of which each request is answered so."""

    RequestHandlerClass = Request

    def __init__(self, *told: Any, **more: Any) -> None:
        """Do without the memos of who is at the other end, which hold the connection itself: it
        and its buffers, some 10 kB, would stay until garbage is looked for, thousands of them.
        """
        super().__init__(*told, **more)
        del self.resolve_peer_creds, self.get_peer_creds
