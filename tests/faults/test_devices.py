"""What happens to devices: cloned, lost, reinstalled, revoked, their clocks wrong, long away."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest

from custody.ledger import devices, people
from tests.faults import oracle
from tests.faults.asserting import assert_once, codes, held, kinds, receive
from tests.faults.site import Site
from tests.support import cast
from tests.support.client import Client, watching
from tests.support.client.asking import call
from tests.support.device import NDJSON, body_of, line_of, now_ms

HOUR, DAY = 3_600_000, 86_400_000
ADA = [{"person": "ada", "how": "password"}]
ISSUE = {"to": "pit1", "by": ["fay", "sam", "pam"]}


@pytest.fixture(scope="module")
def site(shared_site: Site) -> Site:
    return shared_site


@pytest.fixture
def client(site: Site) -> Client:
    made = site.client()
    assert made.sync() == ""
    return made


def issue(client: Client, code: str, **more: Any) -> str:
    return client.record("issue", **{**ISSUE, "items": [code], "saw": client.saw(code), **more})


def together(site: Site, count: int) -> tuple[str, list[Client]]:
    """Return a stick and devices that all know it as it is."""
    hands = [site.client() for _ in range(count)]
    (code,) = codes(hands[0], 1)
    first = hands[0]
    receive(first, code)
    first.record("store", **cast.store(code), saw=first.saw(code))
    for hand in hands:
        assert hand.sync() == ""
    return code, hands


# --- clones, and storage that is lost ---


def test_a_clone_forks_the_chain_and_everything_of_both_is_kept(site: Site, client: Client) -> None:
    receive(client, *codes(client, 2))
    assert client.sync() == ""
    twin = site.clone(client)
    for one in (client, twin):
        receive(one, *codes(one, 3), f"T{id(one)}")
        assert one.sync() == ""
    assert twin.needs_run()
    every = {kept.id for one in (client, twin) for kept in one.disk.events()}
    assert sorted(held(site, client)) == sorted(every)
    assert kinds(site, client).count("fork") == 1


def test_both_clones_go_on_under_runs_of_their_own(site: Site, client: Client) -> None:
    twin = site.clone(client)
    for one in (client, twin):
        receive(one, f"U{id(one)}")
        assert one.sync() == ""
    receive(client, f"V{id(client)}")
    assert client.sync() == ""  # its run is quarantined, too
    for one in (client, twin):
        assert one.needs_run()
        assert one.enrol(site.code()).status == 201
        receive(one, f"W{id(one)}")
        assert one.sync() == ""
    assert {client.run, twin.run} == {2, 3}
    assert client.sync() == ""
    assert client.disk.record("item", f"W{id(twin)}")


def test_a_device_put_back_to_its_own_older_copy_forks_and_goes_on(
    site: Site, client: Client
) -> None:
    receive(client, *codes(client, 2))
    old = site.clone(client)  # the copy
    receive(client, *codes(client, 2))
    assert client.sync() == ""
    receive(old, f"X{id(old)}")
    assert old.sync() == ""
    assert old.needs_run()
    assert old.enrol(site.code()).status == 201
    receive(old, f"Y{id(old)}")
    assert old.sync() == ""
    assert set(held(site, client)) >= {one.id for one in old.disk.events()}


def test_a_device_whose_database_is_lost_starts_anew_and_the_old_run_stays(
    site: Site, client: Client
) -> None:
    made = codes(client, 3)
    receive(client, *made)
    assert client.sync() == ""
    lost, old = client.id, held(site, client)
    client.disk.wipe()
    assert client.enrol(site.code()).status == 201
    assert client.sync() == ""
    assert client.id != lost
    assert [one.id for one in oracle.stored(site.ledger) if one.device == lost] == old
    assert all(client.disk.record("item", code) for code in made)


def test_a_reinstalled_device_goes_on_under_a_new_run_with_a_new_key(
    site: Site, client: Client
) -> None:
    receive(client, *codes(client, 2))
    assert client.sync() == ""
    key = client.key(1)
    client.disk.set_run(1, state="lost")
    client.disk.change("DELETE FROM event")
    assert client.enrol(site.code()).status == 201
    receive(client, f"Z{id(client)}")
    assert client.sync() == ""
    assert client.run == 2
    assert client.key(2).private_numbers() != key.private_numbers()
    assert len(held(site, client)) == 3


# --- clocks ---


@pytest.mark.parametrize("ahead", [2 * HOUR, -3 * HOUR, -56 * 365 * DAY, 40 * 365 * DAY])
def test_a_wrong_clock_is_flagged_and_orders_and_blocks_nothing(site: Site, ahead: int) -> None:
    client = site.client(lambda: now_ms() + ahead)
    assert client.sync() == ""
    first, second = codes(client, 2)
    receive(client, first, second)
    client.clock = now_ms
    receive(client, third := f"C{client.id}")
    assert client.sync() == ""
    assert_once(site, client)
    assert kinds(site, client).count("clock") >= 2
    assert all(client.disk.record("item", code) for code in (first, second, third))


def test_an_hour_that_comes_twice_keeps_the_order_of_the_chain(site: Site, client: Client) -> None:
    (code,) = codes(client, 1)
    receive(client, code)
    client.record("store", **cast.store(code), saw=client.saw(code), offset=-240)
    issue(client, code, offset=-300)
    assert client.sync() == ""
    item = client.disk.record("item", code)
    assert [one["step"] for one in item["history"]] == ["receive", "store", "issue"]
    assert "clock" not in kinds(site, client)


# --- people and keys ---


def test_what_a_device_recorded_before_it_heard_that_it_is_revoked_is_kept_apart(
    site: Site, client: Client
) -> None:
    made = codes(client, 3)
    receive(client, *made)
    name = client.id
    devices.revoke(site.ledger, name, ADA)
    assert client.sync() == "wiped"
    assert client.disk.events() == []
    assert len([one for one in oracle.stored(site.ledger) if one.device == name]) == 3
    other = site.client()
    assert other.sync() == ""
    assert other.disk.record("item", made[0]) is None


def test_what_a_person_signed_who_was_removed_meanwhile_is_kept_and_flagged(site: Site) -> None:
    client = site.client()
    assert client.sync() == ""
    (code,) = codes(client, 1)
    client.record("receive", **{**cast.receive(code), "by": ["gus", "sam"]})
    people.set_active(site.ledger, "gus", False, ADA)
    assert client.sync() == ""
    people.set_active(site.ledger, "gus", True, ADA)
    assert_once(site, client)
    assert "revoked-person" in kinds(site, client)
    assert client.disk.record("item", code)["state"] == "received"


# --- claims ---


def test_two_devices_that_claim_one_item_offline_are_flagged_once_and_it_is_disputed(
    site: Site,
) -> None:
    code, (one, two) = together(site, 2)
    issue(one, code)
    issue(two, code)
    assert one.sync() == two.sync() == one.sync() == ""
    assert kinds(site, one) + kinds(site, two) == ["concurrent-claim"]
    for hand in (one, two):
        item = hand.disk.record("item", code)
        assert item["disputed"]
        assert len(item["last"]) == 2


def test_three_devices_that_claim_one_item_give_three_branches(site: Site) -> None:
    code, hands = together(site, 3)
    for hand in hands:
        issue(hand, code)
    for hand in (*hands, *hands):
        assert hand.sync() == ""
    flagged = [kind for hand in hands for kind in kinds(site, hand)]
    assert flagged == ["concurrent-claim"] * 2
    assert [len(hand.disk.record("item", code)["last"]) for hand in hands] == [3, 3, 3]


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
    while client.sync() == "" and watching.forget_old(client) < 3:
        pass
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
