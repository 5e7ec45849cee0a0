"""`custody log`: what an operator does for the log."""

from __future__ import annotations

from click.testing import CliRunner, Result

from custody.cli import main
from custody.config import Config
from custody.ledger.core import Ledger
from custody.ledger.log.checkpoints import Checkpoint


def run(config: Config, *arguments: str) -> Result:
    where = ["--data", str(config.data), "--database", config.database_url]
    return CliRunner().invoke(main, ["log", *arguments, *where])


def test_status_tells_origin_size_and_state(config: Config, ledger: Ledger) -> None:
    result = run(config, "status")
    assert result.exit_code == 0
    assert result.stdout == f"custody/oak: {ledger.size()} events signed, signing\n"


def test_a_log_that_goes_on_is_not_resumed(config: Config, ledger: Ledger) -> None:
    result = run(config, "resume", "--reason", "to be sure")
    assert result.exit_code == 1
    assert "nothing to resume" in result.stderr


def test_resuming_needs_a_reason(config: Config, ledger: Ledger) -> None:
    assert run(config, "resume").exit_code == 2
    empty = run(config, "resume", "--reason", " ")
    assert empty.exit_code == 2
    assert "say why" in empty.stderr


def test_a_stopped_log_is_resumed_and_says_what_it_follows(config: Config, ledger: Ledger) -> None:
    ledger.log.checkpoint()
    note = config.data / "log" / "checkpoint"
    kept = ledger.log.log.heads.last()
    ledger.log.log.remember(_ahead(ledger))
    assert run(config, "status").exit_code == 1
    result = run(config, "resume", "--reason", "the night's backup was restored")
    assert result.exit_code == 0
    assert "goes on as custody/oak/2; previous custody/oak 99 " in result.stdout
    assert note.read_text() != kept.note
    assert run(config, "status").stdout.startswith("custody/oak/2: ")


def _ahead(ledger: Ledger) -> str:
    signers = ledger.log.log.keys.signers(("custody/oak",))
    return Checkpoint("custody/oak", 99, bytes(32)).signed(signers)


def test_keys_are_added_and_retired(config: Config, ledger: Ledger) -> None:
    first = ledger.log.verifiers()
    both = run(config, "rotate").stdout.split()
    assert both[:1] == first
    assert len(both) == 2
    assert run(config, "retire").stdout.split() == both[1:]
    alone = run(config, "retire")
    assert alone.exit_code == 1
    assert "one key only" in alone.stderr
