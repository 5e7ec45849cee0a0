"""Re-derive the devices' chains and signatures from the exact bytes of their events."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

LONGEST = 60_000
NONE_BEFORE = "0" * 64
Name = tuple[str, int, int]
Tell = Callable[[str, str], None]


@dataclass
class Chain:
    """Where one branch of a run stands: its last event, and the last one a signature covers."""

    seq: int
    head: str
    signed: int = 0
    ahead: dict[int, dict[str, Any]] = field(default_factory=dict)


class Chains:
    """All the chains of an export, event by event. `tell(where, what)` takes what is wrong."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._keys: dict[tuple[str, int], ec.EllipticCurvePublicKey] = {}
        self._early: dict[Name, list[dict[str, Any]]] = {}
        self.chains: dict[Name, Chain] = {}
        self.parents: dict[tuple[str, int, int], str] = {}
        self.signatures = 0
        self.unreadable = 0

    def device(self, record: dict[str, Any]) -> None:
        """Take the public key (JWK) of one run of a device."""
        self._keys[record["device"], record["run"]] = public_key(record["key"])

    def event(self, record: dict[str, Any], raw: bytes) -> str:
        """Check an event's place in its chain; return its id."""
        name, seq = (record["device"], record["run"], record["branch"]), record["seq"]
        event_id, where = sha256(raw).hexdigest(), f"position {record['position']}"
        before = self._before(name, seq, where, raw)
        said = read_chain_fields(raw)
        if said is None:
            self.unreadable += 1
        elif said != (signed_as(record["device"]), record["run"], seq, before or said[3]):
            self._tell(where, f"the event says {said}, its place in the chain is {name}, {seq}")
        chain = self.chains.setdefault(name, Chain(seq, event_id))
        chain.seq, chain.head = seq, event_id
        self._apply_early(name, chain)
        return event_id

    def push(self, record: dict[str, Any]) -> None:
        """Check a push's signature, when the event that it signs has been read."""
        name = (record["device"], record["run"], record["branch"])
        chain = self.chains.get(name)
        if chain is None or record["last"] > chain.seq:
            self._early.setdefault(name, []).append(record)
            return
        where = f"signature of {name[0]}, run {name[1]}, branch {name[2]}, event {record['last']}"
        if (record["last"], record["head"]) != (chain.seq, chain.head):
            self._tell(where, "it is not over the event that stands before it in the export")
        elif self._holds(record, where):
            self.signatures += 1
            chain.signed = chain.seq

    def end(self) -> None:
        """Tell of events that no signature covers, and of signatures without their events."""
        for name, chain in self.chains.items():
            if chain.signed != chain.seq:
                where = f"{name[0]}, run {name[1]}, branch {name[2]}"
                self._tell(where, f"no signature covers events {chain.signed + 1} to {chain.seq}")
        for name, left in self._early.items():
            for record in left:
                self._tell(
                    f"{name[0]}, run {name[1]}", f"event {record['last']} is signed, not there"
                )

    def _before(self, name: Name, seq: int, where: str, raw: bytes) -> str | None:
        """Return the id that `prev` must name; None where a second reading has to tell."""
        chain = self.chains.get(name)
        if chain is not None:
            if seq != chain.seq + 1:
                self._tell(where, f"event {seq} of {name} follows event {chain.seq}")
            return chain.head
        if seq == 1:
            return NONE_BEFORE
        said = read_chain_fields(raw)
        if name[2] == 1:
            self._tell(where, f"the chain {name} starts with event {seq}, not 1")
        elif said is not None and isinstance(said[3], str):
            self.parents[name[0], name[1], seq - 1] = said[3]
        return None

    def _apply_early(self, name: Name, chain: Chain) -> None:
        early = self._early.get(name, [])
        for record in [each for each in early if each["last"] == chain.seq]:
            early.remove(record)
            self.push(record)
        if not early:
            self._early.pop(name, None)

    def _holds(self, record: dict[str, Any], where: str) -> bool:
        key = self._keys.get((record["device"], record["run"]))
        if key is None:
            self._tell(where, "the export has no key for this run of the device")
            return False
        parts = (signed_as(record["device"]), record["run"], record["last"], record["head"])
        named = "\n".join(map(str, parts))
        try:
            key.verify(_der(record["sig"]), f"custody-events-v1\n{named}\n".encode(), _ECDSA)
        except (InvalidSignature, ValueError):
            self._tell(where, "the signature does not hold")
            return False
        return True


_ECDSA = ec.ECDSA(SHA256())


def signed_as(chain: str) -> str:
    """Return the device that a chain's lines name: `desk` in `desk@<site node>`, which is how a
    chain is kept that a site node relayed, where its name is another's already.
    """
    return chain.partition("@")[0]


def public_key(jwk: dict[str, str]) -> ec.EllipticCurvePublicKey:
    """Return the P-256 key of a JWK. Raises ValueError or KeyError for anything else."""
    x, y = (int.from_bytes(_unpadded(jwk[part]), "big") for part in ("x", "y"))
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def read_chain_fields(raw: bytes) -> tuple[str, int, int, str] | None:
    """Return device, run, seq and prev as the event itself says; None if it cannot be read."""
    try:
        if len(raw) > LONGEST:
            return None
        value = _STRICT.decode(raw.decode("utf-8"))
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        return None
    fields = ("device", "run", "seq", "prev")
    if (
        b"\\u0000" in raw
        or not isinstance(value, dict)
        or not all(part in value for part in fields)
    ):
        return None
    return value["device"], value["run"], value["seq"], value["prev"]


def _no_number(digits: str) -> NoReturn:
    raise ValueError(f"{digits} is no whole number below 2^53")


def _whole(digits: str) -> int:
    return int(digits) if len(digits) < 18 and abs(int(digits)) < 2**53 else _no_number(digits)


def _no_double(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


_STRICT = json.JSONDecoder(
    object_pairs_hook=_no_double,
    parse_int=_whole,
    parse_float=_no_number,
    parse_constant=_no_number,
)


def _unpadded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _der(signature: str) -> bytes:
    raw = _unpadded(signature)
    if len(raw) != 64:
        raise ValueError("a signature has 64 bytes")
    return encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
