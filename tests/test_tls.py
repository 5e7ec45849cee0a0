"""HTTPS: handshakes that fail, and certificates that cannot be used."""

import datetime
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from cheroot.wsgi import Server

from custody import tls
from custody.demo.authority import Authority

NOW = datetime.datetime.now(datetime.UTC)

TIMEOUT_S = 30  # of the server, for who says nothing: no busy machine takes so long to answer


def answer(_environ: dict[str, Any], start_response: Any) -> list[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "2")])
    return [_environ["wsgi.url_scheme"][-2:].encode()]


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "tls")


@pytest.fixture
def port(authority: Authority) -> Iterator[int]:
    server = Server(("127.0.0.1", 0), answer, numthreads=2, timeout=TIMEOUT_S)
    server.ssl_adapter = tls.adapter(*authority.ensure(["custody.test", "127.0.0.1"], NOW))
    server.prepare()
    tls.wait_for_data(server.socket)
    thread = threading.Thread(target=server.serve)
    thread.start()
    yield server.bind_addr[1]
    server.stop()
    thread.join()


def ask(port: int, authority: Authority, name: str = "custody.test") -> bytes:
    trusting = ssl.create_default_context(cafile=str(authority.certificate_file))
    with (
        socket.create_connection(("127.0.0.1", port), timeout=60) as plain,
        trusting.wrap_socket(plain, server_hostname=name) as secure,
    ):
        secure.sendall(b"GET / HTTP/1.1\r\nHost: custody.test\r\nConnection: close\r\n\r\n")
        return b"".join(iter(lambda: secure.recv(4096), b""))


def test_a_client_that_trusts_the_authority_is_answered(port: int, authority: Authority) -> None:
    assert ask(port, authority).endswith(b"ps")
    assert ask(port, authority, "127.0.0.1").startswith(b"HTTP/1.1 200")


def test_a_name_that_the_certificate_does_not_hold_is_refused(
    port: int, authority: Authority
) -> None:
    with pytest.raises(ssl.SSLCertVerificationError, match=r"not valid for 'other\.test'"):
        ask(port, authority, "other.test")
    assert ask(port, authority).endswith(b"ps")


def test_plain_http_is_told_to_use_https(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: custody.test\r\n\r\n")
        answered = b"".join(iter(lambda: plain.recv(4096), b""))
    assert answered.startswith(b"HTTP/1.1 400")
    assert b"open the address with https://" in answered


def test_a_client_that_connects_and_is_silent_holds_up_nobody(
    port: int, authority: Authority
) -> None:
    with ExitStack() as silent:
        for _ in range(4):
            silent.enter_context(socket.create_connection(("127.0.0.1", port)))
        begun = time.monotonic()
        assert ask(port, authority).startswith(b"HTTP/1.1 200")
        assert time.monotonic() - begun < TIMEOUT_S, "before they were given up"


def test_a_file_that_is_no_certificate_is_named(tmp_path: Path, authority: Authority) -> None:
    _, key = authority.ensure(["custody.test"], NOW)
    wrong = tmp_path / "wrong.crt"
    wrong.write_text("not a certificate")
    with pytest.raises(tls.TlsError, match=r"wrong\.crt .* must be PEM files"):
        tls.adapter(wrong, key)


def test_a_key_of_another_certificate_is_refused(tmp_path: Path, authority: Authority) -> None:
    certificate, _ = authority.ensure(["custody.test"], NOW)
    _, other = Authority(tmp_path / "other").ensure(["custody.test"], NOW)
    with pytest.raises(tls.TlsError, match="the key must be the certificate's"):
        tls.adapter(certificate, other)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(tls.TlsError, match=r"gone\.crt"):
        tls.adapter(tmp_path / "gone.crt", tmp_path / "gone.key")
