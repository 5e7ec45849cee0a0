"""The page on site nodes and their upstream, and what a node's desk leaves to it."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from custody.ledger import devices, schema
from custody.ledger.core import Ledger
from custody.ledger.upstream import blocks, joining
from custody.ledger.upstream.joining import Joined
from custody.ledger.upstream.names import EXTENSION
from custody.routes import labels
from tests.routes.conftest import Open, text
from tests.support.device import Device, FlaskHttp

STATUS: dict[str, Any] = {
    "url": "https://hq.example",
    "state": "cut-off",
    "lag": 17,
    "last_contact": None,
    "error": "the network is down",
    "stuck": ["d1, run 1: bad-key: another key"],
    "log": None,
    "differs": 0,
}


class Node:
    def __init__(self, **changes: Any) -> None:
        self.told = {**STATUS, **changes}

    def status(self) -> dict[str, Any]:
        return self.told


def test_a_server_without_upstream_and_nodes_says_so(desk: Open) -> None:
    told = text(desk("iris").get("/servers"))
    assert "This server has no upstream" in told
    assert "No site node hands its events on" in told


def test_a_node_tells_how_far_behind_it_is_and_why(app: Flask, desk: Open) -> None:
    app.extensions[EXTENSION] = Node()
    told = text(desk("iris").get("/servers"))
    for words in ("Cut off", "the network is down", "https://hq.example", "17", "another key"):
        assert words in told


@pytest.mark.parametrize("state", ["in-step", "behind", "stuck", "cut-off", "not-enrolled"])
def test_every_state_has_its_words(app: Flask, desk: Open, state: str) -> None:
    app.extensions[EXTENSION] = Node(state=state, error=None, stuck=[])
    assert desk("iris").get("/servers").status_code == 200


def test_an_upstream_lists_its_nodes(app: Flask, desk: Open, ledger: Ledger) -> None:
    site = Device(FlaskHttp(app), ledger.clock)
    site.enrol(devices.new_code(ledger), "River Street", type="site")
    told = text(desk("iris").get("/servers"))
    assert "River Street" in told
    assert "Active" in told


def test_a_node_s_desk_says_where_people_are_changed(desk: Open, ledger: Ledger) -> None:
    with ledger.database.writing() as connection:
        joining.write(connection, Joined("https://hq.example", "d1", 1))
    opened = desk("ada")
    answer = opened.post("/places", id="new", type="dock")
    assert answer.status_code >= 400
    assert "https://hq.example" in text(answer, "body")


def test_a_gaming_day_is_signed_off_upstream(app: Flask, desk: Open, ledger: Ledger) -> None:
    app.extensions[EXTENSION] = Node()
    with ledger.database.writing() as connection:
        joining.write(connection, Joined("https://hq.example", "d1", 1))
    opened, size = desk("bea"), ledger.size()
    assert "Sign-off" not in text(opened.get("/reconcile?day=2026-12-01"))
    answer = opened.post("/reconcile/sign-off?day=2026-12-01", note="")
    assert (answer.status_code, ledger.size()) == (409, size)
    assert "https://hq.example" in text(answer, "body")


def test_a_node_s_desk_prints_from_its_store_and_says_what_is_left(
    desk: Open, ledger: Ledger
) -> None:
    with ledger.database.writing() as connection:
        joining.write(connection, Joined("https://hq.example", "d1", 1))
    blocks.keep(ledger, "DS", blocks.wanted(ledger)["DS"], [701, 704])
    opened, form = desk("ada"), {**labels.START, "prefix": "DS"}
    assert opened.post("/labels/reserve", **{**form, "count": "3"}).status_code == 200
    shown = opened.get("/labels")
    assert "Codes in store at this server" in text(shown)
    refused = opened.post("/labels/reserve", **{**form, "count": "2"})
    assert refused.status_code == 409
    assert "has 1 codes of DS left in store" in text(refused)
    assert "maker's codes" in text(refused)
    assert opened.post("/labels/reserve", **{**form, "count": "1"}).status_code == 200


def test_a_server_without_upstream_has_no_store(desk: Open) -> None:
    assert "Codes in store" not in text(desk("ada").get("/labels"))


def test_a_node_s_reconciliation_says_what_it_does_not_know(app: Flask, desk: Open) -> None:
    said = "Complete for what this property's handhelds and desk recorded"
    assert said not in text(desk("iris").get("/reconcile"))
    app.extensions[EXTENSION] = Node()
    assert said in text(desk("iris").get("/reconcile"))


def test_the_page_says_which_schema_the_database_has_and_which_the_program_knows(
    desk: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = text(desk("iris").get("/servers"))
    assert "Its schema" in told
    assert "newer version" not in told
    newer = schema.Standing("9999", "0090", is_newer=True)
    monkeypatch.setattr(schema, "standing", lambda _database: newer)
    told = text(desk("iris").get("/servers"))
    for words in ("9999", "0090", "A newer version was started on this database"):
        assert words in told
