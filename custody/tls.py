"""HTTPS for the WSGI server, from a certificate and key that an operator or the demo gives."""

from __future__ import annotations

import logging
import socket
import ssl
from pathlib import Path
from typing import Any

from cheroot.errors import FatalSSLAlert
from cheroot.ssl.builtin import BuiltinSSLAdapter

PLAIN_HTTP_ANSWER = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Connection: close\r\n\r\nThis port speaks HTTPS: open the address with https:// instead.\n"
)
SILENT_SECONDS = 30
log = logging.getLogger(__name__)


class TlsError(Exception):
    """A certificate or key cannot be used; the message names the file and says why."""


class LazyHandshakeAdapter(BuiltinSSLAdapter):
    """Leaves the TLS handshake to the thread that answers.

    cheroot's own adapter shakes hands in the one thread that accepts connections: a device that
    connects and says nothing would hold up everybody for as long as the time-out.
    """

    def wrap(self, sock: Any) -> tuple[Any, dict[str, str]]:
        """Return the wrapped socket, and what every request over it carries in its environment."""
        wrapped = self.context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return wrapped, {"wsgi.url_scheme": "https", "HTTPS": "on"}


class _Socket(ssl.SSLSocket):
    """Turns a failed handshake into a lost connection, after an answer to plain HTTP."""

    def recv_into(self, *arguments: Any, **options: Any) -> int:
        try:
            return super().recv_into(*arguments, **options)
        except ssl.SSLError as error:
            if error.reason == "HTTP_REQUEST":
                super(ssl.SSLSocket, self).sendall(PLAIN_HTTP_ANSWER)
            else:
                log.warning("a device gave up on a TLS connection: %s", error.reason)
            raise FatalSSLAlert(*error.args) from error
        except TimeoutError as error:
            if self.version() is None:  # nothing can be answered before the handshake
                raise FatalSSLAlert(*error.args) from error
            raise


def adapter(certificate: str | Path, key: str | Path) -> LazyHandshakeAdapter:
    """Return cheroot's adapter for a certificate (with its chain) and its key, both PEM files.

    Raises TlsError when a file cannot be read, is no certificate or key, or the two do not match.
    """
    try:
        made = LazyHandshakeAdapter(str(certificate), str(key))
    except (OSError, ValueError) as error:  # ssl.SSLError is an OSError
        raise TlsError(
            f"cannot use the certificate {certificate} with the key {key}: {error}; "
            "both must be PEM files, and the key must be the certificate's"
        ) from error
    made.context.minimum_version = ssl.TLSVersion.TLSv1_2
    made.context.sslsocket_class = _Socket
    return made


def wait_for_data(listener: socket.socket) -> None:
    """Hand a connection to a thread only once it has sent something, where the system can.

    A browser opens connections ahead of need; each would keep one of the server's threads waiting.
    """
    if hasattr(socket, "TCP_DEFER_ACCEPT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, SILENT_SECONDS)
