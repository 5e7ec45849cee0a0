"""`custody backup` and `custody restore`: a copy taken while serving, and what a restore keeps."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result

from custody.app import create_app
from custody.cli import main
from custody.config import Config, load
from custody.ledger import devices
from custody.ledger.core import open_ledger
from custody.ledger.log.checkpoints import Checkpoint
from custody.ledger.log.errors import Stopped
from tests.conftest import file_of
from tests.ledger.test_verify import tamper
from tests.support import cast, postgres
from tests.support.device import Device, FlaskHttp, SocketHttp
from tests.support.server import Server


@pytest.fixture
def data(founded_sqlite: Config, tmp_path: Path) -> Path:
    """A data folder with its SQLite database in it, of which nothing has happened yet."""
    folder = tmp_path / "data"
    shutil.copytree(founded_sqlite.data, folder)
    shutil.copy(file_of(founded_sqlite), folder / "custody.db")
    return folder


@pytest.fixture
def server(data: Path) -> Iterator[Server]:
    running = Server("serve", data).start()
    yield running
    running.stop()


@pytest.fixture
def copy(data: Path, tmp_path: Path) -> Path:
    """A backup of a ledger that has signed a checkpoint and has a picture."""
    picture = data / "blobs" / "ab" / ("ab" * 32)
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"a picture")
    ledger = open_ledger(load(data))
    ledger.log.checkpoint()
    ledger.close()
    folder = tmp_path / "copy"
    assert run("backup", folder, data).exit_code == 0
    return folder


def run(command: str, folder: Path, data: Path, *more: str) -> Result:
    return CliRunner().invoke(main, [command, str(folder), "--data", str(data), *more])


def ask(command: str, data: Path, *more: str) -> Result:
    return CliRunner().invoke(main, [*command.split(), "--data", str(data), *more])


def enrolled(server: Server) -> Device:
    address = urlsplit(server.url)
    device = Device(SocketHttp(str(address.hostname), int(address.port or 0)))
    ledger = open_ledger(load(server.data))
    assert device.enrol(devices.new_code(ledger)).status == 201
    ledger.close()
    return device


def receive(device: Device, *numbers: int) -> None:
    for number in numbers:
        device.record("receive", **cast.receive(f"D5-{number:03}"))
        answer = device.push()
        assert answer.status == 200, answer.body


def log_of(server: Server) -> dict[str, object]:
    with urllib.request.urlopen(f"{server.url}/health") as answer:
        return dict(json.load(answer)["log"])


def wait_signed(server: Server, size: int) -> None:
    deadline = time.monotonic() + 120
    while log_of(server)["size"] != size:
        assert time.monotonic() < deadline, log_of(server)
        time.sleep(0.1)


def test_a_backup_taken_during_pushes_holds_and_makes_the_same_projections(
    server: Server, data: Path, tmp_path: Path
) -> None:
    device, enough, stop = enrolled(server), threading.Event(), threading.Event()

    def push() -> None:
        for number in range(1, 900):
            receive(device, number)
            if number == 5:
                enough.set()
            if stop.is_set():
                return

    with ThreadPoolExecutor(1) as pool:
        pushing = pool.submit(push)
        assert enough.wait(60)
        acked = device.acked
        taken = run("backup", tmp_path / "copy", data)
        stop.set()
        pushing.result(60)
    assert taken.exit_code == 0, taken.output
    manifest = json.loads((tmp_path / "copy" / "manifest.json").read_bytes())
    assert manifest["events"] > acked >= 5
    assert device.acked > acked, "the server took nothing while the backup was taken"

    assert run("restore", tmp_path / "copy", tmp_path / "new").exit_code == 0
    verified = ask("verify", tmp_path / "new")
    assert verified.exit_code == 0, verified.output
    assert f"{manifest['events']} events of" in verified.stdout
    assert ask("rebuild", tmp_path / "new").stdout == taken.stdout
    assert manifest["projections"] == taken.stdout.strip()


def test_a_backup_is_for_its_owner_alone_and_has_everything(copy: Path, data: Path) -> None:
    assert copy.stat().st_mode & 0o777 == 0o700
    named = {part["path"] for part in json.loads((copy / "manifest.json").read_bytes())["files"]}
    found = {p.relative_to(copy).as_posix() for p in copy.rglob("*") if p.is_file()}
    assert found == named | {"manifest.json"}
    picture = f"blobs/ab/{'ab' * 32}"
    assert {"custody.db", "keys/desk.pem", "keys/log.pem", "log/checkpoint", picture} <= named
    assert {path.stat().st_mode & 0o077 for path in copy.rglob("*") if path.is_file()} == {0}
    assert (copy / "log/checkpoint").read_bytes() == (data / "log/checkpoint").read_bytes()


def test_a_folder_with_something_in_it_is_left_alone(data: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").write_text("mine")
    refused = run("backup", tmp_path / "taken", data)
    assert (refused.exit_code, "not empty" in refused.stderr) == (1, True), refused.output
    assert [path.name for path in (tmp_path / "taken").iterdir()] == ["file"]


def test_a_ledger_that_does_not_hold_leaves_no_copy(data: Path, tmp_path: Path) -> None:
    ledger = open_ledger(load(data))
    tamper(ledger, "UPDATE record SET value = '{}' WHERE of = 'person' AND id = 'fay'")
    ledger.close()
    refused = run("backup", tmp_path / "copies" / "one", data)
    assert (refused.exit_code, "projections: " in refused.stderr) == (1, True), refused.output
    assert list((tmp_path / "copies").iterdir()) == []


def test_what_a_killed_backup_left_is_swept_and_one_that_runs_is_left_alone(
    data: Path, tmp_path: Path
) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    left = tmp_path / f".copy.{dead.pid}.part"
    running = tmp_path / f".copy.{os.getppid()}.part"
    for draft in (left, running):
        (draft / "keys").mkdir(parents=True)
    taken = run("backup", tmp_path / "copy", data)
    assert taken.exit_code == 0, taken.output
    assert not left.exists()
    assert running.exists()


def test_without_a_ledger_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    refused = run("backup", tmp_path / "copy", tmp_path / "none")
    assert (refused.exit_code, "no ledger" in refused.stderr) == (1, True)
    assert not (tmp_path / "copy").exists()


def test_a_ledger_in_postgresql_is_backed_up_and_comes_back(
    founded_postgres: Config, postgres_server: str, tmp_path: Path
) -> None:
    where = ("--database", founded_postgres.database_url)
    taken = run("backup", tmp_path / "copy", founded_postgres.data, *where)
    assert taken.exit_code == 0, taken.output
    refused = run("restore", tmp_path / "copy", tmp_path / "new", *where)
    assert (refused.exit_code, "custody move" in refused.stderr) == (1, True), refused.output
    assert run("restore", tmp_path / "copy", tmp_path / "new").exit_code == 0
    moved = ask("move", tmp_path / "new", "--to", postgres.new_database(postgres_server))
    assert (moved.exit_code, moved.stdout) == (0, taken.stdout), "the digest is the same"


@pytest.mark.parametrize("name", ["custody.db", "keys/desk.pem", "log/checkpoint"])
def test_a_damaged_copy_is_refused_and_the_file_named(
    copy: Path, tmp_path: Path, name: str
) -> None:
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    refused = run("restore", copy, tmp_path / "new")
    assert refused.exit_code == 1
    assert f"{name} has other content" in refused.stderr
    assert not (tmp_path / "new").exists()


def test_a_copy_that_lacks_a_file_or_its_manifest_is_refused(copy: Path, tmp_path: Path) -> None:
    (copy / "keys" / "log.pem").unlink()
    assert "keys/log.pem is missing" in run("restore", copy, tmp_path / "new").stderr
    (copy / "manifest.json").write_text("{")
    assert "cannot be read" in run("restore", copy, tmp_path / "new").stderr
    (copy / "manifest.json").unlink()
    assert "is no backup" in run("restore", copy, tmp_path / "new").stderr
    assert not (tmp_path / "new").exists()


def test_a_manifest_that_names_files_elsewhere_is_refused(copy: Path, tmp_path: Path) -> None:
    told = json.loads((copy / "manifest.json").read_bytes())
    told["files"].append({"path": "../outside", "size": 0, "sha256": ""})
    (copy / "manifest.json").write_text(json.dumps(told))
    assert "outside of the backup" in run("restore", copy, tmp_path / "new").stderr


def test_a_ledger_of_other_keys_is_never_mixed_with_the_backup(copy: Path, data: Path) -> None:
    (data / "keys" / "desk.pem").write_text("another")
    refused = run("restore", copy, data, "--over")
    assert (refused.exit_code, "another ledger's" in refused.stderr) == (1, True)


def test_a_checkpoint_that_cannot_be_read_is_not_replaced(copy: Path, data: Path) -> None:
    (data / "log" / "checkpoint").write_text("garbled")
    before = open_size(data)
    refused = run("restore", copy, data, "--over")
    assert (refused.exit_code, "may be newer" in refused.stderr) == (1, True), refused.output
    assert (data / "log" / "checkpoint").read_text() == "garbled"
    assert open_size(data) == before
    assert not list(data.glob("*before-restore*"))


def test_a_retired_key_stays_retired(copy: Path, data: Path) -> None:
    assert ask("log rotate", data).exit_code == 0
    assert ask("log retire", data).exit_code == 0
    assert run("restore", copy, data, "--over").exit_code == 0
    assert not (data / "keys" / "log.pem").exists()
    verified = ask("verify", data)
    assert verified.exit_code == 0, verified.output


def test_a_lost_database_is_restored_beside_what_is_left(copy: Path, data: Path) -> None:
    (data / "custody.db").unlink()
    assert run("restore", copy, data).exit_code == 0
    assert ask("verify", data).exit_code == 0


def test_a_database_that_cannot_be_read_is_replaced_and_kept_aside(copy: Path, data: Path) -> None:
    (data / "custody.db").write_bytes(b"no database" * 1000)
    assert run("restore", copy, data, "--over").exit_code == 0
    (aside,) = data.glob("custody.db.before-restore-*")
    assert aside.read_bytes() == b"no database" * 1000
    assert ask("verify", data).exit_code == 0


def test_a_restore_keeps_the_newer_checkpoint_and_devices_bring_what_was_lost(
    server: Server, data: Path, tmp_path: Path
) -> None:
    device = enrolled(server)
    receive(device, 1, 2)
    assert run("backup", tmp_path / "copy", data).exit_code == 0
    receive(device, 3, 4)
    wait_signed(server, size := open_size(data))
    signed = (data / "log" / "checkpoint").read_bytes()

    assert "in use" in run("restore", tmp_path / "copy", data, "--over").stderr
    server.stop()
    assert "say --over" in run("restore", tmp_path / "copy", data).stderr
    assert open_size(data) == size
    done = run("restore", tmp_path / "copy", data, "--over")
    assert done.exit_code == 0, done.output
    assert f"over {size} events, is later than the backup's events and stays" in done.stderr
    assert (data / "log" / "checkpoint").read_bytes() == signed
    assert open_size(data) == size - 2

    server.start()
    assert log_of(server)["state"] == "stopped"
    device.record("receive", **cast.receive("D5-005"))
    gap = device.push()
    assert (gap.status, gap.json["type"], gap.json["expected"]) == (409, "gap", 3), gap.body
    again = device.push(device.batch(3))
    assert (again.status, device.acked) == (200, 5), again.body
    assert log_of(server)["state"] == "stopped"  # the times of receipt are others now
    assert (data / "log" / "checkpoint").read_bytes() == signed

    resumed = ask("log resume", data, "--reason", "the disk of the server failed")
    assert resumed.exit_code == 0, resumed.output
    assert f"previous custody/oak {size} " in resumed.stdout
    assert log_of(server)["state"] == "signing"
    verified = ask("verify", data)
    assert verified.exit_code == 0, verified.output


def test_a_stopped_log_is_backed_up_and_stays_stopped(data: Path, tmp_path: Path) -> None:
    ledger = open_ledger(load(data))
    ledger.log.checkpoint()
    later = Checkpoint("custody/oak", 99, bytes(32))
    note = later.signed(ledger.log.log.keys.signers(("custody/oak",)))
    ledger.close()
    (data / "log" / "checkpoint").write_text(note)
    taken = run("backup", tmp_path / "copy", data)
    assert taken.exit_code == 0, taken.output
    restored = run("restore", tmp_path / "copy", tmp_path / "new")
    assert "over 99 events, is later" in restored.stderr
    assert (tmp_path / "new" / "log" / "checkpoint").read_text() == note
    ledger = open_ledger(load(tmp_path / "new"))
    with pytest.raises(Stopped, match="99 events was signed"):
        ledger.log.log.sign()
    ledger.close()


def test_tiles_are_copied_and_only_added_to(data: Path, tmp_path: Path) -> None:
    config = load(data)
    ledger = open_ledger(config)
    device = Device(FlaskHttp(create_app(config, ledger)))
    assert device.enrol(devices.new_code(ledger)).status == 201
    for number in range(300):
        device.record("receive", **cast.receive(f"D5-{number:03}"))
    assert device.push().status == 200
    ledger.log.checkpoint()
    ledger.close()
    assert run("backup", tmp_path / "copy", data).exit_code == 0
    hashes, bundle = (data / "log/1/tile" / name for name in ("0/000", "entries/000"))
    content = bundle.read_bytes()
    bundle.unlink()
    hashes.write_bytes(marked := bytes(256 * 32))
    assert run("restore", tmp_path / "copy", data, "--over").exit_code == 0
    assert bundle.read_bytes() == content
    assert hashes.read_bytes() == marked
    assert run("restore", tmp_path / "copy", tmp_path / "new").exit_code == 0
    assert (tmp_path / "new/log/1/tile/entries/000").read_bytes() == content
    assert ask("verify", tmp_path / "new").exit_code == 0


def test_a_database_elsewhere_is_backed_up_and_restored(data: Path, tmp_path: Path) -> None:
    (data / "custody.db").rename(tmp_path / "elsewhere.db")
    where = ("--database", f"sqlite:///{tmp_path / 'elsewhere.db'}")
    assert run("backup", tmp_path / "copy", data, *where).exit_code == 0
    where = ("--database", f"sqlite:///{tmp_path / 'made' / 'other.db'}")
    assert run("restore", tmp_path / "copy", tmp_path / "new", *where).exit_code == 0
    assert not (tmp_path / "new" / "custody.db").exists()
    assert ask("verify", tmp_path / "new", *where).exit_code == 0


def open_size(data: Path) -> int:
    ledger = open_ledger(load(data))
    try:
        return ledger.size()
    finally:
        ledger.close()
