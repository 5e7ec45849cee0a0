"""Take the changes feed: a page with its cursor in one transaction, then the digest."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from tests.support.client.asking import Outcome, call
from tests.support.client.enrolling import STRANGE

if TYPE_CHECKING:
    from tests.support.client.client import Client

START = {"after": "", "gen": 1, "whole": True}


def pull(client: Client, limit: int = 500) -> str:
    """Return "" when the replica is the server's, else what is in the way."""
    shown = {run.run: run.acked for run in client.disk.runs()}
    outcome, theirs = _read(client, limit)
    if outcome == "" and theirs != digest(client):
        client.doubts = True
        _restart(client)
        outcome, theirs = _read(client, limit)
        if outcome == "" and theirs != digest(client):
            return "digest"
    if outcome == "":
        for run, acked in shown.items():
            client.disk.set_run(run, shown=acked)
    return outcome


def digest(client: Client) -> str:
    """Return SHA-256 over the sorted lines `<of> <id> <etag>` of the replica."""
    rows = client.disk.rows("SELECT of_, id, etag FROM record")
    lines = sorted(f"{of} {id_} {etag}\n".encode() for of, id_, etag in rows)
    return hashlib.sha256(b"".join(lines)).hexdigest()


def _read(client: Client, limit: int) -> tuple[str, str]:
    """Read the feed to its end; return what is in the way, or "" and the server's digest."""
    while True:
        feed = client.disk.get("feed", START)
        path = f"/sync/v1/changes?after={feed['after']}&limit={limit}"
        outcome = call(client, client.run, "GET", path)
        if outcome.type == "reset":
            client.doubts = True
            _restart(client)
            continue
        if outcome.type != "":
            if client.stand_by(outcome):
                continue
            if outcome.type in STRANGE:
                client.disk.set_run(client.run, state="unknown")
            return _refusal(outcome), ""
        _apply(client, feed, outcome.json)
        if not outcome.json["more"]:
            return "", outcome.json["digest"]


def _refusal(outcome: Outcome) -> str:
    return "revoked" if outcome.type == "revoked" and outcome.json.get("wipe") else outcome.type


def _apply(client: Client, feed: dict[str, Any], page: dict[str, Any]) -> None:
    """Take a page and its cursor; at the end of a whole feed, let go of what it did not name."""
    ended = feed["whole"] and not page["more"]
    with client.disk.transaction():
        for change in page["changes"]:
            client.disk.put(change, feed["gen"])
        if ended:
            client.disk.change("DELETE FROM record WHERE gen != ?", feed["gen"])
        whole = feed["whole"] and not ended
        client.disk.set("feed", {**feed, "after": page["cursor"], "whole": whole})


def _restart(client: Client) -> None:
    """Start the feed again; what is there stays until the whole feed is here."""
    gen = client.disk.get("feed", START)["gen"]
    client.disk.set("feed", {"after": "", "gen": gen + 1, "whole": True})
