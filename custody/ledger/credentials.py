"""Secrets, hashed: PINs and badges for handhelds; passwords, links and sessions for desks."""

from __future__ import annotations

import base64
import hashlib
import secrets
from itertools import pairwise
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from custody.ledger.errors import CredentialRefused

PIN_DIGITS = 6
PIN_ROUNDS = 600_000
PASSWORD_LENGTH = 12
PASSWORD_LONGEST = 256
_hasher = PasswordHasher()


def base64url(raw: bytes) -> str:
    """Return base64url without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def token() -> str:
    """Return a new secret for a link or a cookie: 256 random bits, base64url."""
    return secrets.token_urlsafe(32)


def token_hash(secret: str) -> str:
    """Return what the database keeps of a token. It is random, so one SHA-256 is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def badge_hash(site: str, badge: str) -> str:
    """Return what a handheld compares a scanned badge with (docs/architecture.md, "Sign-ons")."""
    if not badge.strip():
        raise CredentialRefused("the badge is empty; scan it, or type what is printed on it")
    return hashlib.sha256(f"{site}:{badge.strip()}".encode()).hexdigest()


def pin_verifier(pin: str) -> dict[str, Any]:
    """Return a PIN's `{"salt", "hash", "rounds"}`. Raises CredentialRefused if easily guessed."""
    check_pin(pin)
    salt = secrets.token_bytes(16)
    derived = hashlib.pbkdf2_hmac("sha256", pin.encode(), salt, PIN_ROUNDS)
    return {"salt": base64url(salt), "hash": base64url(derived), "rounds": PIN_ROUNDS}


def check_pin(pin: str) -> None:
    """Raise CredentialRefused unless a PIN has six digits or more and no plain pattern."""
    if not (pin.isascii() and pin.isdigit() and len(pin) >= PIN_DIGITS):
        raise CredentialRefused(f"a PIN has {PIN_DIGITS} digits or more, and nothing but digits")
    steps = {(int(b) - int(a)) % 10 for a, b in pairwise(pin)}
    if len(steps) == 1 and steps <= {0, 1, 9}:
        raise CredentialRefused("this PIN is a plain row of digits; choose one that is not")
    half = len(pin) // 2
    repeats = any(pin == pin[:size] * (len(pin) // size) for size in (2, half) if size)
    if repeats or pin == pin[::-1]:
        raise CredentialRefused("this PIN repeats itself; choose one that does not")


def password_hash(password: str) -> str:
    """Return the argon2id hash of a password. Raises CredentialRefused for one too short."""
    if not PASSWORD_LENGTH <= len(password) <= PASSWORD_LONGEST:
        raise CredentialRefused(
            f"a password has {PASSWORD_LENGTH} to {PASSWORD_LONGEST} characters; "
            "several words are easier to remember than signs"
        )
    if len(set(password)) < 5:
        raise CredentialRefused("this password repeats few characters; choose one that does not")
    return _hasher.hash(password)


def password_fits(kept: str | None, password: str) -> bool:
    """Say whether a password is the one whose hash was kept; takes as long when there is none."""
    try:
        return _hasher.verify(kept or _NOBODY, password) and kept is not None
    except (VerifyMismatchError, InvalidHashError):
        return False


_NOBODY = _hasher.hash(secrets.token_hex(16))
