"""An export made by hand, without Custody: devices that sign chains, and a log over them."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

ORIGIN = "custody/oak"
LOG_KEY = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def naive_root(leaves: list[bytes]) -> bytes:
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256(b"").digest()
    k = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\x01" + naive_root(leaves[:k]) + naive_root(leaves[k:])).digest()


def verifier(name: str = ORIGIN, key: ed25519.Ed25519PrivateKey = LOG_KEY) -> str:
    raw = b"\x01" + key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    key_id = sha256(name.encode() + b"\n" + raw).hexdigest()[:8]
    return f"{name}+{key_id}+{base64.b64encode(raw).decode()}"


def checkpoint(size: int, root: bytes, origin: str = ORIGIN) -> str:
    text = f"{origin}\n{size}\n{base64.b64encode(root).decode()}\n"
    return f"{text}\n{signature(text, origin)}"


def signature(text: str, name: str = ORIGIN, key: ed25519.Ed25519PrivateKey = LOG_KEY) -> str:
    """Return a signature line of a note."""
    key_id = bytes.fromhex(verifier(name, key).split("+")[1])
    return f"— {name} {base64.b64encode(key_id + key.sign(text.encode())).decode()}\n"


class Device:
    """A handheld that keeps its own chain."""

    def __init__(self, name: str, run: int = 1) -> None:
        self.name, self.run = name, run
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.seq, self.head = 0, "0" * 64

    def record(self) -> dict[str, Any]:
        numbers = self.key.public_key().public_numbers()
        x, y = (base64url(n.to_bytes(32, "big")) for n in (numbers.x, numbers.y))
        jwk = {"kty": "EC", "crv": "P-256", "x": x, "y": y}
        return {"of": "device", "device": self.name, "run": self.run, "key": jwk}

    def event(self, **more: Any) -> bytes:
        """Write the next event's line."""
        body = {"v": 1, "device": self.name, "run": self.run, "seq": self.seq + 1}
        return self.raw(json.dumps({**body, "prev": self.head, **more}).encode())

    def raw(self, line: bytes) -> bytes:
        self.seq += 1
        self.head = sha256(line).hexdigest()
        return line

    def push(self, branch: int = 1) -> dict[str, Any]:
        text = f"custody-events-v1\n{self.name}\n{self.run}\n{self.seq}\n{self.head}\n"
        r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(SHA256())))
        named = {"of": "push", "device": self.name, "run": self.run, "branch": branch}
        sig = base64url(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return {**named, "last": self.seq, "head": self.head, "sig": sig}


class Export:
    """The records in the order of docs/architecture.md, "The log"."""

    def __init__(self) -> None:
        self.devices: list[dict[str, Any]] = []
        self.rows: list[dict[str, Any]] = []
        self.leaves: list[bytes] = []
        self.texts: list[bytes] = []
        self.note: str | None = None

    def enrol(self, name: str, run: int = 1) -> Device:
        device = Device(name, run)
        self.devices.append(device.record())
        return device

    def add(self, device: Device, line: bytes, branch: int = 1) -> None:
        position = len(self.leaves)
        received = 1_796_044_800_000 + position
        named = {"of": "event", "position": position, "received": received, "run": device.run}
        told = {**named, "device": device.name, "branch": branch, "seq": device.seq}
        self.rows.append({**told, **_bytes(line)})
        text = f"{position}\n{received}\n{sha256(line).hexdigest()}\n".encode()
        self.texts.append(text)
        self.leaves.append(sha256(b"\x00" + text).digest())

    def push(self, device: Device, makers: Iterable[Callable[[], bytes]], branch: int = 1) -> None:
        """Let `device` write events one by one, and add each; then the signature over the last."""
        for make in makers:
            self.add(device, make(), branch)
        self.rows.append(device.push(branch))

    def sign(self) -> str:
        self.note = checkpoint(len(self.leaves), naive_root(self.leaves))
        return self.note

    def records(self) -> list[dict[str, Any]]:
        head = {"of": "log", "site": "oak", "verifiers": [verifier()], "checkpoint": self.note}
        return [head, *self.devices, *self.rows]


def _bytes(line: bytes) -> dict[str, str]:
    try:
        return {"line": line.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(line).decode()}
