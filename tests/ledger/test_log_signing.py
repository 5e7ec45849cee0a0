"""What is signed, what is not, and how a log that stopped is resumed."""

from __future__ import annotations

import base64
import errno
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path

import pytest

from custody.ledger.log import checkpoints, durable, merkle
from custody.ledger.log.checkpoints import Checkpoint
from custody.ledger.log.errors import (
    BadNote,
    Busy,
    NoSuchTile,
    NotStopped,
    NotYet,
    Rewritten,
    Stopped,
    UnknownEvent,
)
from tests.ledger.log_support import ORIGIN, Site, naive_root


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, 300)


def signed(site: Site) -> Checkpoint:
    head = site.heads.last()
    return checkpoints.opened(site.reader.checkpoint(), site.keys.verifiers((head.origin,)))


def header(note: str) -> str:
    return base64.urlsafe_b64encode(note.encode()).rstrip(b"=").decode()


def test_a_checkpoint_covers_every_event_and_is_kept_twice(site: Site) -> None:
    checkpoint = signed(site)
    leaves = [row.hash for row in site.leaves.rows]
    assert checkpoint == Checkpoint(ORIGIN, 300, naive_root(leaves))
    note = site.heads.last().note
    assert (site.data / "log" / "checkpoint").read_text() == note == site.reader.checkpoint()


def test_an_empty_log_is_signed_too(tmp_path: Path) -> None:
    assert signed(Site(tmp_path)) == Checkpoint(ORIGIN, 0, merkle.EMPTY)


def test_a_checkpoint_is_signed_at_most_once_a_second_and_never_two_behind(site: Site) -> None:
    first = site.reader.checkpoint()
    site.leaves.grow(301)
    site.time += 900
    assert site.reader.checkpoint() == first
    site.time += 200
    assert signed(site).size == 301


def test_nothing_is_signed_again_while_nothing_came(site: Site) -> None:
    first = site.reader.checkpoint()
    site.time += 60_000
    assert site.reader.checkpoint() == first


def test_a_log_grows_across_restarts_and_tile_borders(site: Site) -> None:
    for size in (301, 511, 512, 513, 1024, 70_000):
        site.grow(size)
        site.restart()
        assert signed(site).root == naive_root([row.hash for row in site.leaves.rows])


@pytest.mark.parametrize("size", [250, 255, 256, 299])
def test_a_database_restored_from_a_backup_is_not_signed(site: Site, size: int) -> None:
    before = dict(site.heads.rows)
    site.reader.checkpoint()
    site.restore(size, before)
    with pytest.raises(Stopped, match=f"300 events was signed, and the database holds {size}"):
        site.reader.checkpoint()
    assert site.reader.health()["state"] == "stopped"


@pytest.mark.parametrize("signed_size", [300, 512, 768])
@pytest.mark.parametrize("backup", [10, 255, 256, 257])
def test_a_restored_database_that_grew_past_the_checkpoint_is_not_signed(
    site: Site, signed_size: int, backup: int
) -> None:
    site.leaves.rows = site.leaves.rows[:backup]
    site.reader.checkpoint()
    before = dict(site.heads.rows)
    site.grow(signed_size)
    site.reader.checkpoint()
    site.restore(backup, before)
    site.grow(signed_size + 500, salt="other")
    with pytest.raises(Stopped, match="not those"):
        site.reader.checkpoint()


def test_a_restored_database_that_forgot_all_checkpoints_is_not_signed(site: Site) -> None:
    before = dict(site.heads.rows)
    site.grow(512)
    site.reader.checkpoint()
    site.restore(0, before)
    site.grow(800, salt="other")
    with pytest.raises(Stopped, match="not those"):
        site.reader.checkpoint()


def test_a_backup_of_the_very_moment_of_a_checkpoint_is_found_out(site: Site) -> None:
    site.reader.checkpoint()
    before = dict(site.heads.rows)
    site.grow(301)
    site.reader.checkpoint()
    site.restore(300, before)
    with pytest.raises(Stopped):
        site.reader.checkpoint()


def test_a_database_with_all_its_events_goes_on_although_its_heads_are_old(site: Site) -> None:
    site.reader.checkpoint()
    before = dict(site.heads.rows)
    site.grow(700)
    latest = site.reader.checkpoint()
    site.heads.rows = before
    site.restart()
    assert site.reader.checkpoint() == latest
    assert site.heads.last().note == latest


def test_a_lost_log_folder_is_made_again_from_the_database(site: Site) -> None:
    site.grow(70_000)
    before = site.reader.checkpoint()
    folder = site.data / "log"
    folder.rename(site.data / "gone")
    site.time += 2000
    site.restart()
    assert site.reader.checkpoint() == before
    assert (folder / "1" / "tile" / "0" / "000").exists()
    assert (folder / "1" / "tile" / "1" / "000").exists()


def test_a_changed_event_is_not_signed_over(site: Site) -> None:
    site.reader.checkpoint()
    site.leaves.rows[299] = replace(site.leaves.rows[298], position=299)
    site.grow(301)
    with pytest.raises(Stopped, match="position 299"):
        site.reader.checkpoint()


def test_a_crash_between_tiles_and_checkpoint_is_made_good(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = site.reader.checkpoint()
    site.grow(1000)
    write = durable.write

    def dies_before_the_checkpoint(
        files: list[tuple[Path, bytes]], root: Path, **more: int
    ) -> None:
        if files[0][0].name == "checkpoint":
            raise OSError("the power went")
        write(files, root, **more)

    monkeypatch.setattr(durable, "write", dies_before_the_checkpoint)
    with pytest.raises(OSError, match="power"):
        site.reader.checkpoint()
    assert (site.data / "log" / "1" / "tile" / "0" / "002").exists()
    assert (site.data / "log" / "checkpoint").read_text() == first == site.heads.last().note
    monkeypatch.undo()
    site.restart()
    assert signed(site).root == naive_root([row.hash for row in site.leaves.rows])


def test_tiles_left_by_a_crash_are_replaced_by_those_of_the_events_that_stayed(site: Site) -> None:
    site.reader.checkpoint()
    before = dict(site.heads.rows)
    site.grow(600)
    site.log.tiles(site.heads.last()).extend(1, 2)
    site.restore(300, before)
    site.grow(900, salt="other")
    assert signed(site).root == naive_root([row.hash for row in site.leaves.rows])
    assert site.reader.tile(0, "001") == b"".join(row.hash for row in site.leaves.rows[256:512])


def test_tiles_left_by_a_crash_do_not_hide_that_the_events_are_others(site: Site) -> None:
    before = dict(site.heads.rows)
    site.reader.checkpoint()
    site.grow(600)
    site.log.tiles(site.heads.last()).extend(1, 2)
    site.restore(280, before)
    site.grow(900, salt="other")
    with pytest.raises(Stopped, match="first 300 events"):
        site.reader.checkpoint()


def test_a_crash_between_file_and_database_is_made_good(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.reader.checkpoint()
    site.grow(600)

    def dies(_head: object) -> None:
        raise OSError("the power went")

    monkeypatch.setattr(site.heads, "save", dies)
    with pytest.raises(OSError, match="power"):
        site.reader.checkpoint()
    monkeypatch.undo()
    site.restart()
    note = (site.data / "log" / "checkpoint").read_text()
    assert site.reader.checkpoint() == note == site.heads.last().note


def test_a_checkpoint_file_of_another_site_stops_the_log(site: Site, tmp_path: Path) -> None:
    note = Checkpoint("custody/elm", 1, bytes(32)).signed(site.keys.signers(("custody/elm",)))
    (site.data / "log").mkdir()
    (site.data / "log" / "checkpoint").write_text(note)
    with pytest.raises(Stopped, match="custody/elm"):
        site.reader.checkpoint()


def test_a_damaged_checkpoint_file_stops_the_log(site: Site) -> None:
    note = site.reader.checkpoint()
    (site.data / "log" / "checkpoint").write_text(note.replace("300", "200"))
    site.grow(301)
    with pytest.raises(Stopped, match="put the right one back"):
        site.reader.checkpoint()


def test_a_log_that_goes_on_cannot_be_resumed(site: Site) -> None:
    site.reader.checkpoint()
    with pytest.raises(NotStopped):
        site.log.resume("because")


def test_a_stopped_log_is_resumed_under_a_new_origin_that_names_the_last_checkpoint(
    site: Site,
) -> None:
    before = dict(site.heads.rows)
    last = signed(site)
    site.restore(280, before)
    with pytest.raises(ValueError, match="say why"):
        site.log.resume(" ")
    head = site.log.resume("disk lost, backup of the night restored")
    fresh = signed(site)
    leaves = [row.hash for row in site.leaves.rows]
    assert fresh == Checkpoint(f"{ORIGIN}/2", 280, naive_root(leaves), (last.named(),))
    assert (site.data / "log" / "1" / "checkpoint").read_text().startswith(f"{ORIGIN}\n300\n")
    assert head.reason == "disk lost, backup of the night restored"
    assert site.reader.health()["state"] == "signing"
    site.grow(290)
    site.restart()
    assert signed(site).extensions == (last.named(),)


def test_a_resumed_log_can_be_opened_with_the_first_verifier_too(site: Site) -> None:
    (first,) = site.reader.verifiers()
    before = dict(site.heads.rows)
    site.reader.checkpoint()
    site.restore(280, before)
    site.log.resume("restored")
    listed = site.reader.verifiers()
    assert listed[0].startswith(f"{ORIGIN}/2+")
    assert first in listed
    opened = checkpoints.opened(site.reader.checkpoint(), site.keys.verifiers((ORIGIN,)))
    assert opened.origin == f"{ORIGIN}/2"


def test_a_database_older_than_the_resumption_stops_and_gets_a_third_log(site: Site) -> None:
    before = dict(site.heads.rows)
    site.reader.checkpoint()
    site.restore(280, before)
    site.log.resume("restored")
    site.restore(270, before)
    with pytest.raises(Stopped, match="older than the file"):
        site.reader.checkpoint()
    site.log.resume("restored again")
    assert signed(site).origin == f"{ORIGIN}/3"
    assert signed(site).extensions[0].startswith(f"previous {ORIGIN}/2 280 ")


def test_a_receipt_proves_its_event_and_one_not_covered_is_not_yet(site: Site) -> None:
    row = site.leaves.rows[123]
    receipt = site.reader.receipt(row.event_id)
    assert (receipt.position, receipt.received) == (123, row.received)
    proof, _, note = receipt.text.partition("\n\n")
    header, extra, index, *path = proof.split("\n")
    assert (header, index) == ("c2sp.org/tlog-proof@v1", "index 123")
    assert base64.b64decode(extra.removeprefix("extra ")) == row.text()
    root = merkle.implied_root(row.hash, 123, 300, [base64.b64decode(each) for each in path])
    assert root == checkpoints.opened(note, site.keys.verifiers((ORIGIN,))).root
    site.leaves.grow(301)
    with pytest.raises(NotYet):
        site.reader.receipt(site.leaves.rows[300].event_id)
    with pytest.raises(UnknownEvent):
        site.reader.receipt("0" * 64)


def test_only_what_the_last_checkpoint_covers_is_served(site: Site) -> None:
    site.reader.checkpoint()
    site.leaves.grow(600)
    assert len(site.reader.tile(0, "000")) == 8192
    assert len(site.reader.tile(0, "001.p/44")) == 44 * 32
    assert len(site.reader.tile(1, "000.p/1")) == 32
    for level, path in ((0, "001.p/45"), (0, "001"), (1, "000.p/2"), (2, "000.p/1"), (63, "000")):
        with pytest.raises(NoSuchTile):
            site.reader.tile(level, path)
    with pytest.raises(NoSuchTile):
        site.reader.bundle("001.p/45")
    assert site.reader.bundle("001.p/44")


def test_a_checkpoint_that_a_device_saw_is_accepted_while_the_log_continues_it(site: Site) -> None:
    note = site.reader.checkpoint()
    site.grow(900)
    site.reader.checkpoint()
    assert site.reader.witness(header(note)).size == 300


def test_a_checkpoint_ahead_of_the_log_says_that_it_was_rewritten_and_stops_it(site: Site) -> None:
    before = dict(site.heads.rows)
    (site.data / "log").mkdir()
    site.reader.checkpoint()
    seen = site.reader.checkpoint()
    (site.data / "log" / "checkpoint").unlink()  # the whole data folder came from the backup
    site.restore(200, before)
    site.reader.checkpoint()
    with pytest.raises(Rewritten, match="300 events was signed, and only 200") as caught:
        site.reader.witness(header(seen))
    assert caught.value.witnessed == seen
    site.grow(201)
    with pytest.raises(Stopped):
        site.reader.checkpoint()
    site.log.resume("the backup of the night was restored")
    assert signed(site).extensions[0].startswith(f"previous {ORIGIN} 300 ")
    assert site.reader.witness(header(seen)).size == 300, "of a log that ended"


def resumed(site: Site) -> tuple[str, str]:
    """Sign 300 and 600 events, lose all above 300, and resume the log. Returns the notes."""
    early = site.reader.checkpoint()
    before = dict(site.heads.rows)
    site.grow(600)
    late = site.reader.checkpoint()
    site.restore(300, before)
    site.log.resume("the backup of the night was restored")
    return early, late


def other(site: Site, size: int) -> str:
    """A genuine checkpoint of the first log, of other events than it had."""
    return Checkpoint(ORIGIN, size, bytes(32)).signed(site.keys.signers((ORIGIN,)))


def test_of_a_log_that_ended_no_later_checkpoint_than_its_last_known_one_is_taken(
    site: Site,
) -> None:
    early, late = resumed(site)
    assert [site.reader.witness(header(note)).size for note in (early, late)] == [300, 600]
    for size, why in (
        (601, "601 events, and the log that took over names one of 600"),
        (600, "600"),
    ):
        for is_new in (size == 601, False):
            with pytest.raises(Rewritten, match=why) as caught:
                site.reader.witness(header(other(site, size)))
            assert caught.value.is_new is is_new
    site.grow(301, salt="other")
    assert signed(site).size == 301, "the present log goes on"


def test_of_a_log_that_ended_what_its_tiles_prove_is_held_against_a_checkpoint(site: Site) -> None:
    site.grow(600)
    site.reader.checkpoint()
    (site.data / "log" / "checkpoint").unlink()
    wrong = other(site, 601)
    with pytest.raises(Rewritten):
        site.reader.witness(header(wrong))
    site.log.resume("a device saw another log")
    (site.data / "log" / "1" / "checkpoint").write_text(other(site, 600))
    assert site.reader.witness(header(other(site, 500))).size == 500, "nobody can tell any more"
    last = Checkpoint(ORIGIN, 600, naive_root([row.hash for row in site.leaves.rows]))
    kept = last.signed(site.keys.signers((ORIGIN,)))
    (site.data / "log" / "1" / "checkpoint").write_text(kept)
    with pytest.raises(Rewritten, match=f"first 500 events of {ORIGIN} are not those"):
        site.reader.witness(header(other(site, 500)))


def test_a_checkpoint_of_other_events_says_that_the_log_was_rewritten(site: Site) -> None:
    site.reader.checkpoint()
    other = Checkpoint(ORIGIN, 299, bytes(32)).signed(site.keys.signers((ORIGIN,)))
    with pytest.raises(Rewritten, match="first 299 events"):
        site.reader.witness(header(other))


def test_a_checkpoint_that_the_log_did_not_sign_proves_nothing(site: Site, tmp_path: Path) -> None:
    site.reader.checkpoint()
    stranger = Site(tmp_path / "elsewhere", 900)
    with pytest.raises(BadNote, match="no key known"):
        site.reader.witness(header(stranger.reader.checkpoint()))
    for nonsense in ("", "***", "AAAA", header("no note")):
        with pytest.raises(BadNote):
            site.reader.witness(nonsense)
    assert site.reader.health()["state"] == "signing"


def test_a_new_key_signs_beside_the_old_one_until_that_is_retired(site: Site) -> None:
    site.reader.checkpoint()
    old = site.keys.verifiers((ORIGIN,))
    site.keys.rotate()
    site.time += 2000
    note = site.reader.checkpoint()
    new = site.keys.verifiers((ORIGIN,))[1:]
    assert checkpoints.opened(note, old) == checkpoints.opened(note, new)
    site.keys.retire()
    site.time += 2000
    note = site.reader.checkpoint()
    with pytest.raises(BadNote):
        checkpoints.opened(note, old)
    assert checkpoints.opened(note, new).size == 300


def test_a_second_process_signs_on_where_the_first_stopped(site: Site) -> None:
    site.reader.checkpoint()
    other = Site.__new__(Site)
    other.__dict__.update(site.__dict__)
    other.restart()
    site.grow(520)
    other.time = site.time
    note = other.reader.checkpoint()
    site.time += 1
    assert site.reader.checkpoint() == note
    assert site.reader.receipt(site.leaves.rows[519].event_id).position == 519


def test_no_reader_waits_while_another_signs(site: Site) -> None:
    note = site.reader.checkpoint()
    site.grow(400)
    with site.log._alone():
        assert site.reader.checkpoint() == note
        with pytest.raises(Busy):
            site.log.sign(wait=False)
    assert signed(site).size == 400


def all_wait(site: Site) -> list[Future[str]]:
    """Ask for the checkpoint twice while another signs; nobody is told until it has."""
    with ThreadPoolExecutor() as pool:
        with site.log._alone():
            asked = [pool.submit(site.reader.checkpoint) for _ in range(2)]
            told, _ = wait(asked, timeout=0.2)
            assert not told
        return asked


@pytest.mark.parametrize("passed", [-2000, 0, 60_000])
def test_who_asks_first_waits_rather_than_be_told_what_an_older_database_has(
    site: Site, passed: int
) -> None:
    site.reader.checkpoint()
    before = dict(site.heads.rows)
    site.grow(400)
    site.reader.checkpoint()
    site.restore(300, before)
    site.time += passed
    for each in all_wait(site):
        with pytest.raises(Stopped, match="400 events was signed, and the database holds 300"):
            each.result()


def test_who_asks_a_log_that_a_device_contradicted_waits_too(site: Site) -> None:
    genuine = site.reader.checkpoint()
    before = dict(site.heads.rows)
    site.grow(400)
    ahead = site.reader.checkpoint()
    (site.data / "log" / "checkpoint").write_text(genuine)
    site.restore(300, before)
    site.reader.checkpoint()
    with pytest.raises(Rewritten):
        site.reader.witness(header(ahead))
    for each in all_wait(site):
        with pytest.raises(Stopped):
            each.result()


def test_only_the_keys_that_sign_are_announced_and_all_are_kept(site: Site) -> None:
    (old,) = site.reader.verifiers()
    site.keys.rotate()
    assert len(site.reader.verifiers()) == 2
    site.keys.retire()
    assert old not in site.reader.verifiers()
    assert old in site.reader.all_verifiers()


def test_a_full_disk_leaves_no_half_file_and_the_log_goes_on_later(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.reader.checkpoint()
    site.grow(600)

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(durable.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        site.reader.checkpoint()
    assert site.reader.health()["state"] == "stopped"
    assert "No space" in site.reader.health()["reason"]
    monkeypatch.undo()
    assert list(site.data.rglob(".*")) == []
    assert signed(site).size == 600


def test_a_contradiction_that_the_right_database_resolves_is_forgotten(site: Site) -> None:
    before = dict(site.heads.rows)
    note = site.reader.checkpoint()
    rows, after = list(site.leaves.rows), dict(site.heads.rows)
    (site.data / "log" / "checkpoint").unlink()
    site.restore(200, before)
    site.reader.checkpoint()
    with pytest.raises(Rewritten):
        site.reader.witness(header(note))
    (site.data / "log" / "checkpoint").unlink()
    witnessed = site.heads.last().witnessed
    site.leaves.rows, site.heads.rows = rows, {1: replace(after[1], witnessed=witnessed)}
    site.restart()
    assert site.reader.checkpoint() == note
    assert site.heads.last().witnessed is None
