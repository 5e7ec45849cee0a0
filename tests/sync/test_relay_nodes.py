"""Site nodes: outages, two nodes and a roaming handheld, one state in the end (docs/site-node.md).

All in one process and on SQLite; the upstream's side is tried on both databases in test_relay.py.
"""

from __future__ import annotations

import copy
import json
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from custody.commands import serve
from custody.commands.verify import faults_of
from custody.config import Config
from custody.ledger import blobs, devices, masterdata, people, tables
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.errors import SettingError
from custody.ledger.founding import found
from custody.ledger.reading import today
from custody.ledger.setting import check_setting
from custody.ledger.upstream import joining
from custody.ledger.upstream.joining import NotOfThisSite
from custody.sync.relay import node
from custody.sync.relay.http import Answer, Unreachable
from custody.sync.relay.starting import found_from
from tests.support import cast
from tests.support.device import Device
from tests.support.nodes import Casinos, NodeServer, Wan
from tests.support.pictures import name_of, picture
from tests.support.restoring import put_back, take_copy

ADA = [{"person": "ada"}]
STICKS = ("D5-001", "D5-002", "D5-003")


def stock(device: Device) -> None:
    """Receive and store three sticks."""
    device.record("receive", **cast.receive("D5-001..D5-003"))
    assert device.push().status == 200
    device.pull()
    device.record("store", **cast.store("D5-001..D5-003"), saw=device.saw(*STICKS))
    assert device.push().status == 200
    device.pull()


def issue(device: Device, code: str, **more: Any) -> str:
    by = ["fay", "sam", "pam"]
    fields = {"items": [code], "to": "pit1", "by": by, "saw": device.saw(code), **more}
    return device.record("issue", **fields)


def assert_one_state(casinos: Casinos) -> None:
    """All three say the same, to the byte, and each ledger is sound by itself."""
    assert len({server.digest() for server in casinos.servers}) == 1
    for server in casinos.servers:
        assert faults_of(server.ledger) == []


def test_what_a_floor_signed_is_upstream_as_it_was_signed(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    held = casinos.upstream.events()
    assert [held[device.id, 1, 1, n] for n in (1, 2)] == [
        casinos.a.events()[device.id, 1, 1, n] for n in (1, 2)
    ]
    assert_one_state(casinos)


def test_the_desk_of_a_node_is_upstream_under_a_name_of_its_own(casinos: Casinos) -> None:
    casinos.a.device()
    casinos.b.device()
    casinos.settle()
    desks = {name for name, *_ in casinos.upstream.events() if name.startswith("desk")}
    assert len(desks) == 3
    assert "desk" in desks
    assert casinos.upstream.exceptions() == []
    assert_one_state(casinos)


def test_an_outage_of_the_upstream_stops_nobody(casinos: Casinos) -> None:
    casinos.a.wan.is_cut = True
    device = casinos.a.device("Enrolled in the outage")
    stock(device)
    with pytest.raises(Unreachable):
        casinos.a.sync()
    told = casinos.a.status
    assert (told["state"], told["error"]) == ("cut-off", "the network is down")
    assert told["lag"] >= 3
    casinos.a.wan.is_cut = False
    casinos.settle()
    assert (casinos.a.status["state"], casinos.a.status["lag"]) == ("in-step", 0)
    assert casinos.upstream.record("device", device.id)["name"] == "Enrolled in the outage"
    assert casinos.b.record("item", "D5-001")["place"] == "vault"
    assert_one_state(casinos)


def test_a_lost_answer_doubles_nothing(casinos: Casinos) -> None:
    stock(casinos.a.device())
    casinos.a.wan.loses_answers = True
    casinos.a.try_to_sync()
    casinos.a.wan.loses_answers = False
    casinos.settle()
    assert len(set(casinos.upstream.events().values())) == len(casinos.upstream.events())
    assert_one_state(casinos)


def test_a_node_that_starts_anew_asks_how_far_its_upstream_is(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    casinos.a.sync()
    device.record("receive", **cast.receive("D5-007"))
    device.push()
    size = len(casinos.upstream.events())
    node = casinos.restart("a")
    node.sync()
    assert len(casinos.upstream.events()) == size + 1


def test_an_upstream_that_was_restored_gets_all_of_it_again(
    casinos: Casinos, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The upstream loses what came after its backup; the nodes hold it, and its log says so."""
    monkeypatch.setattr(node, "WATCH_MS", 0)
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    copy = take_copy(casinos.upstream)
    issue(device, "D5-001")
    device.push()
    casinos.settle()
    casinos.upstream.ledger.log.log.sign()
    casinos.settle()
    put_back(casinos, copy)
    assert (device.id, 1, 1, 3) not in casinos.upstream.events()
    casinos.a.try_to_sync()
    casinos.b.try_to_sync()
    casinos.settle()
    assert casinos.upstream.record("item", "D5-001")["place"] == "pit1"
    assert "checkpoint" in casinos.a.status["log"]
    assert casinos.a.status["state"] == "in-step"
    assert len({server.digest() for server in casinos.servers}) == 1


def test_a_roaming_handheld_goes_on_at_another_node(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    casinos.b.move(device)
    device.pull()
    issue(device, "D5-001")
    answer = device.push()
    assert (answer.status, answer.json["acked"], answer.json["exceptions"]) == (200, 3, [])
    assert casinos.b.exceptions() == []
    assert casinos.b.record("item", "D5-002")["disputed"] is False
    casinos.settle()
    assert casinos.upstream.events()[device.id, 1, 1, 3] == device.head()
    assert casinos.upstream.exceptions() == []
    assert_one_state(casinos)


def test_it_comes_home_again(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    for server, code in ((casinos.b, "D5-001"), (casinos.a, "D5-002")):
        casinos.settle()
        server.move(device)
        device.pull()
        issue(device, code)
        assert device.push().json["exceptions"] == []
    casinos.settle()
    assert casinos.upstream.exceptions() == []
    assert [casinos.upstream.record("item", code)["place"] for code in STICKS] == [
        "pit1",
        "pit1",
        "vault",
    ]
    assert_one_state(casinos)


def test_its_events_of_an_outage_reach_upstream_through_either_node(casinos: Casinos) -> None:
    """Node a is cut off with event 3; the device carries events 3 and 4 to node b."""
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    casinos.a.wan.is_cut = True
    issue(device, "D5-001")
    assert device.push().json["acked"] == 3
    casinos.b.move(device)
    device.pull()
    issue(device, "D5-002")
    gap = device.push()
    assert (gap.status, gap.json["expected"]) == (409, 3)
    device.acked = 2
    assert device.push().json["acked"] == 4
    casinos.b.sync()
    casinos.a.wan.is_cut = False
    casinos.settle()
    runs = [key for key in casinos.upstream.events() if key[0] == device.id]
    assert sorted(runs) == [(device.id, 1, 1, n) for n in (1, 2, 3, 4)]
    assert casinos.upstream.exceptions() == []
    assert_one_state(casinos)


def two_claims(casinos: Casinos) -> tuple[Device, Device]:
    """Both nodes know the sticks, are cut off from each other, and each issues the same one."""
    first, second = casinos.a.device(), casinos.b.device()
    stock(first)
    casinos.settle()
    second.pull()
    issue(first, "D5-001")
    issue(second, "D5-001")
    assert first.push().json["exceptions"] == []
    assert second.push().json["exceptions"] == []
    casinos.settle()
    return first, second


def test_a_concurrent_claim_across_nodes_is_shown_at_all_three(casinos: Casinos) -> None:
    two_claims(casinos)
    for server in casinos.servers:
        assert server.exceptions() == [("concurrent-claim", ["D5-001"])]
        item = server.record("item", "D5-001")
        assert (item["disputed"], len(item["last"])) == (True, 2)
    assert_one_state(casinos)


def test_it_is_resolved_at_a_node_for_all_three(casinos: Casinos) -> None:
    first, _ = two_claims(casinos)
    first.pull()
    both = casinos.upstream.record("item", "D5-001")["last"]
    told = {"exception": "concurrent-claim", "outcome": "seen at the table", "stands": both[1]}
    first.record("resolve", items=["D5-001"], by=["pam"], saw={"D5-001": both[0]}, **{"with": told})
    assert first.push().status == 200
    casinos.settle()
    for server in casinos.servers:
        assert server.exceptions() == []
        item = server.record("item", "D5-001")
        assert (item["disputed"], item["last"]) == (False, [first.head()])
    assert_one_state(casinos)


def test_what_a_node_doubts_and_its_upstream_does_not_is_withdrawn(casinos: Casinos) -> None:
    """Node b has not heard of a stick yet that its handheld moves; the upstream has."""
    first, second = casinos.a.device(), casinos.b.device()
    first.record("receive", **cast.receive("D5-001"))
    first.push()
    casinos.a.sync()
    saw = {"D5-001": first.head()}
    second.record("store", **cast.store("D5-001"), saw=saw)
    second.push()
    assert casinos.b.exceptions() != []
    casinos.settle()
    assert casinos.upstream.exceptions() == casinos.b.exceptions() == []
    assert casinos.b.record("item", "D5-001")["place"] == "vault"
    assert_one_state(casinos)


def test_what_was_destroyed_elsewhere_is_known_as_destroyed(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    fact = {"why": "late", "at": device.clock()}
    told = {"method": "shredded", "fact": fact}
    fields = {"items": ["D5-001"], "where": "shred", "by": ["sam", "sue"], "with": told}
    device.record("destroy", saw=device.saw("D5-001"), **fields)
    device.push()
    casinos.settle()
    assert casinos.upstream.record("item", "D5-001")["state"] == "destroyed"
    assert casinos.b.record("item", "D5-001")["state"] == "destroyed"
    assert_one_state(casinos)


# --- master data and devices ---


def test_people_and_revocations_flow_down(casinos: Casinos) -> None:
    device = casinos.a.device()
    casinos.settle()
    people.save_person(casinos.upstream.ledger, "new", {"job": "floorperson"}, ADA)
    people.set_active(casinos.upstream.ledger, "gus", False, ADA)
    devices.revoke(casinos.upstream.ledger, device.id, ADA)
    casinos.settle()
    for server in casinos.servers:
        assert server.record("person", "new")["department"] == "table_games"
        assert server.record("person", "gus")["active"] is False
    refused = device.call("GET", "/sync/v1/changes")
    assert (refused.status, refused.json["wipe"]) == (403, True)
    assert_one_state(casinos)


def test_people_are_changed_upstream_alone(casinos: Casinos) -> None:
    with pytest.raises(SettingError, match="http://upstream"):
        people.save_person(casinos.a.ledger, "new", {"job": "floorperson"}, ADA)
    with pytest.raises(SettingError, match="http://upstream"):
        masterdata.administer(casinos.a.ledger, "place", "vault", ADA, lambda work: [])


def test_a_device_that_is_revoked_at_a_node_is_revoked_everywhere(casinos: Casinos) -> None:
    """A handheld is stolen during an outage."""
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    casinos.a.wan.is_cut = True
    devices.revoke(casinos.a.ledger, device.id, ADA)
    issue(device, "D5-001")
    device.push()
    casinos.a.wan.is_cut = False
    casinos.settle()
    for server in casinos.servers:
        assert server.record("device", device.id)["state"] == "revoked"
        assert server.record("item", "D5-001")["place"] == "vault"
    kinds = [kind for kind, _ in casinos.upstream.exceptions()]
    assert kinds == ["revoked-device"]
    assert_one_state(casinos)


def test_a_lease_is_judged_upstream_by_contacts_with_the_node(casinos: Casinos) -> None:
    device = casinos.a.device()
    casinos.settle()
    late = device.clock() + 9 * 86_400_000
    device.clock = lambda: late
    for server in casinos.servers:
        server.ledger.clock = lambda: late
    recorded = late - 3_600_000  # eight days and more after the device was last in touch
    device.record("receive", **{**cast.receive("D5-001"), "at": recorded, "server": recorded})
    assert device.push().status == 200
    casinos.settle()
    for server in (casinos.upstream, casinos.a):
        assert [kind for kind, _ in server.exceptions()] == ["lease-expired", "lease-expired"]


def test_a_node_that_was_revoked_is_told_nothing_more(casinos: Casinos) -> None:
    device = casinos.a.device()
    casinos.settle()
    site = casinos.a.node._node._upstream._device  # type: ignore[union-attr]
    devices.revoke(casinos.upstream.ledger, site, ADA)
    stock(device)
    casinos.a.try_to_sync()
    assert "revoked" in casinos.a.status["error"]
    assert casinos.upstream.events()[device.id, 1, 1, 2] == casinos.a.events()[device.id, 1, 1, 2]


def test_both_ledgers_are_made_again_from_their_logs(casinos: Casinos) -> None:
    two_claims(casinos)
    assert all(server.is_rebuilt_the_same() for server in casinos.servers)


# --- becoming a node ---


def own_ledger(folder: Path, **setting: Any) -> Ledger:
    folder.mkdir()
    config = Config(folder / "data", f"sqlite:///{folder / 'custody.db'}")
    found(config, check_setting(cast.setting(**setting)))
    return open_ledger(config)


def test_a_ledger_that_was_founded_by_itself_joins_with_all_its_history(
    casinos: Casinos, tmp_path: Path
) -> None:
    ledger = own_ledger(tmp_path / "own")
    wan = Wan(casinos.upstream.app)
    made = NodeServer(ledger, wan, devices.new_code(casinos.upstream.ledger))
    device = made.device()
    stock(device)
    wan.is_cut = True
    made.try_to_sync()
    assert made.status["state"] == "not-enrolled"
    wan.is_cut = False
    made.sync()
    casinos.settle()
    assert casinos.upstream.record("item", "D5-001") == made.record("item", "D5-001")
    assert casinos.upstream.exceptions() == []
    assert made.digest() == casinos.upstream.digest()
    assert faults_of(ledger) == []
    ledger.close()


def test_a_ledger_of_another_site_is_told_so(casinos: Casinos, tmp_path: Path) -> None:
    ledger = own_ledger(tmp_path / "elm", site="elm")
    code = devices.new_code(casinos.upstream.ledger)
    made = NodeServer(ledger, Wan(casinos.upstream.app), code)
    with pytest.raises(NotOfThisSite, match="elm"):
        made.sync()
    assert "share one site" in made.status["error"]
    ledger.close()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--upstream-code", "X"], "--upstream-code goes with --upstream"),
        (["--upstream", "ftp://x"], "is no address such as https://"),
        (["--upstream", "http://127.0.0.1:9"], "give --upstream-code"),
        (["--upstream", "http://127.0.0.1:9", "--upstream-code", "X"], "refused"),
    ],
)
def test_what_is_missing_to_be_a_node_is_told(
    tmp_path: Path, casinos: Casinos, arguments: list[str], told: str
) -> None:
    data = casinos.folder / "a" / "data" if arguments[0] == "--upstream-code" else tmp_path / "new"
    database = f"sqlite:///{casinos.folder / 'a' / 'custody.db'}"
    where = ["--data", str(data), "--database", database]
    answer = CliRunner().invoke(serve.command, [*where, *arguments])
    assert answer.exit_code in (1, 2)
    assert told in answer.output


@pytest.mark.parametrize("failed", [0, 1, 5, 500])
def test_a_node_waits_longer_with_each_failure_and_never_in_step(failed: int) -> None:
    waits = [node.pause(failed, 2.0) for _ in range(50)]
    most = min(node.LONGEST_S, 2.0 * 2 ** min(failed, 10))
    assert most / 2 <= min(waits) < max(waits) <= most
    assert len(set(waits)) > 40


def test_while_nothing_answers_it_asks_seldom(casinos: Casinos) -> None:
    """No busy loop: the rounds of a node that is cut off are as many as its pauses let be."""
    rounds: list[int] = []

    def fails() -> bool:
        rounds.append(1)
        raise Unreachable("down")

    loop = node.Loop(fails, every=0.02).start()
    time.sleep(0.5)
    loop.stop()
    assert 2 <= len(rounds) <= 8


def test_a_captive_portal_is_not_taken_for_the_upstream(casinos: Casinos) -> None:
    stock(casinos.a.device())
    portal = Answer(200, {"Content-Type": "text/html"}, b"<html>Sign in</html>")
    whole = casinos.a.wan.request
    casinos.a.wan.request = lambda *_: portal  # type: ignore[method-assign]
    casinos.a.try_to_sync()
    assert "no Custody server" in casinos.a.status["error"]
    casinos.a.wan.request = whole  # type: ignore[method-assign]
    casinos.settle()
    assert_one_state(casinos)


def test_a_picture_follows_its_event_upstream(casinos: Casinos) -> None:
    device = casinos.a.device()
    content = picture()
    casinos.a.wan.is_cut = True
    assert device.call("PUT", f"/sync/v1/blobs/{name_of(content)}", content).status == 201
    casinos.a.try_to_sync()
    assert blobs.one(casinos.upstream.ledger, name_of(content)).state == blobs.AWAITED
    casinos.a.wan.is_cut = False
    casinos.settle()
    assert blobs.original(casinos.upstream.ledger, name_of(content)) == content
    sent = [path for method, path in casinos.a.wan.asked if method == "PUT"]
    assert sent == [f"/sync/v1/blobs/{name_of(content)}"]


def test_a_node_shows_a_picture_that_came_elsewhere(casinos: Casinos) -> None:
    device = casinos.a.device()
    content = picture()
    device.call("PUT", f"/sync/v1/blobs/{name_of(content)}", content)
    casinos.settle()
    assert casinos.b.node.fetch_picture(name_of(content))
    assert blobs.original(casinos.b.ledger, name_of(content)) == content
    casinos.b.wan.is_cut = True
    assert not casinos.b.node.fetch_picture("0" * 64)


def test_a_node_that_missed_something_finds_it_by_the_digest(casinos: Casinos) -> None:
    """Its cursor stands beyond changes that it never took over."""
    device = casinos.a.device()
    casinos.b.sync()
    stock(device)
    casinos.a.sync()
    theirs = casinos.b.node._node._upstream.changes("")  # type: ignore[union-attr]
    with casinos.b.ledger.database.writing() as connection:
        joined = joining.read(connection)
        assert joined is not None
        joining.write(connection, joined._replace(cursor=theirs["cursor"]))
    assert casinos.b.record("item", "D5-001") is None
    for _ in range(3):
        casinos.b.sync()
    assert_one_state(casinos)


def test_a_handheld_that_only_reads_is_not_silent_upstream(casinos: Casinos) -> None:
    device = casinos.a.device()
    later = device.clock() + 86_400_000
    device.clock = lambda: later
    for server in casinos.servers:
        server.ledger.clock = lambda: later
    device.pull()
    casinos.settle()
    seen = {one["id"]: one for one in today.devices(casinos.upstream.ledger)}
    assert seen[device.id]["silent"] is False
    assert device.id in seen
    assert not any(id_.startswith("desk") for id_ in seen)


# --- what is hard to take over ---


def void(device: Device, *serials: str) -> None:
    fact = {"why": "late", "at": device.clock()}
    told = {"serials": list(serials), "reason": "torn", "fact": fact}
    device.record("mark_void", items=["CL-01"], by=["ash", "fay"], **{"with": told})
    assert device.push().status == 200


def test_two_nodes_cut_one_lot_of_serials_each_in_its_way(
    casinos: Casinos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "COMPARE_MS", 0)
    first, second = casinos.a.device(), casinos.b.device()
    attributes = {"type": "match_play", "denomination": 1000, "expires": "2027-09-30"}
    attributes |= {"first": "MP-000001", "last": "MP-000500"}
    told = {"items": ["CL-01"], "kind": "coupons", "form": "lot", "attributes": attributes}
    first.record("receive", **{**cast.receive("CL-01"), **told})
    assert first.push().status == 200
    casinos.settle()
    for device in (first, second):
        device.pull()
    void(first, "MP-000010..MP-000019")
    void(second, "MP-000100")
    for _ in range(2):
        casinos.settle()
    ranges = [key for key in casinos.b.scope() if key[1].startswith("MP-")]
    assert len(ranges) == 5
    kinds = {kind for kind, _ in casinos.upstream.exceptions()}
    assert "concurrent-claim" not in kinds
    assert_one_state(casinos)


def test_an_envelope_packed_at_one_node_is_opened_at_another(casinos: Casinos) -> None:
    first, second = casinos.a.device(), casinos.b.device()
    stock(first)
    fact = {"why": "late", "at": first.clock()}
    told = {"purpose": "used", "seal": "S-1", "label": True, "fact": fact}
    fields = {"items": ["D5-001", "D5-002"], "into": "EV-1", "by": ["fay", "sam"], "with": told}
    first.record("pack", saw=first.saw("D5-001", "D5-002"), **fields)
    assert first.push().status == 200
    casinos.settle()
    second.pull()
    opened = {"seal": "S-1", "seal_state": "intact", "condition": "closed", "fact": fact}
    saw = second.saw("EV-1", "D5-001", "D5-002")
    second.record("open", items=["EV-1"], by=["sam", "sue"], saw=saw, **{"with": opened})
    assert second.push().status == 200
    casinos.settle()
    assert "concurrent-claim" not in {kind for kind, _ in casinos.upstream.exceptions()}
    assert casinos.a.record("item", "D5-001")["last"] == [second.head()]
    assert_one_state(casinos)


def test_a_correction_of_another_node_s_event_holds_everywhere(casinos: Casinos) -> None:
    first, second = casinos.a.device(), casinos.b.device()
    stock(first)
    issue(first, "D5-001")
    first.push()
    casinos.settle()
    second.pull()
    told = {"event": first.head(), "reason": "another stick"}
    saw = second.saw("D5-001")
    second.record("correct", items=["D5-001"], by=["ash"], saw=saw, **{"with": told})
    assert second.push().status == 200
    casinos.settle()
    assert [server.record("item", "D5-001")["place"] for server in casinos.servers] == ["vault"] * 3
    assert_one_state(casinos)


def test_stock_at_a_node_follows_what_the_others_did(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    held = [on_hand(server.ledger) for server in casinos.servers]
    assert held == [{"sticks": 3, "dice": 15}] * 3
    issue(device, "D5-001")
    device.push()
    casinos.settle()
    held = [on_hand(server.ledger) for server in casinos.servers]
    assert held == [{"sticks": 2, "dice": 10}] * 3


def on_hand(ledger: Ledger) -> dict[str, int]:
    """Return the dice in the vault, as the stock ledger sums them."""
    table = tables.posting.c
    query = select(table.value).where(table.place == "vault", table.term == "stored")
    with ledger.database.reading() as connection:
        lines = [json.loads(value) for value in connection.scalars(query)]
    return {unit: sum(line.get(unit, 0) for line in lines) for unit in ("sticks", "dice")}


def test_a_node_waits_until_it_is_approved(casinos: Casinos, tmp_path: Path) -> None:
    controls = {"device_approval": "administrator"}
    change = masterdata.Change("setting", "controls", controls)
    masterdata.administer(casinos.upstream.ledger, "controls", "", ADA, lambda work: [change])
    waited: list[str] = []

    def approve(device: str) -> None:
        waited.append(device)
        if len(waited) == 2:
            devices.approve(casinos.upstream.ledger, device, ADA)

    config = Config(tmp_path / "data", f"sqlite:///{tmp_path / 'custody.db'}")
    code = devices.new_code(casinos.upstream.ledger)
    found_from(config, "http://upstream", code, Wan(casinos.upstream.app), approve)
    ledger = open_ledger(config)
    assert joining.joined(ledger).device == waited[0] == waited[1]  # type: ignore[union-attr]
    ledger.close()


# --- runs and branches ---


def clone_of(device: Device) -> Device:
    """Return a copy of a device as its storage was copied: the same key, the same chain so far."""
    made = copy.copy(device)
    made.log, made.records = list(device.log), dict(device.records)
    return made


def test_a_fork_at_a_node_is_a_fork_upstream_with_all_its_events(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    clone = clone_of(device)
    issue(device, "D5-001")
    issue(clone, "D5-002")
    assert device.push().status == 200
    assert clone.push().json["type"] == "fork"
    issue(clone, "D5-003")
    clone.acked = 3
    assert clone.push().json["type"] == "fork"
    casinos.settle()
    held = casinos.upstream.events()
    assert held[device.id, 1, 1, 3] == device.head()
    assert held[device.id, 1, 2, 4] == clone.head()
    assert [kind for kind, _ in casinos.upstream.exceptions()] == ["fork"]
    assert casinos.upstream.exceptions() == casinos.a.exceptions() == casinos.b.exceptions()
    assert_one_state(casinos)


def test_a_clone_at_another_node_is_found_upstream(
    casinos: Casinos, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "COMPARE_MS", 0)
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    clone = clone_of(device)
    casinos.b.move(clone)
    clone.pull()
    issue(device, "D5-001")
    issue(clone, "D5-002")
    assert device.push().status == clone.push().status == 200
    for _ in range(3):
        casinos.settle()
    held = casinos.upstream.events()
    assert {held[device.id, 1, 1, 3], held[device.id, 1, 2, 3]} == {device.head(), clone.head()}
    for server in casinos.servers:
        assert [kind for kind, _ in server.exceptions()] == ["fork"]
    assert casinos.b.record("item", "D5-002")["place"] == "vault"
    assert_one_state(casinos)


def test_a_new_run_that_began_at_a_node_is_known_everywhere(casinos: Casinos) -> None:
    device = casinos.a.device()
    stock(device)
    casinos.settle()
    fresh = Device(device.http)
    casinos.b.move(fresh)
    code = devices.new_code(casinos.b.ledger)
    assert fresh.enrol(code, device=device.id, run=2).status == 201
    fresh.run = 2
    fresh.pull()
    issue(fresh, "D5-001")
    assert fresh.push().json["acked"] == 1
    casinos.settle()
    for server in casinos.servers:
        assert server.record("device", device.id)["run"] == 2
    casinos.a.move(fresh)
    fresh.pull()
    issue(fresh, "D5-002")
    assert fresh.push().json["acked"] == 2
    casinos.settle()
    assert casinos.upstream.exceptions() == []
    assert_one_state(casinos)
