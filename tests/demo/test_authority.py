"""The demo's own authority: what it makes, keeps and makes anew."""

import datetime
import ipaddress
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from custody.demo.authority import Authority

NOW = datetime.datetime(2026, 12, 1, 12, tzinfo=datetime.UTC)
NAMES = ["casino.local", "192.168.7.20", "localhost"]
DAY = datetime.timedelta(days=1)


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "tls")


def leaf(authority: Authority) -> x509.Certificate:
    return x509.load_pem_x509_certificate((authority.folder / "server.crt").read_bytes())


def verify(authority: Authority, name: x509.verification.Subject, at: datetime.datetime) -> None:
    root = x509.load_pem_x509_certificate(authority.certificate_file.read_bytes())
    builder = PolicyBuilder().store(Store([root])).time(at)
    builder.build_server_verifier(name).verify(leaf(authority), [])


@pytest.mark.parametrize(
    "name",
    [x509.DNSName("casino.local"), x509.IPAddress(ipaddress.ip_address("192.168.7.20"))],
)
def test_a_browser_accepts_every_name_and_address(
    authority: Authority, name: x509.verification.Subject
) -> None:
    authority.ensure(NAMES, NOW)
    verify(authority, name, NOW)
    verify(authority, name, NOW + 395 * DAY)


def test_a_name_that_was_not_asked_for_is_refused(authority: Authority) -> None:
    authority.ensure(NAMES, NOW)
    with pytest.raises(VerificationError):
        verify(authority, x509.DNSName("bank.example"), NOW)


def test_the_servers_certificate_runs_no_longer_than_browsers_allow(authority: Authority) -> None:
    authority.ensure(NAMES, NOW)
    made = leaf(authority)
    assert made.not_valid_after_utc - made.not_valid_before_utc <= 397 * DAY
    usage = made.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]


def test_keys_are_for_the_owner_alone(authority: Authority) -> None:
    authority.ensure(NAMES, NOW)
    modes = {
        name: (authority.folder / name).stat().st_mode & 0o777 for name in ("ca.key", "server.key")
    }
    assert modes == {"ca.key": 0o600, "server.key": 0o600}
    assert authority.folder.stat().st_mode & 0o777 == 0o700


def test_the_next_start_uses_the_same_certificates(authority: Authority) -> None:
    authority.ensure(NAMES, NOW)
    before = authority.fingerprint(), leaf(authority)
    authority.ensure(NAMES, NOW + 200 * DAY)
    assert (authority.fingerprint(), leaf(authority)) == before


def test_a_certificate_near_its_end_is_made_anew_under_the_same_authority(
    authority: Authority,
) -> None:
    authority.ensure(NAMES, NOW)
    root, before = authority.fingerprint(), leaf(authority)
    authority.ensure(NAMES, NOW + 370 * DAY)
    assert authority.fingerprint() == root
    assert leaf(authority) != before
    verify(authority, x509.DNSName("casino.local"), NOW + 700 * DAY)


def test_a_new_address_nearby_needs_no_new_authority(authority: Authority) -> None:
    authority.ensure(NAMES, NOW)
    root = authority.fingerprint()
    authority.ensure(["casino.local", "192.168.9.31", "localhost"], NOW)
    assert authority.fingerprint() == root
    verify(authority, x509.IPAddress(ipaddress.ip_address("192.168.9.31")), NOW)


def test_a_name_that_the_authority_may_not_vouch_for_makes_a_new_one(authority: Authority) -> None:
    authority.ensure(NAMES, NOW)
    root = authority.fingerprint()
    authority.ensure(["vault.local"], NOW)
    assert authority.fingerprint() != root
    verify(authority, x509.DNSName("vault.local"), NOW)


def test_an_authority_near_its_end_is_made_anew(authority: Authority) -> None:
    authority.ensure(NAMES, NOW)
    root = authority.fingerprint()
    authority.ensure(NAMES, NOW + 3300 * DAY)
    assert authority.fingerprint() != root
