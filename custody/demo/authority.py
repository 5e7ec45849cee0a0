"""A small certificate authority of the demo's own, for the names and addresses of this machine.

Browsers give keys, service workers and the camera to secure pages alone, so a handheld on the LAN
needs a certificate that it trusts.
"""

from __future__ import annotations

import datetime
import ipaddress
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from custody.tls import TlsError

# Browsers refuse certificates of a server that run longer than 398 days.
LEAF_DAYS = 397
AUTHORITY_DAYS = 3650
RENEW_DAYS = 30


@dataclass(frozen=True)
class Authority:
    """An authority in a folder: ``ca.crt``, ``ca.key``, ``server.crt``, ``server.key``."""

    folder: Path

    @property
    def certificate_file(self) -> Path:
        return self.folder / "ca.crt"

    def fingerprint(self) -> str:
        """Return the SHA-256 of the authority's certificate as devices show it: ``AB:CD:...``."""
        return self._certificate().fingerprint(hashes.SHA256()).hex(":").upper()

    def ensure(self, names: Sequence[str], now: datetime.datetime) -> tuple[Path, Path]:
        """Return the server's certificate and key for `names` (host names and IP addresses).

        What is there is used again while it holds those names and has `RENEW_DAYS` left. The
        authority is made anew, and must then be installed on devices again, only if it nears its
        end or does not cover one of the names.
        """
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not self._authority_serves(names, now):
            self._make_authority(names, now)
        certificate, key = self.folder / "server.crt", self.folder / "server.key"
        if not self._leaf_serves(certificate, names, now):
            self._make_leaf(certificate, key, names, now)
        return certificate, key

    def _certificate(self) -> x509.Certificate:
        return _read_certificate(self.certificate_file)

    def _key(self) -> ec.EllipticCurvePrivateKey:
        pem = (self.folder / "ca.key").read_bytes()
        return cast(
            ec.EllipticCurvePrivateKey, serialization.load_pem_private_key(pem, password=None)
        )

    def _authority_serves(self, names: Sequence[str], now: datetime.datetime) -> bool:
        if not self.certificate_file.is_file():
            return False
        found = self._certificate()
        allowed = found.extensions.get_extension_for_class(x509.NameConstraints).value
        ends = found.not_valid_after_utc - datetime.timedelta(days=LEAF_DAYS)
        return now < ends and all(_permits(allowed, name) for name in names)

    def _leaf_serves(self, file: Path, names: Sequence[str], now: datetime.datetime) -> bool:
        if not file.is_file():
            return False
        found = _read_certificate(file)
        ends = found.not_valid_after_utc - datetime.timedelta(days=RENEW_DAYS)
        have = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        ours = found.issuer == self._certificate().subject
        return ours and now < ends and set(have) == set(map(_general_name, names))

    def _make_authority(self, names: Sequence[str], now: datetime.datetime) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        # The serial in the name keeps a new authority apart from an old one on a device.
        serial = x509.random_serial_number()
        subject = _name(f"Custody demonstration authority {serial % 10**6:06}")
        built = (
            _certificate(subject, subject, key, now, AUTHORITY_DAYS)
            .serial_number(serial)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs_certificates=True), critical=True)
            .add_extension(_only_here(names), critical=True)
        )
        _write(self.folder / "ca.key", _pem(key))
        _write(self.certificate_file, _pem(built.sign(key, hashes.SHA256())), 0o644)

    def _make_leaf(
        self, file: Path, key_file: Path, names: Sequence[str], now: datetime.datetime
    ) -> None:
        key, issuer = ec.generate_private_key(ec.SECP256R1()), self._certificate()
        alternatives = x509.SubjectAlternativeName([_general_name(name) for name in names])
        authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key().public_key())
        built = (
            _certificate(_name(names[0][:64]), issuer.subject, key, now, LEAF_DAYS)
            .serial_number(x509.random_serial_number())
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(authority, critical=False)
            .add_extension(alternatives, critical=False)
        )
        _write(key_file, _pem(key))
        _write(file, _pem(built.sign(self._key(), hashes.SHA256())), 0o644)


def _certificate(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    now: datetime.datetime,
    days: int,
) -> x509.CertificateBuilder:
    # A day's grace for devices whose clock is slow.
    start = now - datetime.timedelta(days=1)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .not_valid_before(start)
        .not_valid_after(start + datetime.timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _only_here(names: Sequence[str]) -> x509.NameConstraints:
    """Bind the authority to this machine: whoever steals its key can pose as no other site."""
    return x509.NameConstraints(
        permitted_subtrees=[_subtree(name) for name in names], excluded_subtrees=None
    )


def _subtree(name: str) -> x509.GeneralName:
    address = _address(name)
    if address is None:
        return x509.DNSName(name)
    if address.is_private:
        return x509.IPAddress(_private_network(address))
    return x509.IPAddress(ipaddress.ip_network(name))


def _private_network(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    # A private address may change with the next lease; its neighbours are as private.
    return ipaddress.ip_network((address, 16 if address.version == 4 else 64), strict=False)


def _permits(allowed: x509.NameConstraints, name: str) -> bool:
    address = _address(name)
    for subtree in allowed.permitted_subtrees or ():
        if isinstance(subtree, x509.DNSName) and subtree.value == name:
            return True
        if isinstance(subtree, x509.IPAddress) and address is not None:
            network = cast(ipaddress.IPv4Network | ipaddress.IPv6Network, subtree.value)
            if network.version == address.version and address in network:
                return True
    return False


def _general_name(name: str) -> x509.GeneralName:
    address = _address(name)
    return x509.DNSName(name) if address is None else x509.IPAddress(address)


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def _read_certificate(file: Path) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificate(file.read_bytes())
    except ValueError as error:
        raise TlsError(
            f"{file} is no certificate: {error}; remove it, and one is made anew"
        ) from error


def _pem(made: x509.Certificate | ec.EllipticCurvePrivateKey) -> bytes:
    if isinstance(made, x509.Certificate):
        return made.public_bytes(serialization.Encoding.PEM)
    return made.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _write(file: Path, content: bytes, mode: int = 0o600) -> None:
    """Write in one move; a key is never readable by others, not even for a moment."""
    draft = file.with_name(f".{file.name}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
        out.write(content)
    draft.replace(file)
