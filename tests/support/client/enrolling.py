"""How a client becomes a device, goes on under a new run, and comes back to a restored server."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from custody.ledger import keys
from tests.support.client.asking import Outcome, ask, key_of, named
from tests.support.client.disk import FORKED, Kept

if TYPE_CHECKING:
    from tests.support.client.client import Client

STRANGE = ("not-enrolled", "token-invalid")  # what a server says that lost an enrolment


class Enrolling:
    """The part of a client that enrols. A key is kept before it is shown: an answer may be lost,
    and the same key with the same code is then answered again.
    """

    def enrol(self: Client, code: str, name: str = "Pit 1 tablet") -> Outcome:
        """Enrol as a new device, or, where it has been one, under its next run."""
        run = self.run + 1
        pem = self._key_for(run)
        asked: dict[str, Any] = {"name": name}
        if run > 1:
            asked |= {"device": self.id, "run": run}
        outcome = self._ask_to_enrol(code, pem, asked)
        if outcome.type == "":
            self._begin(run, pem, outcome.json)
        return outcome

    def _key_for(self: Client, run: int) -> bytes:
        kept: dict[str, str] = self.disk.get("joining", {})
        if str(run) not in kept:
            key = ec.generate_private_key(ec.SECP256R1())
            encoding = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
            pem = key.private_bytes(*encoding, serialization.NoEncryption())
            kept = {str(run): pem.decode()}
            self.disk.set("joining", kept)
        return kept[str(run)].encode()

    def _ask_to_enrol(self: Client, code: str, pem: bytes, asked: dict[str, Any]) -> Outcome:
        jwk = keys.jwk_of(key_of(pem).public_key())
        body = json.dumps({"code": code, "key": jwk, **asked}).encode()
        path = "/sync/v1/devices"
        return named(self, ask(self, "POST", path, body, Content_Type="application/json"))

    def _begin(self: Client, run: int, pem: bytes, told: dict[str, Any]) -> None:
        with self.disk.transaction():
            self.disk.add_run(run, pem)
            for name, value in (("device", told["device"]), ("run", run)):
                self.disk.set(name, value)
            self.disk.set("site", told["site"]["id"])
            if self.disk.get("verifiers") is None:
                self.disk.set("verifiers", told["server_key"])

    def needs_run(self: Client) -> bool:
        """Say whether it must enrol anew before it goes on."""
        return any(run.run == self.run and run.state != "good" for run in self.disk.runs())

    def recover(self: Client, code: str) -> Outcome:
        """Go on under a new run, and write again in it what of a lost run is still kept."""
        lost = [run.run for run in self.disk.runs() if run.state == "lost"]
        outcome = self.enrol(code)
        if outcome.type == "":
            for run in lost:
                for kept in self.disk.events("run = ?", run):
                    self.write_again(kept)
                self.disk.set_run(run, state="moved")
        return outcome

    def write_again(self: Client, kept: Kept) -> None:
        """Write what a line says once more; one that nobody can read stays where it was."""
        body = read(kept.line)
        if body is None:
            return
        chain = ("v", "device", "run", "seq", "prev")
        self.record(body["step"], **{k: v for k, v in body.items() if k not in (*chain, "step")})
        self.disk.set_state(FORKED, "run = ? AND seq = ?", kept.run, kept.seq)

    def re_enrol(self: Client, code: Callable[[], str]) -> Outcome:
        """Let a server that lost this device, or some of its runs, know their keys again, so that
        it takes their chains as they were signed. `code` gives a code for each run.
        """
        for run in self.disk.runs():
            asked = {"device": self.id, "run": run.run, "name": "Pit 1 tablet"}
            outcome = self._ask_to_enrol(code(), run.key, asked)
            if outcome.type != "":
                break
        return outcome


def read(line: bytes) -> dict[str, Any] | None:
    """Return the event of a line; None for one that cannot be read."""
    try:
        return dict(json.loads(line))
    except ValueError:
        return None
