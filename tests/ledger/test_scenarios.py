"""Every handed scenario of Maryland's dice, cards and tiles, answered by the SQL ledger too.

The rules play a scenario in memory; each event that reaches their server is pushed by a device as
well, and each question is asked of both.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from custody.app import create_app
from custody.config import Config
from custody.ledger import devices, rebuilding, tables
from custody.ledger.cache import Cache
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.founding import found
from custody.ledger.judging import book_of
from custody.ledger.setting import check_setting
from custody.rulebooks import loader
from custody.rules import memory, rehearsal, script
from custody.rules.asks import check
from custody.rules.book import load
from tests.support.device import Device, FlaskHttp, line_of

FOLDER = Path(__file__).parent.parent / "scenarios"
# Those in which ranges of serials are cut, disputed, resolved and folded again.
COUPONS = ("two-handhelds", "facts-and-corrections", "drop-box", "return")
# Those that keep what belongs to no item: samples, the receipts of batches, who moved what.
ELSEWHERE = (
    *("ny-cards-sampling", "ny-preshuffle-rules", "us542-independence", "ny-dice-tampering"),
    *("form-dice-reports", "seal-gaps", "correct-counts", "correct-exceptions"),
    *("correct-independence", "correct-twice", "form-requisition", "seal-two-handhelds"),
)
NAMES = sorted(
    path.relative_to(FOLDER).with_suffix("").as_posix()
    for path in [
        *FOLDER.glob("md-[dpt]*.jsonl"),
        *FOLDER.glob("md-coupons*.jsonl"),
        *(FOLDER / f"own/md-coupons-{name}.jsonl" for name in COUPONS),
        *FOLDER.glob("own/case-*.jsonl"),
        FOLDER / "own/md-seals.jsonl",
        *FOLDER.glob("md-cards-*.jsonl"),
        *FOLDER.glob("ny-*.jsonl"),
        *FOLDER.glob("us*.jsonl"),
        *(FOLDER / f"own/{name}.jsonl" for name in ELSEWHERE),
        FOLDER / "md-envelope-broken-seal.jsonl",
        FOLDER / "md-offline-double-claim.jsonl",
    ]
)


class SqlStore(Cache):
    """The SQL ledger as the questions of a scenario see a store."""

    @property
    def postings(self) -> list[dict[str, Any]]:
        rows = self.connection.execute(select(tables.posting)).mappings()
        return [{**row, "units": json.loads(row["value"])} for row in rows]

    @property
    def exceptions(self) -> list[dict[str, Any]]:
        rows = self.connection.execute(select(tables.exception)).mappings()
        return [
            {**row, "closed": row["resolved"] is not None, **json.loads(row["value"])}
            for row in rows
        ]


class Both:
    """A scenario in memory and in SQL at once."""

    def __init__(self, config: Config, scenario: Path, patch: pytest.MonkeyPatch) -> None:
        self.lines = script.lines(scenario.read_text())
        scene = script.setting(self.lines)
        setting = {**{k: v for k, v in scene.items() if k != "scenario"}, "site": "oak"}
        found(config, check_setting(setting))
        self.ledger: Ledger = open_ledger(config)
        app: Flask = create_app(config, self.ledger)
        self.device = Device(FlaskHttp(app))
        self.device.enrol(devices.new_code(self.ledger))
        book = load(loader.rulebook(scene["regime"]), {**loader.site(scene)})
        self.stage = rehearsal._stage(book, script.cast(book, scene))
        self.ids: dict[str, str] = {}
        self.patch = patch
        self.in_memory = memory.record
        patch.setattr(memory, "record", self.record)

    def record(self, book: Any, store: Any, event: Any, key: str) -> Any:
        outcome = self.in_memory(book, store, event, key)
        if store is self.stage["server"]:
            self.push(event, key)
        return outcome

    def push(self, event: dict[str, Any], key: str) -> None:
        fields = {name: value for name, value in self.named(event).items() if name not in ("by",)}
        made = self.device.event(fields.pop("step"), by=event["by"], **fields)
        made.update(mono=None, server=None)
        self.ids[key] = self.device.write(line_of(made))
        answer = self.device.push()
        assert answer.status == 200, answer.body

    def named(self, value: Any) -> Any:
        """Replace the names that events have in memory by their ids in the log."""
        if isinstance(value, dict):
            return {self.ids.get(key, key): self.named(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.named(inner) for inner in value]
        return self.ids.get(value, value) if isinstance(value, str) else value

    def play(self) -> None:
        for number, line in self.lines[1:]:
            verdict = rehearsal._line(self.stage, number, line)
            assert verdict is None or verdict["ok"], verdict["text"]
            if "ask" in line:
                self.ask(number, line)

    def ask(self, number: int, line: dict[str, Any]) -> None:
        with self.ledger.database.reading() as connection:
            store = SqlStore(connection)
            stage = {**self.stage, "server": store, "book": book_of(store)}
            verdict = check(stage, number, line)
        assert verdict["ok"], f"line {number} in SQL: {verdict['text']}"


@pytest.mark.parametrize("name", NAMES)
def test_the_sql_ledger_answers_as_the_rules_do_in_memory(
    config: Config, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = Both(config, FOLDER / f"{name}.jsonl", monkeypatch)
    both.play()
    compare_items(both)
    with both.ledger.database.reading() as connection:
        before = rebuilding.digest(connection)
    assert rebuilding.rebuild(both.ledger) == before
    both.ledger.close()


def compare_items(both: Both) -> None:
    """Every item's folded value is the same on both sides, but for what the ledger adds."""
    with both.ledger.database.reading() as connection:
        store = Cache(connection)
        for (of, code), value in both.stage["server"].records.items():
            if of == "item":
                stored = dict(store.get("item", code) or {})
                stored.pop("history", None)
                assert stored == (both.named(value) or {}), code
