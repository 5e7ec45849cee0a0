"""How a client becomes a device, goes on under a new run, and comes back to a restored server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from custody.ledger import keys
from tests.support.client.asking import Outcome, ask, key_of, named
from tests.support.client.disk import Kept
from tests.support.device import Key

if TYPE_CHECKING:
    from tests.support.client.client import Client

STRANGE = ("not-enrolled", "token-invalid")  # what a server says that lost an enrolment
CHAIN = ("v", "device", "run", "seq", "prev", "step")
HEADERS = {"Content_Type": "application/json"}


class Enrolling:
    """The part of a client that enrols.

    Where no answer came it may be a device already, and not know it: its code is spent, and the
    next try is another device. A server that does not know the device or its runs takes their keys
    from it, and then its events as they are. What it cannot take under its old run all the same (it
    lost the events before, or knows another key) is written again as the first of the new one.
    """

    def enrol(self: Client, code: str, name: str = "Pit 1 tablet") -> Outcome:
        """Enrol as a new device, or, where it has been one, under its next run."""
        key = ec.generate_private_key(ec.SECP256R1())
        jwk = keys.jwk_of(key.public_key())
        asked: dict[str, Any] = {"code": code, "key": jwk, "name": name}
        run = self.run + 1
        mine = {**asked, "device": self.id, "runs": self._runs()}
        outcome = self._ask({**mine, "run": run} if run > 1 else asked)
        if outcome.type == "bad-run":  # the server knows another next run: it was restored
            run = outcome.json["expected"]
            outcome = self._ask({**mine, "run": run})
        elif outcome.type == "not-enrolled":
            run, outcome = 1, self._ask(asked)
        if outcome.type == "":
            self._begin(run, key, outcome.json)
        return outcome

    def _runs(self: Client) -> list[dict[str, Any]]:
        """Return the public keys of the runs that can be given anew from their first event on."""
        whole = [one for one in self.disk.runs() if self.disk.lowest(one.run) in (None, 1)]
        return [
            {"run": one.run, "key": keys.jwk_of(key_of(one.key).public_key())}
            for one in whole
            if one.state != "moved"
        ]

    def _ask(self: Client, asked: dict[str, Any]) -> Outcome:
        body = json.dumps(asked).encode()
        return named(self, ask(self, "POST", "/sync/v1/devices", body, **HEADERS))

    def _begin(self: Client, run: int, key: Key, told: dict[str, Any]) -> None:
        """Begin a run; what the server cannot take as it was is carried over into it."""
        encoding = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
        pem = key.private_bytes(*encoding, serialization.NoEncryption())
        with self.disk.transaction():
            is_new = told["device"] != self.id
            for known in told.get("runs", []):
                self.disk.change(
                    "UPDATE run SET state = 'good' WHERE run = ? AND state = 'unknown'", known
                )
            self.doubts = True  # what one server acknowledged, another may lack
            carried = self._carried(1 if is_new else run)
            self.disk.drop_runs(1 if is_new else run)
            self.disk.add_run(run, pem)
            self._keys.pop(run, None)
            marks = {"device": told["device"], "run": run, "site": told["site"]["id"]}
            if self.disk.get("verifiers") is None:
                marks["verifiers"] = told["server_key"]
            for name, value in marks.items():
                self.disk.set(name, value)
        self._write_again(carried)

    def _carried(self: Client, since: int) -> list[Kept]:
        """Return, and set aside, the events of runs that the server lost: those from `since` on,
        and those of which it lacks the beginning.
        """
        found: list[Kept] = []
        for run in self.disk.runs():
            if run.run >= since or run.state in ("lost", "unknown"):
                found += self.disk.events("run = ?", run.run)
                self.disk.set_aside(self.id, run.run)
        return found

    def _write_again(self: Client, carried: list[Kept]) -> None:
        ids: dict[str, str] = {}
        for kept in carried:
            body = read(kept.line)
            if body is None:
                continue  # set aside as it is: nobody can say what it meant
            fields = {name: value for name, value in body.items() if name not in CHAIN}
            fields["saw"] = {code: ids.get(id_, id_) for code, id_ in body["saw"].items()}
            ids[kept.id] = self.record(body["step"], **fields)

    def needs_run(self: Client) -> bool:
        """Say whether it must enrol anew before it goes on."""
        return any(run.run == self.run and run.state != "good" for run in self.disk.runs())


def read(line: bytes) -> dict[str, Any] | None:
    """Return the event of a line; None for one that cannot be read."""
    try:
        return dict(json.loads(line))
    except ValueError:
        return None
