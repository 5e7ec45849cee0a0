"""`POST /sync/v1/relay` and what else only site nodes ask, as the upstream answers it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from custody.commands.verify import faults_of
from custody.ledger import devices, keys
from custody.ledger.core import Ledger
from custody.ledger.masterdata import Change, administer
from custody.ledger.reading import exceptions
from custody.ledger.work import Work
from tests.support import cast, postgres
from tests.support.device import NDJSON, Answer, Device, FlaskHttp
from tests.support.nodes import Server, node_of

ADA = [{"person": "ada"}]
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def site(app: Flask, ledger: Ledger) -> Device:
    """A site node that enrolled here."""
    made = Device(FlaskHttp(app))
    assert made.enrol(devices.new_code(ledger), "River Street", type="site").status == 201
    return made


def floor(name: str = "d1", **event: Any) -> Device:
    """Return a device that enrolled at the node, with one event in its chain."""
    made = Device(FlaskHttp(Flask("nowhere")))
    made.id = name
    made.record("receive", **{**cast.receive("D5-001"), **event})
    return made


def chain(device: Device, first: int | None = None, /, **header: Any) -> bytes:
    """Return a device's push as a node hands it on: its header has the public key, too."""
    head, _, lines = device.batch(first).partition(b"\n")
    key = keys.jwk_of(device.key.public_key())
    told = {**json.loads(head), "key": key, "name": "Pit 9 tablet", **header}
    return json.dumps(told).encode() + b"\n" + lines


def announcement(device: Device, /, **header: Any) -> bytes:
    seq = len(device.log)
    told = {"device": device.id, "run": 1, "first": seq + 1, "last": seq, "head": "0" * 64}
    told |= {"sig": "", "key": keys.jwk_of(device.key.public_key()), **header}
    return json.dumps(told).encode() + b"\n"


def relay(site: Device, *chains: bytes) -> list[Any]:
    answer = ask(site, *chains)
    assert answer.status == 200, answer.body
    return [json.loads(line) for line in answer.body.splitlines()]


def ask(site: Device, *chains: bytes) -> Answer:
    return site.call("POST", "/sync/v1/relay", b"".join(chains), Content_Type=NDJSON)


def record(ledger: Ledger, of: str, id_: str) -> Any:
    with ledger.database.reading() as connection:
        return Work(connection).get(of, id_)


def kinds(ledger: Ledger) -> list[str]:
    return [one["kind"] for one in exceptions.listed(ledger)]


def test_a_chain_is_stored_as_its_device_signed_it(site: Device, ledger: Ledger) -> None:
    device = floor()
    told = relay(site, chain(device))
    assert told == [{"acked": 1, "size": ledger.size(), "exceptions": []}]
    assert record(ledger, "device", "d1")["name"] == "Pit 9 tablet"
    assert record(ledger, "item", "D5-001")["last"] == [device.head()]
    assert faults_of(ledger) == []


@on_sqlite
def test_sent_again_it_is_acknowledged_again(site: Device, ledger: Ledger) -> None:
    device = floor()
    relay(site, chain(device))
    size = ledger.size()
    assert relay(site, chain(device))[0]["acked"] == 1
    assert ledger.size() == size


@on_sqlite
def test_chains_succeed_or_fail_singly_and_are_answered_in_order(
    site: Device, ledger: Ledger
) -> None:
    good, other = floor("d1"), floor("d3")
    forged = floor("d2")
    wrong = chain(forged, sig=keys.sign(good.key, b"something else"))
    late = floor("d4")
    late.record("receive", **cast.receive("D5-009"))
    told = relay(site, chain(good), wrong, chain(late, 2), chain(other))
    assert [one.get("type", "stored") for one in told] == [
        "stored",
        "bad-signature",
        "gap",
        "stored",
    ]
    assert told[2]["expected"] == 1
    assert record(ledger, "device", "d2") is None, "nobody is introduced by a forged chain"


@on_sqlite
def test_a_fork_is_told_as_to_the_device_itself(site: Device, ledger: Ledger) -> None:
    device = floor()
    relay(site, chain(device))
    device.log.clear()
    device.record("receive", **cast.receive("D5-002"))
    told = relay(site, chain(device))[0]
    assert (told["type"], told["seq"], told["acked"]) == ("fork", 1, 1)
    assert kinds(ledger) == ["fork"]


@on_sqlite
def test_what_a_line_continues_that_does_not_say_it_the_header_says(
    site: Device, ledger: Ledger
) -> None:
    device = floor()
    device.record("receive", **cast.receive("D5-002"))
    relay(site, chain(device))
    kept = device.log.pop()
    before = device.head()
    device.write(b"torn by a bad disk")
    assert relay(site, chain(device, 2))[0]["type"] == "gap"  # as a push, of which nobody says
    unknown = relay(site, chain(device, 2, prev="ab" * 32))[0]
    assert (unknown["type"], unknown["field"]) == ("bad-chain", "prev")
    told = relay(site, chain(device, 2, prev=before))[0]
    assert (told["type"], told["seq"], told["acked"]) == ("fork", 2, 2)
    device.log[1] = kept
    device.record("receive", **cast.receive("D5-003"))
    lie = relay(site, chain(device, 3, prev=before))[0]  # a line that can be read says it itself
    assert (lie["type"], lie["seq"], lie["acked"]) == ("fork", 3, 2)
    assert faults_of(ledger) == []


@on_sqlite
def test_a_header_alone_asks_how_far_the_chain_is(site: Device, ledger: Ledger) -> None:
    device = floor()
    assert relay(site, announcement(device))[0]["acked"] == 0
    assert record(ledger, "device", "d1")["state"] == "active"
    relay(site, chain(device))
    assert relay(site, announcement(device))[0]["acked"] == 1


@on_sqlite
def test_a_node_s_desk_is_kept_under_a_name_of_its_own(site: Device, ledger: Ledger) -> None:
    desk = floor("desk")
    relay(site, chain(desk))
    assert record(ledger, "device", f"desk@{site.id}")["name"] == "desk of River Street"
    assert record(ledger, "item", "D5-001")["place"] == "dock"
    assert faults_of(ledger) == []


@on_sqlite
def test_what_a_node_s_desk_administers_changes_nothing_here(site: Device, ledger: Ledger) -> None:
    desk = floor("desk")
    desk.log.clear()
    desk.record("administer", **{"with": {"what": "person", "subject": "ada"}})
    relay(site, chain(desk))
    assert exceptions.listed(ledger) == []


@on_sqlite
def test_a_name_that_is_another_s_is_set_apart_and_doubted(site: Device, ledger: Ledger) -> None:
    relay(site, chain(floor()))
    told = relay(site, chain(floor(items=["D5-002"])))
    assert [one["kind"] for one in told[0]["exceptions"]] == ["pending-device"]
    assert record(ledger, "device", f"d1@{site.id}")["state"] == "pending"
    assert faults_of(ledger) == []


@on_sqlite
def test_a_new_run_comes_with_its_own_key(site: Device, ledger: Ledger) -> None:
    relay(site, chain(floor()))
    second = Device(FlaskHttp(Flask("nowhere")))
    second.id, second.run = "d1", 2
    second.record("receive", **cast.receive("D5-002"))
    assert relay(site, chain(second))[0]["acked"] == 1
    assert record(ledger, "device", "d1")["run"] == 2


@on_sqlite
def test_a_revocation_at_the_node_holds_here(site: Device, ledger: Ledger) -> None:
    device = floor()
    relay(site, announcement(device))
    relay(site, announcement(device, state="revoked"))
    relay(site, announcement(device, state="active"))
    assert record(ledger, "device", "d1")["state"] == "revoked"
    assert relay(site, chain(device))[0]["exceptions"][0]["kind"] == "revoked-device"


@on_sqlite
def test_where_an_administrator_approves_a_node_s_device_waits(
    site: Device, ledger: Ledger
) -> None:
    controls = {"device_approval": "administrator"}
    administer(ledger, "controls", "", ADA, lambda work: [Change("setting", "controls", controls)])
    told = relay(site, chain(floor()))
    assert [one["kind"] for one in told[0]["exceptions"]] == ["pending-device"]


# --- who may ---


@on_sqlite
def test_only_a_site_node_relays(device: Device) -> None:
    answer = ask(device, chain(floor()))
    assert (answer.status, answer.json["type"]) == (403, "not-a-site")
    for path in ("news?after=0", "item?code=x", "chain?device=x&run=1&after=0"):
        assert device.call("GET", f"/sync/v1/relay/{path}").status == 403


@on_sqlite
def test_a_revoked_node_introduces_nobody_and_its_devices_are_heard(
    site: Device, ledger: Ledger
) -> None:
    known = floor()
    relay(site, announcement(known))
    devices.revoke(ledger, site.id, ADA)
    told = relay(site, chain(known), chain(floor("d2")))
    assert [one.get("type") for one in told] == [None, "revoked"]
    assert site.call("GET", "/sync/v1/relay/news?after=0").status == 403


@on_sqlite
def test_an_enrolment_of_another_type_is_refused(app: Flask, ledger: Ledger) -> None:
    answer = Device(FlaskHttp(app)).enrol(devices.new_code(ledger), type="printer")
    assert (answer.status, answer.json["field"]) == (400, "type")


# --- bad input ---


@on_sqlite
@pytest.mark.parametrize(
    ("header", "type_", "field"),
    [
        ({"key": {"kty": "EC"}}, "bad-key", "key"),
        ({"state": "gone"}, "bad-header", "state"),
        ({"contacts": ["now"]}, "bad-header", "contacts"),
        ({"device": "upstream"}, "bad-header", "device"),
        ({"device": ""}, "bad-header", "device"),
        ({"name": 7}, "bad-header", "name"),
        ({"prev": 7}, "bad-header", "prev"),
        ({"prev": "none"}, "bad-header", "prev"),
    ],
)
def test_a_header_that_is_wrong_is_told_by_its_field(
    site: Device, header: dict[str, Any], type_: str, field: str
) -> None:
    told = relay(site, chain(floor(), **header), chain(floor("d2")))
    assert (told[0]["type"], told[0]["field"]) == (type_, field)
    assert told[1]["acked"] == 1


@on_sqlite
def test_a_body_whose_chains_cannot_be_told_apart_is_refused_whole(
    site: Device, ledger: Ledger
) -> None:
    size = ledger.size()
    answer = ask(site, chain(floor()), chain(floor("d2"), last=7))
    assert (answer.status, answer.json["type"], answer.json["line"]) == (400, "bad-header", 3)
    assert ledger.size() == size


# --- what a node is told ---


@on_sqlite
def test_a_node_is_told_of_exceptions_and_keys_from_a_position_on(
    site: Device, device: Device
) -> None:
    device.record("store", **cast.store("D5-404"))
    device.push()
    told = site.call("GET", "/sync/v1/relay/news?after=0").json
    assert [one["device"] for one in told["devices"]] == sorted([site.id, device.id])
    assert told["exceptions"][0]["resolved"] is False
    assert told["more"] is False
    after = site.call("GET", f"/sync/v1/relay/news?after={told['upto']}").json
    assert (after["devices"], after["exceptions"]) == ([], [])


@on_sqlite
def test_a_node_ahead_of_the_log_begins_again(site: Device) -> None:
    answer = site.call("GET", "/sync/v1/relay/news?after=999")
    assert (answer.status, answer.json["type"]) == (410, "reset")


@on_sqlite
def test_a_chain_is_given_on_as_it_was_signed(site: Device, device: Device) -> None:
    for n in range(3):
        device.record("receive", **cast.receive(f"D5-10{n}"))
        device.push()
    path = f"/sync/v1/relay/chain?device={device.id}&run=1&after=1"
    head, *lines = site.call("GET", path).body.splitlines()
    assert lines == device.log[1:]
    told = json.loads(head)
    assert (told["first"], told["last"], told["head"]) == (2, 3, device.head())
    assert site.call("GET", path.replace("after=1", "after=3")).status == 204


@on_sqlite
def test_an_item_is_told_whatever_its_state(site: Device, device: Device) -> None:
    device.record("receive", **cast.receive("D5-001"))
    device.push()
    told = site.call("GET", "/sync/v1/relay/item?code=D5-001").json
    assert told["value"]["place"] == "dock"
    assert told["tips"][0][0] == device.head()
    unknown = site.call("GET", "/sync/v1/relay/item?code=none").json
    assert unknown == {"value": None, "tips": []}


def test_a_node_takes_over_what_it_is_told_on_either_database(
    ledger: Ledger, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Two claims of one stick, one at the upstream itself, one at the node."""
    database = None
    if not ledger.database.is_sqlite:
        database = postgres.new_database(request.getfixturevalue("postgres_server"))
    upstream = Server(ledger)
    made = node_of(upstream, tmp_path / "node", database)
    there, here = upstream.device(), made.device()
    there.record("receive", **cast.receive("D5-001..D5-003"))
    there.push()
    made.sync()
    for device in (there, here):
        device.pull()
        device.record("store", **cast.store("D5-001"), saw=device.saw("D5-001"))
        device.push()
    made.sync(6)
    for server in (upstream, made):
        assert server.exceptions() == [("concurrent-claim", ["D5-001"])]
        assert server.is_rebuilt_the_same()
        assert faults_of(server.ledger) == []
    assert upstream.digest() == made.digest()
    made.ledger.close()
