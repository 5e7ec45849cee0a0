"""A handheld that a site node does not know waits while nobody can be asked, and loses nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from custody.ledger import devices, keys
from custody.ledger.upstream import silent
from custody.ledger.work import Work
from custody.sync.relay import node as relaying
from custody.sync.relay.node import Node
from tests.support import cast
from tests.support.client import Client
from tests.support.device import FlaskHttp, now_ms
from tests.support.floor import assert_one_state
from tests.support.nodes import Casinos, NodeServer, Server

AWAY = (503, "upstream-away")


@pytest.fixture(autouse=True)
def _in_touch(casinos: Casinos, monkeypatch: pytest.MonkeyPatch) -> None:
    """All nodes were heard of just now, however long ago they were founded and a test takes; and
    asked as often as they like.
    """
    casinos.settle()
    monkeypatch.setattr(silent, "SILENT_MS", silent.TOKEN_MS)
    monkeypatch.setattr(relaying, "MOST_ASKED", 1_000)


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


class Round:
    """Stands for the lock of a node's rounds while another does one, from when it is asked for."""

    def __init__(self, node: Node) -> None:
        self.node, self.lock = node, node._alone

    def acquire(self, timeout: float) -> bool:
        self.node._alone = self.lock
        self.node.once()
        return self.lock.acquire(timeout=timeout)


def test_those_who_come_at_once_wait_for_one_round_that_began_after_they_came(
    casinos: Casinos,
) -> None:
    node = casinos.a.node._ready()
    assert node is not None
    asked = casinos.a.wan.asked
    asked.clear()
    node.once()
    once = [*asked]
    assert node.catch_up()  # the round that was just done began before
    assert len(asked) > len(once)
    node._alone = Round(node)  # type: ignore[assignment]
    asked.clear()
    assert node.catch_up()
    assert asked == once


def test_who_asks_again_and_again_under_made_up_names_does_not_keep_the_upstream_busy(
    casinos: Casinos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relaying, "MOST_ASKED", 2)
    now = now_ms()
    monkeypatch.setattr(casinos.a.ledger, "clock", lambda: now)
    device = casinos.a.device()
    told = []
    for number in range(4):
        device.id = f"d{number:016x}"
        told.append(device.call("GET", "/sync/v1/changes").status)
    assert told == [404, 404, 503, 503]
    monkeypatch.setattr(casinos.a.ledger, "clock", lambda: now + 1000)
    assert device.call("GET", "/sync/v1/changes").status == 404


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


def test_an_older_handheld_that_tells_no_keys_waits_at_a_cut_off_node_and_spends_no_code(
    casinos: Casinos,
) -> None:
    device = casinos.upstream.device()
    code = devices.new_code(cut_off(casinos.a).ledger)
    casinos.a.move(device)
    answer = device.enrol(code, device=device.id, run=2)
    assert (answer.status, answer.json["type"]) == AWAY
    casinos.a.wan.is_cut = False
    casinos.settle()
    assert device.enrol(code, device=device.id, run=2).status == 201


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


# --- a node that is cut off has enrolled a handheld, which is carried to another server ---


def note(client: Client, count: int) -> list[str]:
    fields = {"by": ["fay"], "with": {"whom": "surveillance"}}
    return [client.record("notify", **fields) for _ in range(count)]


def stranger(casinos: Casinos, folder: Path) -> Client:
    """A handheld that enrolled at node a while that was cut off, with two events pushed there and
    two that were not.
    """
    cut_off(casinos.a)
    made = Client(FlaskHttp(casinos.a.app), folder / "stranger.db")
    assert made.enrol(devices.new_code(casinos.a.ledger)).status == 201
    note(made, 2)
    assert made.sync(watch=False) == ""
    note(made, 2)
    return made


def reconnect(casinos: Casinos) -> None:
    casinos.a.wan.is_cut = False
    casinos.settle()


def assert_upstream_once(casinos: Casinos, client: Client) -> None:
    """What a handheld keeps is upstream as it was signed, each event once, and raised nothing."""
    mine = {key: id_ for key, id_ in casinos.upstream.events().items() if key[0] == client.id}
    kept = {(client.id, one.run, 1, one.seq): one.id for one in client.disk.events()}
    assert mine == kept
    assert casinos.upstream.exceptions() == []
    assert_one_state(casinos)


@pytest.mark.parametrize("there", ["b", "upstream"])
def test_enrolled_anew_elsewhere_it_goes_on_as_who_it_is_and_nothing_is_doubled(
    casinos: Casinos, tmp_path: Path, there: str
) -> None:
    client = stranger(casinos, tmp_path)
    name, ids = client.id, [one.id for one in client.disk.events()]
    server = casinos.server(there)
    carried(client, server)
    assert client.sync(watch=False) == "not-enrolled"
    assert client.enrol(devices.new_code(server.ledger)).status == 201
    assert (client.id, client.run) == (name, 2)
    ids += note(client, 1)
    assert client.sync(watch=False) == ""
    assert [one.id for one in client.disk.events()] == ids, "nothing was recorded again"
    reconnect(casinos)
    assert_upstream_once(casinos, client)
    carried(client, casinos.a)
    note(client, 1)
    assert client.sync(watch=False) == ""
    casinos.settle()
    assert_upstream_once(casinos, client)
    client.close()


def test_where_the_upstream_has_lost_sight_of_a_node_a_stranger_is_told_to_wait(
    casinos: Casinos, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = stranger(casinos, tmp_path)
    device = casinos.a.device()
    monkeypatch.setattr(silent, "SILENT_MS", -silent.TOKEN_MS)  # all nodes are lost from sight
    for server in (casinos.upstream, casinos.b):
        carried(client, server)
        assert client.sync(watch=False) == AWAY[1]
        assert not client.needs_run()
        server.move(device)
        answer = device.call("GET", "/sync/v1/changes")
        assert (answer.status, answer.headers["Retry-After"]) == (503, "15")
        answer = device.enrol(devices.new_code(server.ledger), device=device.id, run=2)
        assert (answer.status, answer.json["type"]) == AWAY
    monkeypatch.undo()
    reconnect(casinos)
    assert client.sync(watch=False) == ""
    casinos.settle()
    assert_upstream_once(casinos, client)
    client.close()


def test_a_node_that_was_revoked_is_not_waited_for(
    casinos: Casinos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silent, "SILENT_MS", -silent.TOKEN_MS)
    with casinos.upstream.ledger.database.reading() as connection:
        nodes = [id_ for id_, value in Work(connection).all("device") if value.get("type")]
    for node in nodes:
        assert silent.is_any(casinos.upstream.ledger)
        devices.revoke(casinos.upstream.ledger, node, [])
    assert not silent.is_any(casinos.upstream.ledger)
    device = casinos.upstream.device()
    device.id = "d0000"
    assert device.call("GET", "/sync/v1/changes").json["type"] == "not-enrolled"


def test_at_a_cut_off_node_a_handheld_of_elsewhere_enrols_at_once_and_nothing_is_doubled(
    casinos: Casinos, client: Client
) -> None:
    note(client, 2)
    assert client.sync(watch=False) == ""
    cut_off(casinos.a)
    carried(client, casinos.a)
    note(client, 1)
    assert client.sync(watch=False) == AWAY[1]
    assert client.enrol(devices.new_code(casinos.a.ledger)).status == 201
    note(client, 1)
    assert client.sync(watch=False) == ""
    assert not client.waiting()
    reconnect(casinos)
    assert_upstream_once(casinos, client)


def test_a_run_of_one_node_that_another_does_not_know_is_not_given_out_twice(
    casinos: Casinos, client: Client
) -> None:
    """Run 2 began at node a in an outage; node b, cut off too, would give out another run 2."""
    casinos.settle()
    cut_off(casinos.a)
    cut_off(casinos.b)
    for there in (casinos.a, casinos.b):
        carried(client, there)
        note(client, 1)
        client.disk.set_run(client.run, state="forked")
        assert client.enrol(devices.new_code(there.ledger)).status == 201
        client.disk.change("UPDATE run SET state = 'good'")
    assert client.run == 3
    note(client, 1)
    assert client.sync(watch=False) == ""
    casinos.b.wan.is_cut = False
    reconnect(casinos)
    assert_upstream_once(casinos, client)


def test_a_told_key_never_takes_the_place_of_one_that_is_known(casinos: Casinos) -> None:
    device = casinos.upstream.device()
    key = keys.jwk_of(ec.generate_private_key(ec.SECP256R1()).public_key())
    code = devices.new_code(casinos.upstream.ledger)
    told = [{"run": 1, "key": key}]
    answer = device.enrol(code, device=device.id, run=2, runs=told)
    assert (answer.status, answer.json["runs"]) == (201, [])
    with casinos.upstream.ledger.database.reading() as connection:
        assert devices.keys_of(connection, device.id)[1] != key


@pytest.mark.parametrize(
    "runs",
    ["1", [1], [{"run": 0}], [{"run": True}], [{"run": 1}], [{"run": 1, "key": {"kty": "RSA"}}]],
)
def test_runs_that_are_none_are_named_and_leave_the_code_good(
    casinos: Casinos, runs: object
) -> None:
    device = casinos.upstream.device()
    code = devices.new_code(casinos.upstream.ledger)
    answer = device.enrol(code, device=device.id, run=2, runs=runs)
    assert (answer.status, answer.json["field"]) == (400, "runs")
    assert device.enrol(code, device=device.id, run=2).status == 201


def test_nobody_becomes_a_server_s_own_device_by_telling_a_key(casinos: Casinos) -> None:
    device = casinos.upstream.device()
    told = [{"run": 1, "key": keys.jwk_of(device.key.public_key())}]
    for name in ("desk", "upstream", "desk@d1", "d1", "D" + "0" * 16):
        code = devices.new_code(casinos.upstream.ledger)
        answer = device.enrol(code, device=name, run=2, runs=told)
        assert (answer.status, answer.json["type"]) == (404, "not-enrolled")
