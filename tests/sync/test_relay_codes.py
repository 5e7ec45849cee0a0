"""Codes for labels at site nodes: in store before an outage, and never on two labels."""

from __future__ import annotations

import pytest

from custody.ledger import desk, log_acts, reserving
from custody.ledger.upstream import blocks
from custody.ledger.upstream.blocks import OutOfCodes
from tests.support.floor import ADA, assert_one_state, stock
from tests.support.nodes import Casinos, NodeServer
from tests.support.restoring import put_back, take_copy


def left(node: NodeServer, prefix: str = "DS") -> int:
    found = reserving.left(node.ledger)
    assert found is not None
    return found[prefix]


def test_both_nodes_and_their_upstream_give_out_different_codes(casinos: Casinos) -> None:
    given = [reserving.reserve(server.ledger, "DS", 300, ADA) for server in casinos.servers]
    casinos.settle()
    given += [reserving.reserve(server.ledger, "DS", 300, ADA) for server in casinos.servers]
    every = [code for some in given for code in some]
    assert len(set(every)) == 1800
    casinos.settle()
    for server in casinos.servers:
        assert all(reserving.is_reserved(server.ledger, code) for code in every[::50])
    assert_one_state(casinos)


def test_days_of_outage_find_enough_and_what_is_too_much_is_refused_whole(
    casinos: Casinos,
) -> None:
    casinos.a.wan.is_cut = True
    assert left(casinos.a) == blocks.BLOCK
    for _ in range(2):
        reserving.reserve(casinos.a.ledger, "DS", 2_000, ADA)
    with pytest.raises(OutOfCodes) as refused:
        reserving.reserve(casinos.a.ledger, "DS", 2_000, ADA)
    assert refused.value.left == left(casinos.a) == 1_000
    casinos.a.wan.is_cut = False
    casinos.settle()
    assert left(casinos.a) == 1_000 + blocks.BLOCK


def test_lost_answers_use_up_one_block(casinos: Casinos) -> None:
    reserving.reserve(casinos.a.ledger, "DS", 1, ADA)
    casinos.a.sync()
    before = casinos.upstream.record("setting", "codes")["DS"]
    for _ in range(3):
        reserving.reserve(casinos.a.ledger, "DS", 2_000, ADA)
    ask = casinos.a.node._node._upstream.codes  # type: ignore[union-attr]
    given = [ask("DS", blocks.wanted(casinos.a.ledger)["DS"]) for _ in range(3)]
    casinos.a.sync()
    assert given == [[before + 1, before + blocks.BLOCK]] * 3
    assert casinos.upstream.record("setting", "codes")["DS"] == before + blocks.BLOCK


def test_a_restored_node_gives_up_its_store_and_its_desk_goes_on_under_a_new_run(
    casinos: Casinos,
) -> None:
    copy = take_copy(casinos, "a")
    printed = reserving.reserve(casinos.a.ledger, "DS", 100, ADA)
    casinos.settle()
    put_back(casinos, copy, "a")
    casinos.settle()
    again = reserving.reserve(casinos.a.ledger, "DS", 100, ADA)
    assert not set(printed) & set(again)
    device = casinos.a.device("After the restore")
    stock(device)
    casinos.settle()
    assert casinos.upstream.exceptions() == []
    runs = {run for name, run, *_ in casinos.upstream.events() if name.startswith("desk@")}
    assert runs == {1, 2}
    assert casinos.a.status["state"] == "in-step"
    assert_one_state(casinos)


def test_an_upstream_restored_a_moment_after_it_gave_a_block_knows_that_it_was(
    casinos: Casinos,
) -> None:
    casinos.a.sync()
    copy = take_copy(casinos, "upstream")
    for _ in range(2):
        reserving.reserve(casinos.a.ledger, "DS", 2_000, ADA)
    ask = casinos.a.node._node._upstream.codes  # type: ignore[union-attr]
    ask("DS", blocks.wanted(casinos.a.ledger)["DS"])
    put_back(casinos, copy, "upstream")
    with pytest.raises(reserving.LostCount):
        reserving.reserve(casinos.upstream.ledger, "DS", 1, ADA)


def test_a_node_whose_log_shows_that_it_was_restored_gives_nothing_out_before_it_has_asked(
    casinos: Casinos,
) -> None:
    """It is cut off as well: only the checkpoint in its folder says so."""
    copy = take_copy(casinos, "a")
    reserving.reserve(casinos.a.ledger, "DS", 100, ADA)
    stock(casinos.a.device())
    casinos.a.ledger.log.log.sign()
    casinos.a.wan.is_cut = True
    put_back(casinos, copy, "a")
    casinos.restart("a")
    assert left(casinos.a) == 0
    with casinos.a.ledger.database.reading() as connection:
        assert desk.run_of(connection) == 2
    casinos.a.wan.is_cut = False
    casinos.settle()
    assert left(casinos.a) == blocks.BLOCK
    assert "fork" not in {kind for kind, _ in casinos.upstream.exceptions()}


def test_a_restored_upstream_leaves_out_what_it_may_have_given(casinos: Casinos) -> None:
    copy = take_copy(casinos)
    printed = reserving.reserve(casinos.upstream.ledger, "DS", 100, ADA)
    casinos.upstream.ledger.log.log.sign()
    put_back(casinos, copy)
    with pytest.raises(reserving.LostCount):
        reserving.reserve(casinos.upstream.ledger, "DS", 100, ADA)
    reserving.reserve(casinos.a.ledger, "DS", 1_000, ADA)
    casinos.a.sync()
    assert left(casinos.a) == blocks.BLOCK - 1_000
    log_acts.resume(casinos.upstream.ledger, "a backup was restored")
    again = reserving.reserve(casinos.upstream.ledger, "DS", 100, ADA)
    assert not set(printed) & set(again)
