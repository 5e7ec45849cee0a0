"""What a device sends: with gaps, tampered with, by another version, after a month; and forgets."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable

import pytest

from tests.faults.asserting import assert_once, codes, held, kinds, receive
from tests.faults.site import Site
from tests.support import cast
from tests.support.client import Client, watching
from tests.support.client.asking import call
from tests.support.device import NDJSON, body_of, line_of, now_ms

DAY = 86_400_000


@pytest.fixture(scope="module")
def site(shared_site: Site) -> Site:
    return shared_site


@pytest.fixture
def client(site: Site) -> Client:
    made = site.client()
    assert made.sync() == ""
    return made


# --- chains that do not hold ---


def test_a_gap_is_told_and_filled(site: Site, client: Client) -> None:
    receive(client, *codes(client, 6))
    client.disk.set_state("acked", "seq <= 3")  # it believes that they are there
    client.last_probe = client.mono()
    assert client.sync() == ""
    assert_once(site, client)


Spoil = Callable[[list[bytes]], list[bytes]]


@pytest.mark.parametrize(
    ("spoil", "type_"),
    [
        (lambda lines: [lines[0].replace(b"vault", b"attic"), *lines[1:]], "bad-chain"),
        (lambda lines: [lines[1], lines[0], lines[2]], "bad-chain"),
        (lambda lines: [*lines[:2], lines[2].replace(b"dock", b"pit1")], "bad-signature"),
    ],
    ids=["an event", "the order", "the last event"],
)
def test_what_was_tampered_with_on_the_way_is_refused_whole(
    site: Site, client: Client, spoil: Spoil, type_: str
) -> None:
    first, second = codes(client, 2)
    client.record("store", **cast.store(first))
    receive(client, first, second)
    lines = [one.line for one in client.disk.events()]
    good = body_of(client.key(1), client.id, 1, 1, lines)
    header = json.loads(good.split(b"\n")[0])
    spoiled = spoil(lines)
    header["head"] = hashlib.sha256(spoiled[-1]).hexdigest()
    body = b"\n".join([json.dumps(header).encode(), *spoiled, b""])
    answer = call(client, 1, "POST", "/sync/v1/events", body, Content_Type=NDJSON)
    assert (answer.status, answer.type) == (400, type_)
    assert held(site, client) == []
    assert client.sync() == ""
    assert_once(site, client)


# --- the log, and what is forgotten ---


def test_nothing_is_forgotten_before_its_receipt_and_30_days(site: Site, client: Client) -> None:
    receive(client, *codes(client, 3))
    assert client.sync() == ""
    assert watching.forget_old(client) == 0
    later = now_ms() + 31 * DAY
    client.clock = lambda: later
    site.link(client).always("portal")
    assert watching.forget_old(client) == 0, "a portal's page is no receipt"
    site.link(client).heal()
    client.disk.set("skew", now_ms() - later)
    receive(client, "D5-unsent")
    deadline, forgotten = time.monotonic() + 120, 0
    while forgotten < 3:  # a checkpoint may come between two of the receipts
        assert client.sync() == ""
        forgotten += watching.forget_old(client)
        assert time.monotonic() < deadline
    assert [one.seq for one in client.disk.events()] == [4]
    assert len(held(site, client)) == 4


def test_a_device_away_for_30_days_drains_5000_events_in_their_order(site: Site) -> None:
    client = site.client()
    assert client.sync() == ""
    start = now_ms() - 30 * DAY
    with client.disk.transaction():
        prev = "0" * 64
        for seq in range(1, 5001):
            client.clock = lambda at=start + seq * 500_000: at  # type: ignore[misc]
            fields = {"by": ["fay"], "items": [], "with": {"whom": "surveillance"}}
            line = line_of(client.event(1, seq, prev, "notify", fields))
            prev = hashlib.sha256(line).hexdigest()
            client.disk.append(1, seq, prev, line)
    client.clock = now_ms
    link = site.link(client)
    link.plan("passed", "passed", "lost_answer")
    assert client.sync() == "offline"
    link.plan("half_request")
    assert client.sync() == "offline"
    assert client.sync() == ""
    assert len(held(site, client)) == 5000
    assert_once(site, client)


# --- versions ---


def test_a_newer_device_and_an_older_server_understand_each_other(
    site: Site, client: Client
) -> None:
    (code,) = codes(client, 1)
    client.record("receive", **cast.receive(code), weather="rain")
    client.record("levitate", by=["fay"], items=[code], saw=client.saw(code))
    client.write(
        lambda run, seq, prev: line_of({**client.event(run, seq, prev, "look", {"by": []}), "v": 2})
    )
    receive(client, after := f"N{client.id}")
    assert client.sync() == ""
    assert_once(site, client)
    assert "unreadable" in kinds(site, client)
    assert client.disk.record("item", after)


def test_an_older_device_that_leaves_out_what_is_newer_is_understood(
    site: Site, client: Client
) -> None:
    (code,) = codes(client, 1)

    def old(run: int, seq: int, prev: str) -> bytes:
        event = client.event(run, seq, prev, "receive", cast.receive(code))
        for field in ("server", "boot", "mono", "note", "into", "where", "saw"):
            del event[field]
        return line_of(event)

    client.write(old)
    assert client.sync() == ""
    assert_once(site, client)
    assert client.disk.record("item", code)["state"] == "received"
