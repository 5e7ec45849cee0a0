"""The log over HTTP: checkpoints, tiles and receipts, and devices as its witnesses."""

from __future__ import annotations

import base64
import shutil
import threading
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select

from custody.config import Config
from custody.ledger import exporting, log_acts, tables
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.log.checkpoints import Checkpoint
from custody.ledger.log.errors import NotStopped
from custody.verify import export, notes, receipts
from custody.verify.tree import GrowingTree
from tests.support.device import Answer, Device


def header(note: str) -> str:
    return base64.urlsafe_b64encode(note.encode()).rstrip(b"=").decode()


def forged(ledger: Ledger, size: int, root: bytes = bytes(32), number: int = 1) -> str:
    """Return a checkpoint that the log's own key signed, and that its tree may contradict."""
    origin = ledger.meta["origin"] + (f"/{number}" if number > 1 else "")
    return Checkpoint(origin, size, root).signed(ledger.log.log.keys.signers((origin,)))


def opened(ledger: Ledger, note: str) -> notes.Signed:
    return notes.checkpoint(note, [notes.key(each) for each in ledger.log.verifiers()])


def get(app: Flask, path: str) -> Answer:
    found = app.test_client().get(path)
    return Answer(found.status_code, found.headers, found.data)


def raised(ledger: Ledger) -> list[str]:
    with ledger.database.reading() as connection:
        return list(connection.scalars(select(tables.exception.c.kind)))


def signed_now(ledger: Ledger) -> str:
    """Sign at once, without waiting for the second that lies between two signatures."""
    note = ledger.log.log.sign().note
    assert note
    return note


def test_a_checkpoint_and_its_tiles_are_for_anyone(app: Flask, ledger: Ledger) -> None:
    answer = get(app, "/log/checkpoint")
    assert answer.status == 200
    checkpoint = opened(ledger, answer.body.decode())
    assert (checkpoint.origin, checkpoint.size) == ("custody/oak", ledger.size())
    assert get(app, "/log/verifier").body.decode().split() == ledger.log.verifiers()
    tile = get(app, f"/log/tile/0/000.p/{checkpoint.size}")
    assert len(tile.body) == 32 * checkpoint.size
    assert get(app, "/log/tile/0/000").json["type"] == "no-such-tile"


def test_a_receipt_proves_what_was_pushed(device: Device, ledger: Ledger) -> None:
    line = device.record("look", where="vault")
    device.push()
    signed_now(ledger)
    answer = device.call("GET", f"/sync/v1/receipts/{line}")
    keys = [notes.key(each) for each in ledger.log.verifiers()]
    proven = receipts.check(answer.body.decode(), keys, device.log[0])
    assert proven.event_id == line
    assert proven.position == ledger.size() - 1


def test_a_receipt_too_early_is_not_yet_and_a_stranger_gets_none(
    device: Device, ledger: Ledger, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = device.record("look", where="vault")
    signed_now(ledger)
    signed = ledger.log.fresh().signed
    monkeypatch.setattr(ledger.log.log, "now", lambda: signed)
    device.push()
    early = device.call("GET", f"/sync/v1/receipts/{line}")
    assert (early.status, early.json["type"]) == (404, "not-yet")
    assert early.headers["Retry-After"] == "1"
    assert get(app, f"/sync/v1/receipts/{line}").status == 401
    unknown = device.call("GET", f"/sync/v1/receipts/{'0' * 64}")
    assert (unknown.status, unknown.json["type"]) == (404, "unknown-event")


def test_a_checkpoint_that_the_log_continues_is_taken_without_a_word(
    device: Device, ledger: Ledger
) -> None:
    note = signed_now(ledger)
    device.record("look", where="vault")
    assert device.push(Custody_Checkpoint=header(note)).status == 200


@pytest.mark.parametrize("ahead", [0, 7])
def test_a_checkpoint_that_the_tree_contradicts_is_answered_and_raised_once(
    device: Device, ledger: Ledger, ahead: int
) -> None:
    signed_now(ledger)
    device.record("look", where="vault")
    seen = header(forged(ledger, ledger.size() + ahead))
    before = ledger.size()
    for _ in range(2):
        answer = device.push(Custody_Checkpoint=seen)
        assert (answer.status, answer.json["type"]) == (409, "log-rewritten")
    assert raised(ledger) == ["log-rewritten"]
    assert ledger.size() == before + 1, "the record of it, and nothing of the push"
    pull = device.call("GET", "/sync/v1/changes", Custody_Checkpoint=seen)
    assert pull.status == 409
    assert device.push().json["acked"] == 1


def test_a_checkpoint_over_events_that_the_database_has_and_does_not_know_as_signed_holds(
    device: Device, ledger: Ledger
) -> None:
    signed_now(ledger)
    device.record("look", where="vault")
    assert device.push().json["acked"] == 1
    tree = GrowingTree()
    for leaf in ledger.log.log.leaves.read(0, ledger.size()):
        tree.append(leaf.hash)
    signers = ledger.log.log.keys.signers(("custody/oak",))
    note = Checkpoint("custody/oak", tree.size, tree.root()).signed(signers)
    device.record("look", where="vault")
    assert device.push(Custody_Checkpoint=header(note)).status == 200
    assert "log-rewritten" not in raised(ledger)


def test_a_log_found_rewritten_signs_nothing_until_it_is_resumed(
    device: Device, ledger: Ledger, app: Flask
) -> None:
    signed_now(ledger)
    seen = header(forged(ledger, 50))
    device.record("look", where="vault")
    device.push(Custody_Checkpoint=seen)
    stopped = get(app, "/log/checkpoint")
    assert (stopped.status, stopped.json["type"]) == (503, "log-stopped")
    assert stopped.headers["Retry-After"]
    assert get(app, "/health").json["log"]["state"] == "stopped"
    head = log_acts.resume(ledger, "the night's backup was restored")
    assert head.origin == "custody/oak/2"
    fresh = opened(ledger, signed_now(ledger))
    assert fresh.extensions[0].startswith("previous custody/oak 50 ")
    assert fresh.size == ledger.size(), "and the act of resuming is an event of it"
    assert get(app, "/health").json["log"]["state"] == "signing"
    assert device.push(Custody_Checkpoint=seen).json["acked"] == 1
    with pytest.raises(NotStopped):
        log_acts.resume(ledger, "again")


def test_a_checkpoint_of_no_log_here_is_told_and_raises_nothing(
    device: Device, ledger: Ledger
) -> None:
    device.record("look", where="vault")
    for nonsense in ("nonsense", header("x\n"), header(forged(ledger, 3).replace("oak", "elm"))):
        answer = device.push(Custody_Checkpoint=nonsense)
        assert (answer.status, answer.json["type"]) == (400, "bad-checkpoint")
    assert "log-rewritten" not in raised(ledger)


def test_the_export_of_a_ledger_is_sound(device: Device, ledger: Ledger) -> None:
    for _ in range(5):
        device.record("look", where="vault")
        device.push()
    device.write(b"no event")
    device.push()
    report = export.check(lambda: exporting.records(ledger), ledger.log.verifiers())
    assert report.faults == []
    assert (report.events, report.unreadable) == (ledger.size(), 1)


def test_the_export_of_a_ledger_whose_log_was_rewritten_is_not_sound(
    device: Device, ledger: Ledger
) -> None:
    signed_now(ledger)
    device.record("look", where="vault")
    assert device.push(Custody_Checkpoint=header(forged(ledger, 40))).status == 409
    report = export.check(lambda: exporting.records(ledger), ledger.log.all_verifiers())
    assert [what for _, what in report.faults] == [f"the export ends after {ledger.size()} events"]


def test_processes_that_sign_at_once_sign_one_tree(config: Config, ledger: Ledger) -> None:
    others = [open_ledger(config) for _ in range(3)]
    failures: list[BaseException] = []

    def work(mine: Ledger) -> None:
        try:
            for number in range(15):
                log_acts._administer(mine, "look", f"{number}", None, None, "")
                mine.log.log.sign()
        except Exception as error:  # noqa: BLE001 (a thread cannot fail a test itself)
            failures.append(error)

    threads = [threading.Thread(target=work, args=(each,)) for each in (ledger, *others)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    note = signed_now(ledger)
    assert opened(ledger, note).size == ledger.size()
    report = export.check(lambda: exporting.records(ledger), ledger.log.verifiers(), [note])
    assert report.faults == []
    for each in others:
        each.close()


def test_a_machine_that_joins_makes_the_tiles_that_another_signed(
    device: Device, ledger: Ledger, tmp_path: Path
) -> None:
    for _ in range(300):
        device.record("look", where="vault")
    device.push()
    signed_now(ledger)
    other = Config(tmp_path / "second", ledger.config.database_url)
    shutil.copytree(ledger.config.keys, other.keys)
    second = open_ledger(other)
    device.record("look", where="vault")
    device.push()
    note = signed_now(second)
    assert (second.config.data / "log" / "1" / "tile" / "0" / "000").exists()
    assert second.log.tile(0, "000") == ledger.log.tile(0, "000")
    assert ledger.log.bundle("000") == second.log.bundle("000")
    assert signed_now(ledger) == note, "the first machine follows the second"
    assert (ledger.config.data / "log" / "checkpoint").read_text() == note
    second.close()
