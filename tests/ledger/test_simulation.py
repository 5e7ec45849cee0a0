"""A simulated ledger is one like any other: its rules are kept, and it grows through the log."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from sqlalchemy import func, select

from custody.cli import main
from custody.config import Config
from custody.ledger import feed, tables
from custody.ledger.core import Ledger
from custody.ledger.verifying import projection_fault
from custody.simulation import filling
from custody.simulation.handheld import GROUP

LIVES = 13 * GROUP  # events of the first group of sticks, from the box to the shredder


def count(ledger: Ledger, *where: object) -> int:
    with ledger.database.reading() as connection:
        query = select(func.count()).select_from(tables.record).where(tables.record.c.of == "item")
        return connection.scalar(query.where(*where)) or 0  # type: ignore[arg-type]


def test_whole_lives_break_no_rule_and_leave_the_replicas_but_not_the_ledger(
    config: Config,
) -> None:
    ledger, clock = filling.make(config)
    for push in filling.pushes(filling.enrol(ledger, 1), LIVES):
        assert filling.take(ledger, clock, push).exceptions == []
    assert count(ledger) == 2 * GROUP, "the sticks and their envelopes are known for good"
    assert count(ledger, tables.record.c.live) == 0, "their lives are over"
    assert projection_fault(ledger) is None
    page = feed.changes_after(ledger, "", 500)
    assert "item" not in {change.of for change in page.changes}
    ledger.close()


def test_the_command_makes_a_ledger_of_the_size_asked_for(tmp_path: Path) -> None:
    arguments = ["simulate", "--data", str(tmp_path / "big"), "--events", "1200"]
    told = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert told.exit_code == 0
    # The acts by which it was founded and its handhelds enrolled are events too.
    assert int(told.stdout) == 1200 + 1 + filling.HANDHELDS
    assert CliRunner().invoke(main, arguments).exit_code == 1, "a ledger is there already"
