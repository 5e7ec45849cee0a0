"""The plain page from which a device on the LAN takes the demonstration's certificate."""

import datetime
import ipaddress
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from custody.demo import lan
from custody.demo.authority import Authority

NOW = datetime.datetime.now(datetime.UTC)


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    made = Authority(tmp_path / "tls")
    made.ensure(["casino.local"], NOW)
    return made


@pytest.fixture
def page(authority: Authority) -> Iterator[str]:
    server = lan.serve_authority(authority, "https://casino.local:8080/h/?a=1&b=2")
    yield f"http://127.0.0.1:{server.bind_addr[1]}"
    server.stop()


def test_the_certificate_is_served_as_devices_install_it(page: str, authority: Authority) -> None:
    with urllib.request.urlopen(f"{page}/ca.crt", timeout=60) as answer:
        assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
        assert answer.read() == authority.certificate_file.read_bytes()


def test_the_page_shows_the_fingerprint_and_where_to_go(page: str, authority: Authority) -> None:
    with urllib.request.urlopen(f"{page}/", timeout=60) as answer:
        text = answer.read().decode()
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
    assert authority.fingerprint() in text
    assert 'href="https://casino.local:8080/h/?a=1&amp;b=2"' in text


@pytest.mark.parametrize("path", ["/ca.key", "/server.key", "/../ca.key", "/h/", "/health"])
def test_nothing_else_is_served(page: str, path: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(page + path, timeout=60)
    with refused.value as answer:
        assert answer.code == 404


def test_nothing_can_be_sent_there(page: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{page}/ca.crt", data=b"x", timeout=60)
    with refused.value as answer:
        assert answer.code == 405


def test_the_names_begin_with_the_lans_address_and_fit_a_certificate(authority: Authority) -> None:
    names = lan.names()
    ipaddress.ip_address(names[0])
    assert {"localhost", "127.0.0.1"} <= set(names)
    assert len(names) == len(set(names))
    authority.ensure(names, NOW)
