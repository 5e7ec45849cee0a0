"""What networks do to a push, a pull and an enrolment: nothing is lost, nothing is doubled."""

from __future__ import annotations

import json
import socket
import time

import pytest

from tests.faults.asserting import assert_once, codes, held, receive
from tests.faults.site import Site
from tests.faults.spoiling import FAULTS, read_message
from tests.support.client import Client
from tests.support.device import SocketHttp

EVENTS = 12


@pytest.fixture(scope="module")
def site(shared_site: Site) -> Site:
    return shared_site


@pytest.fixture
def client(site: Site) -> Client:
    """A device that has synced, and then recorded twelve events without a network."""
    made = site.client()
    assert made.sync() == ""
    receive(made, *codes(made, EVENTS))
    return made


def spoil(site: Site, client: Client, *faults: str) -> str:
    """Let a device sync over a link that does these things to its next requests."""
    site.link(client).plan(*faults)
    return client.sync(watch=False)


def assert_recovers(site: Site, client: Client) -> None:
    """Assert that the next sync over a good network brings all that is missing, once."""
    site.link(client).heal()
    assert client.sync() == ""
    assert_once(site, client)


def test_a_lost_request_is_sent_again(site: Site, client: Client) -> None:
    assert spoil(site, client, "lost_request") == "offline"
    assert held(site, client) == []
    assert len(client.waiting()) == EVENTS
    assert_recovers(site, client)


def test_an_answer_lost_after_the_commit_doubles_nothing(site: Site, client: Client) -> None:
    for _ in range(3):
        assert spoil(site, client, "lost_answer") == "offline"
    assert len(held(site, client)) == EVENTS
    assert len(client.waiting()) == EVENTS, "nobody told the device that they were taken"
    assert_recovers(site, client)


def test_half_a_request_stores_nothing_of_it(site: Site, client: Client) -> None:
    assert spoil(site, client, "half_request") == "offline"
    assert held(site, client) == []
    assert_recovers(site, client)


def test_half_an_answer_is_no_answer(site: Site, client: Client) -> None:
    assert spoil(site, client, "half_answer") == "offline"
    assert len(client.waiting()) == EVENTS
    assert_recovers(site, client)


@pytest.mark.parametrize("heard", ["duplicate", "duplicate_second"])
def test_a_push_that_arrives_twice_is_stored_once(site: Site, client: Client, heard: str) -> None:
    assert spoil(site, client, heard) == ""
    assert_once(site, client)


def test_a_push_replayed_after_later_ones_changes_nothing(site: Site, client: Client) -> None:
    assert spoil(site, client, "replayed") == ""
    receive(client, *codes(client, 2))
    assert client.sync(watch=False) == ""
    site.link(client).settle()
    assert site.link(client).held == [], "the replay never arrived"
    assert_once(site, client)


def test_pushes_that_arrive_in_another_order_end_in_theirs(site: Site, client: Client) -> None:
    assert spoil(site, client, "late") == "offline"
    receive(client, *codes(client, 3))
    assert spoil(site, client, "passed") == ""  # the late one arrives after it
    site.link(client).settle()
    assert site.link(client).held == []
    assert_once(site, client)


def test_a_way_that_takes_requests_and_brings_no_answers_doubles_nothing(
    site: Site, client: Client
) -> None:
    site.link(client).always("answers_cut")
    for _ in range(3):
        assert client.sync() == "offline"
        receive(client, *codes(client, 1))
    assert len(held(site, client)) == EVENTS + 2
    assert_recovers(site, client)


def test_a_way_that_takes_requests_and_loses_them_keeps_the_queue(
    site: Site, client: Client
) -> None:
    site.link(client).always("requests_cut")
    assert client.sync() == "offline"
    assert held(site, client) == []
    assert_recovers(site, client)


def test_a_half_open_connection_holds_a_device_no_longer_than_its_patience(
    site: Site, client: Client
) -> None:
    link, http = site.link(client), client.http
    assert isinstance(http, SocketHttp)
    link.patience, http.patience = 30, 0.3
    link.plan("half_open")
    began = time.monotonic()
    assert client.sync() == "offline"
    assert time.monotonic() - began < 5
    http.patience = 20
    assert_recovers(site, client)


def test_a_network_that_comes_and_goes_lets_the_queue_drain(site: Site, client: Client) -> None:
    said = [spoil(site, client, *["refused", "passed"] * 2) for _ in range(4)]
    assert "offline" in said
    assert_recovers(site, client)


@pytest.mark.parametrize("page", ["portal", "portal_json", "redirected"])
def test_a_captive_portal_is_told_apart_and_takes_nothing(
    site: Site, client: Client, page: str
) -> None:
    before = client.disk.get("feed")
    site.link(client).always(page)
    assert client.sync() == "captive"
    assert client.disk.get("feed") == before
    assert len(client.waiting()) == EVENTS
    assert_recovers(site, client)


def test_an_error_of_a_machine_in_between_deletes_nothing(site: Site, client: Client) -> None:
    assert spoil(site, client, "bad_gateway") == "http-502"
    assert spoil(site, client, "unavailable") == "http-503"
    assert len(client.waiting()) == EVENTS
    assert_recovers(site, client)


@pytest.mark.parametrize("way", ["slow", "delayed"])
def test_a_slow_way_is_only_slow(site: Site, client: Client, way: str) -> None:
    site.link(client).always(way)
    assert client.sync() == ""
    assert_once(site, client)


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_whatever_happens_to_a_pull_the_replica_is_whole_in_the_end(
    site: Site, client: Client, fault: str
) -> None:
    assert client.sync() == ""
    other = site.client()
    receive(other, *(moved := codes(other, 3)))
    assert other.sync() == ""
    site.link(client).plan(fault)
    client.sync(watch=False)
    assert_recovers(site, client)
    assert all(client.disk.record("item", code) for code in moved)


@pytest.mark.parametrize("fault", ["lost_answer", "half_answer", "duplicate_second", "answers_cut"])
def test_an_enrolment_whose_answer_is_lost_has_spent_its_code_and_a_new_one_serves(
    site: Site, fault: str
) -> None:
    client = site.reopen(site.folder / f"enrolling-{fault}.db")
    code = site.code()
    site.link(client).plan(fault)
    assert client.enrol(code).type in ("offline", "bad-code")
    assert client.enrol(code).type == "bad-code"
    assert client.enrol(site.code()).status == 201
    receive(client, *codes(client, 1))
    assert client.sync() == ""
    assert_once(site, client)


@pytest.mark.parametrize("length", ["twelve", "-5", "1 2"])
def test_a_length_that_is_no_number_is_told_as_every_error(site: Site, length: str) -> None:
    head = f"POST /sync/v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", site.server.port), timeout=60) as wire:
        wire.sendall(head.encode() + b"{}")
        answer = read_message(wire, answer=True)
    head_, _, body = answer.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head_
    assert json.loads(body)["status"] in (400, 401)


def test_two_lengths_that_differ_are_refused(site: Site) -> None:
    head = "POST /sync/v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n"
    with socket.create_connection(("127.0.0.1", site.server.port), timeout=60) as wire:
        wire.sendall(head.encode() + b"\r\n{}")
        answer = read_message(wire, answer=True)
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["type"] == "bad-request"


def test_the_ledger_is_sound_after_all_that(site: Site) -> None:
    site.assert_sound()
