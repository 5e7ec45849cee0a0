"""A handheld that a site node does not know waits while nobody can be asked, and loses nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from custody.ledger import devices, keys
from tests.support import cast
from tests.support.client import Client
from tests.support.device import FlaskHttp
from tests.support.floor import assert_one_state
from tests.support.nodes import Casinos, NodeServer, Server

AWAY = (503, "upstream-away")


@pytest.fixture
def client(casinos: Casinos, tmp_path: Path) -> Iterator[Client]:
    """A handheld that enrolled upstream just now: no node has heard of it."""
    made = Client(FlaskHttp(casinos.upstream.app), tmp_path / "handheld.db")
    assert made.enrol(devices.new_code(casinos.upstream.ledger)).status == 201
    yield made
    made.close()


def carried(client: Client, there: Server) -> Client:
    client.http = FlaskHttp(there.app)
    client.disk.set("feed", {"after": "", "gen": 2, "whole": True})
    return client


def cut_off(node: NodeServer) -> NodeServer:
    node.wan.is_cut = True
    node.try_to_sync()
    return node


def test_a_node_asks_its_upstream_for_a_handheld_before_it_says_that_it_knows_none(
    casinos: Casinos, client: Client
) -> None:
    client.record("receive", **{**cast.receive("D5-001"), "by": ["fay", "sam"]})
    carried(client, casinos.a)
    assert client.sync(watch=False) == ""
    assert not client.waiting()


def test_a_handheld_that_a_cut_off_node_does_not_know_is_told_to_wait(
    casinos: Casinos, client: Client
) -> None:
    cut_off(casinos.a)
    client.record("receive", **{**cast.receive("D5-001"), "by": ["fay", "sam"]})
    carried(client, casinos.a)
    assert client.sync(watch=False) == AWAY[1]
    assert len(client.waiting()) == 1
    assert not client.needs_run()
    answer = client.http.request("GET", "/sync/v1/changes", {"Authorization": "Bearer x"}, None)
    assert answer.status == 401  # what is no token is none anywhere
    casinos.a.wan.is_cut = False
    casinos.settle()
    assert client.sync(watch=False) == ""
    assert not client.waiting()
    casinos.settle()
    assert casinos.upstream.record("item", "D5-001")["last"] == [client.disk.last(1).id]  # type: ignore[union-attr]
    assert_one_state(casinos)


def test_the_answer_says_when_to_come_again(casinos: Casinos, client: Client) -> None:
    cut_off(casinos.a)
    device = casinos.upstream.device()
    casinos.a.move(device)
    answer = device.call("GET", "/sync/v1/changes")
    assert (answer.status, answer.json["type"]) == AWAY
    assert answer.headers["Retry-After"] == "15"
    assert "keep everything" in answer.json["detail"]


def test_a_new_run_of_a_handheld_that_a_cut_off_node_does_not_know_waits_and_spends_no_code(
    casinos: Casinos, client: Client
) -> None:
    code = devices.new_code(cut_off(casinos.a).ledger)
    client.record("receive", **{**cast.receive("D5-001"), "by": ["fay", "sam"]})
    carried(client, casinos.a)
    client.disk.set_run(1, state="forked")
    assert client.enrol(code)[:2] == AWAY
    assert (client.run, len(client.waiting())) == (1, 1)
    casinos.a.wan.is_cut = False
    casinos.settle()
    assert client.enrol(code).type == ""
    assert client.run == 2


def test_a_run_that_began_elsewhere_in_an_outage_waits_too(casinos: Casinos) -> None:
    device = casinos.a.device()
    casinos.settle()
    cut_off(casinos.b)
    key = ec.generate_private_key(ec.SECP256R1())
    asked = {"code": devices.new_code(casinos.a.ledger), "device": device.id, "run": 2}
    body = json.dumps({**asked, "key": keys.jwk_of(key.public_key())}).encode()
    headers = {"Content-Type": "application/json"}
    assert device.http.request("POST", "/sync/v1/devices", headers, body).status == 201
    device.key, device.run, device.log, device.acked = key, 2, [], 0
    casinos.b.move(device)
    assert device.call("GET", "/sync/v1/changes").json["type"] == AWAY[1]
    casinos.b.wan.is_cut = False
    casinos.settle()
    assert device.call("GET", "/sync/v1/changes").status == 200


def test_what_nobody_knows_is_not_known_and_is_no_reason_to_wait(casinos: Casinos) -> None:
    device = casinos.a.device()
    device.id = "d0000"
    answer = device.call("GET", "/sync/v1/changes")
    assert (answer.status, answer.json["type"]) == (404, "not-enrolled")
