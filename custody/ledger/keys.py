"""The server's own keys, files of mode 0600 in DATA/keys: of the desk, the log, the cookies."""

from __future__ import annotations

import base64
import os
import secrets
from pathlib import Path

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)

DESK, LOG, COOKIES = "desk.pem", "log.pem", "cookies.key"
ECDSA = ec.ECDSA(hashes.SHA256())


class KeysMissing(Exception):
    """A key file is not where `custody init` put it."""


def base64url(data: bytes) -> str:
    """Return base64url without padding, as the protocol writes keys and signatures."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """Return the bytes of base64url without padding. Raises ValueError on anything else."""
    raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if base64url(raw) != text:
        raise ValueError("not base64url without padding")
    return raw


def _write(path: Path, content: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def pem(key: ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey) -> bytes:
    """Return a private key as PKCS #8 in PEM; its file alone keeps it from others."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def create(folder: Path) -> None:
    """Make all keys of a new server. Raises FileExistsError rather than replace one."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write(folder / DESK, pem(ec.generate_private_key(ec.SECP256R1())))
    _write(folder / LOG, pem(ed25519.Ed25519PrivateKey.generate()))
    _write(folder / COOKIES, secrets.token_bytes(32))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as missing:
        raise KeysMissing(
            f"{path} is missing; restore it from the backup of this data folder"
        ) from missing


def desk_file(folder: Path, run: int) -> Path:
    """Return where the key of a run of the desk is; a site node that was restored has several."""
    return folder / (DESK if run == 1 else f"desk-{run}.pem")


def desk_key(folder: Path, run: int = 1) -> ec.EllipticCurvePrivateKey:
    """Return the P-256 key by which the desk signs in a run. Raises KeysMissing."""
    return private_key(desk_file(folder, run))


def private_key(path: Path) -> ec.EllipticCurvePrivateKey:
    """Read a P-256 key. Raises KeysMissing."""
    try:
        key = serialization.load_pem_private_key(_read(path), None)
    except (ValueError, TypeError) as error:
        raise KeysMissing(
            f"{path} is damaged; restore it from the backup of this data folder"
        ) from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise KeysMissing(f"{path} holds no P-256 key")
    return key


def cookie_secret(folder: Path) -> bytes:
    """Return what the desk's cookies are signed with. Raises KeysMissing."""
    return _read(folder / COOKIES)


def jwk_of(key: ec.EllipticCurvePublicKey) -> dict[str, str]:
    """Return the public JWK of a P-256 key, as enrolment carries it."""
    numbers = key.public_numbers()
    x, y = (base64url(n.to_bytes(32, "big")) for n in (numbers.x, numbers.y))
    return {"kty": "EC", "crv": "P-256", "x": x, "y": y}


def key_of(jwk: object) -> ec.EllipticCurvePublicKey:
    """Return the P-256 key of a public JWK. Raises ValueError saying what is wrong with it."""
    if not isinstance(jwk, dict) or jwk.get("kty") != "EC" or jwk.get("crv") != "P-256":
        raise ValueError('the key must be a JWK with "kty":"EC" and "crv":"P-256"')
    if "d" in jwk:
        raise ValueError("the key is private; send only its public part")
    x, y = jwk.get("x"), jwk.get("y")
    if not isinstance(x, str) or not isinstance(y, str):
        raise ValueError("the key's x and y must be base64url strings")
    numbers = ec.EllipticCurvePublicNumbers(
        int.from_bytes(from_base64url(x), "big"),
        int.from_bytes(from_base64url(y), "big"),
        ec.SECP256R1(),
    )
    return numbers.public_key()


def sign(key: ec.EllipticCurvePrivateKey, text: bytes) -> str:
    """Return the 64-byte r||s signature of `text`, base64url."""
    r, s = decode_dss_signature(key.sign(text, ECDSA))
    return base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


def verify(key: ec.EllipticCurvePublicKey, signature: str, text: bytes) -> None:
    """Check a 64-byte r||s signature. Raises ValueError (form) or InvalidSignature (content)."""
    raw = from_base64url(signature)
    if len(raw) != 64:
        raise ValueError(f"a signature has 64 bytes (r and s); this one has {len(raw)}")
    r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    key.verify(encode_dss_signature(r, s), text, ECDSA)
