"""What a node shows of an item that other nodes handled, and what its upstream can verify."""

from __future__ import annotations

import html

from custody.commands.verify import faults_of
from custody.ledger import accounts, people
from custody.verify import notes, receipts
from tests.routes import cast
from tests.routes.conftest import Desk, text
from tests.support.device import Device
from tests.support.floor import ADA, issue, stock
from tests.support.nodes import Casinos, Server


def desk_of(server: Server, person: str) -> Desk:
    accounts.spend_link(server.ledger, accounts.new_link(server.ledger, person), cast.PASSWORD)
    return Desk(server.app, person)


def handled_at_both(casinos: Casinos) -> Device:
    """Node a receives and stores sticks, node b issues one."""
    first, second = casinos.a.device("Tablet of a"), casinos.b.device("Tablet of b")
    stock(first)
    casinos.settle()
    second.pull()
    issue(second, "D5-001")
    assert second.push().status == 200
    casinos.settle()
    return second


def test_a_node_shows_what_other_nodes_recorded_with_who_signed_it(casinos: Casinos) -> None:
    second = handled_at_both(casinos)
    desk = desk_of(casinos.b, "ash")
    assert "/elsewhere/D5-001" in desk.get("/items/D5-001").text
    shown = text(desk.get("/elsewhere/D5-001"))
    assert [shown.count(words) for words in ("Held upstream", "Held here, too")] == [2, 1]
    assert second.head() in shown
    assert "Tablet of a" in shown
    assert "badge" in shown.lower()


def test_while_it_is_cut_off_it_says_what_is_missing(casinos: Casinos) -> None:
    handled_at_both(casinos)
    casinos.b.wan.is_cut = True
    answer = desk_of(casinos.b, "ash").get("/elsewhere/D5-001")
    assert answer.status_code == 503
    assert "The upstream cannot be asked now" in text(answer)


def test_a_server_without_upstream_has_nothing_elsewhere(casinos: Casinos) -> None:
    handled_at_both(casinos)
    desk = desk_of(casinos.upstream, "ash")
    assert "/elsewhere/" not in desk.get("/items/D5-001").text


def test_a_regulator_verifies_upstream_what_was_signed_on_a_property_s_floor(
    casinos: Casinos,
) -> None:
    second = handled_at_both(casinos)
    people.save_person(casinos.upstream.ledger, "rex", {"job": "compliance_representative"}, ADA)
    desk = desk_of(casinos.upstream, "rex")
    shown = text(desk.get("/items/D5-001"))
    for name in ("Tablet of a · Site node", "Tablet of b · Site node"):
        assert name in shown
    assert casinos.upstream.events()[second.id, 1, 1, 1] == second.head()
    casinos.upstream.ledger.log.log.sign()
    position = casinos.upstream.ledger.log.receipt(second.head()).position
    receipt = desk.get(f"/receipts/{position}.txt")
    assert receipt.status_code == 200
    assert second.log[0].decode() in html.unescape(desk.get(f"/receipts?event={position}").text)
    keys = [notes.key(line) for line in casinos.upstream.ledger.log.all_verifiers()]
    assert receipts.check(receipt.text, keys, second.log[0])
    assert faults_of(casinos.upstream.ledger) == []
    assert desk.post("/labels/reserve", prefix="DS", count="1").status_code == 403
