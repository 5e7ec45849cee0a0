"""What is over leaves replicas and the questions of every minute, never the log."""

from __future__ import annotations

from flask import Flask
from sqlalchemy import select

from custody.ledger import feed, tables
from custody.ledger.core import Ledger
from custody.ledger.reading import exceptions, life, stock, today
from custody.ledger.reading.keyset import Cut
from tests.support import cast
from tests.support.device import Device


def test_an_item_that_is_gone_is_found_by_its_code_and_in_no_question_about_what_is_there(
    app: Flask, ledger: Ledger, device: Device
) -> None:
    device.record("receive", **{**cast.receive("D5-001..D5-002"), "saw": {}})
    device.push()
    device.pull()
    told = {"with": {"method": "crushed"}, "where": "shred", "by": ["sam"]}
    device.record("destroy", items=["D5-001"], saw=device.saw("D5-001"), **told)
    device.push()
    today.due(ledger)
    table = tables.record.c
    query = select(table.live, table.place, table.state).where(table.id == "D5-001")
    with ledger.database.reading() as connection:
        assert tuple(connection.execute(query).one()) == (False, None, "destroyed")
    assert stock.count_at(ledger, "shred") == 0
    assert [one["code"] for one in stock.at_place(ledger, "dock", None, Cut(9)).rows] == ["D5-002"]
    changes = {(one.of, one.id): one.value for one in feed.changes_after(ledger, "", 500).changes}
    assert changes.get(("item", "D5-001")) is None
    assert changes["item", "D5-002"] is not None
    found = life.of_item(ledger, "D5-001")
    assert [one["event"]["step"] for one in found["entries"]] == ["receive", "destroy"]
    assert exceptions.count(ledger) > 0
