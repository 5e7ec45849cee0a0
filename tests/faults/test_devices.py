"""What happens to devices: cloned, lost, reinstalled, revoked, their clocks wrong, long away."""

from __future__ import annotations

from typing import Any

import pytest

from custody.ledger import devices, people
from tests.faults import oracle
from tests.faults.asserting import assert_once, codes, held, kinds, receive
from tests.faults.site import Site
from tests.support import cast
from tests.support.client import Client
from tests.support.device import now_ms

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
