"""The whole log for exports, on both databases: every event once, and what came of it."""

from __future__ import annotations

import pytest
from flask import Flask

from custody.ledger.core import Ledger
from custody.ledger.reading import coupon_ledger, entries, exceptions, keyset, stock, whole_log
from tests.support import story


def test_every_event_is_told_once_with_what_it_raised_and_what_corrected_it(
    app: Flask, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    story.tell(app, ledger)
    monkeypatch.setattr(whole_log, "CHUNK", 4)
    told = list(whole_log.walk(ledger))
    assert [one["position"] for one in told] == list(range(ledger.size()))
    assert {one["id"] for one in told if one["event"] is None} != set()
    for one in told:
        kinds = {found["kind"] for found in exceptions.at_position(ledger, one["position"])}
        assert one["raised"] == sorted(kinds)
        same = entries.one(ledger, one["position"])
        assert {name: one[name] for name in same} == same
    struck = [one for one in told if one["struck"]]
    undo = next(one for one in told if (one["event"] or {}).get("step") == "correct")
    assert [one["id"] for one in struck] == [undo["event"]["with"]["event"]]
    assert struck[0]["struck"] == {"id": undo["id"], "received": undo["received"]}


def test_items_come_part_by_part_as_they_do_at_once(app: Flask, ledger: Ledger) -> None:
    story.tell(app, ledger)
    found = keyset.whole(lambda cut: stock.every(ledger, "dice", None, None, cut), 2)
    assert list(found) == stock.of_kind(ledger, "dice", None, keyset.Cut(99)).rows
    there = keyset.whole(lambda cut: stock.every(ledger, None, None, "vault", cut), 2)
    assert list(there) == stock.at_place(ledger, "vault", None, keyset.Cut(99)).rows != []
    assert stock.is_state(ledger, "stored")
    assert not stock.is_state(ledger, "gone")
    assert list(keyset.whole(lambda cut: coupon_ledger.part(ledger, "", "", cut))) == []
