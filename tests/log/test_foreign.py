"""A real server's log, verified by Go's checksum-database packages, strangers to Custody."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import time
import urllib.parse
from collections.abc import Iterator
from pathlib import Path

import pytest

from custody.verify import notes, receipts
from tests.support.device import Answer, Device, SocketHttp
from tests.support.server import Server, custody

SOURCE = Path(__file__).with_name("verify.go")
SCENARIO = Path(__file__).parents[1] / "scenarios" / "md-dice-alternative-1.jsonl"

PATIENCE_S = 60  # with a busy machine


@pytest.fixture(scope="session")
def go(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Go program, built. `make test` installs Go with tools/go."""
    found = shutil.which("go")
    assert found, "Go is not installed: tools/go installs it from Debian"
    folder = tmp_path_factory.mktemp("go")
    env = {
        "PATH": "/usr/bin:/bin", "HOME": str(folder), "GO111MODULE": "off",
        "GOPATH": "/usr/share/gocode", "GOCACHE": str(folder / "cache"),
    }  # fmt: skip
    program = folder / "verify"
    subprocess.run([found, "build", "-o", program, SOURCE], env=env, check=True)
    return program


@pytest.fixture
def data(tmp_path: Path) -> Path:
    setting = json.loads(SCENARIO.read_text(encoding="utf-8").split("\n", 1)[0])
    file = tmp_path / "setting.json"
    file.write_text(json.dumps({**setting, "site": "oak"}))
    folder = tmp_path / "data"
    custody("init", "--setting", str(file), data=folder)
    return folder


@pytest.fixture
def server(data: Path) -> Iterator[Server]:
    running = Server("serve", data)
    running.url = f"http://127.0.0.1:{_free_port()}"  # chosen here, so that a restart may have it
    yield running.start()
    running.stop()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def ask(server: Server, path: str, **headers: str) -> Answer:
    address = urllib.parse.urlsplit(server.url)
    assert address.hostname
    assert address.port
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return SocketHttp(address.hostname, address.port).request("GET", path, named, None)


class Handheld(Device):
    """A device that takes notes; `ids` are those of its events, `server_key` its enrolment's."""

    def __init__(self, server: Server) -> None:
        address = urllib.parse.urlsplit(server.url)
        super().__init__(SocketHttp(str(address.hostname), address.port or 0))
        code = custody("device-code", data=server.data).split("\n", 1)[0]
        self.server_key: str = self.enrol(code).json["server_key"]
        self.ids: list[str] = []

    def note(self, count: int, **headers: str) -> Answer:
        """Write `count` events and push them."""
        self.ids += [self.record("look", where="vault") for _ in range(count)]
        return self.push(**headers)

    def receipt(self, event_id: str) -> Answer:
        return self.call("GET", f"/sync/v1/receipts/{event_id}")


def checkpoint_of(server: Server, size: int) -> str:
    """Wait until a checkpoint covers `size` events, which are stored.

    One may have been under way as they came, beside the last: the next one covers them, however
    long a busy machine takes to sign it. What protocol.md gives it is asked of a clock that stands
    still, in tests/ledger/test_log_signing.py.
    """
    deadline, earlier = time.monotonic() + PATIENCE_S, set[str]()
    while time.monotonic() < deadline:
        note = ask(server, "/log/checkpoint").body.decode()
        if int(note.split("\n")[1]) >= size:
            return note
        earlier.add(note)
        assert len(earlier) <= 2, f"signed without what was stored before: {earlier}"
        time.sleep(0.05)
    pytest.fail(f"no checkpoint over {size} events: {note}")


def verify(go: Path, server: Server, *files: str | Path) -> str:
    (verifier, *_) = ask(server, "/log/verifier").body.decode().split()
    done = subprocess.run([go, server.url, verifier, *files], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def proven(answer: Answer, server_key: str) -> receipts.Proven:
    assert answer.status == 200, answer
    return receipts.check(answer.body.decode(), [notes.key(server_key)])


def test_go_verifies_the_log_its_past_and_its_receipts(
    go: Path, server: Server, tmp_path: Path
) -> None:
    device = Handheld(server)
    assert device.server_key in ask(server, "/log/verifier").body.decode()
    assert device.note(300).json["acked"] == 300
    size = ask(server, "/health").json["size"]
    old = tmp_path / "old"
    old.write_text(checkpoint_of(server, size))
    for _ in range(3):
        device.note(300)
    checkpoint_of(server, size + 900)
    files: list[str | Path] = ["-old", old]
    for number in (0, 255, 700, 1199):
        answer = device.receipt(device.ids[number])
        assert proven(answer, device.server_key).event_id == device.ids[number]
        path = tmp_path / f"{number}.tlog-proof"
        path.write_bytes(answer.body)
        files += ["-receipt", path]
    told = verify(go, server, *files)
    assert told.startswith(f"{size + 900} entries, ")
    assert told.endswith("and 5 files hold\n")
    server.stop()
    assert "all holds" in custody("verify", "--checkpoint", str(old), data=server.data)
    server.start()


def test_go_finds_a_note_that_was_touched(go: Path, server: Server, tmp_path: Path) -> None:
    note = checkpoint_of(server, 1)
    verifier = ask(server, "/log/verifier").body.decode().split()[0]
    touched = tmp_path / "touched"
    touched.write_text(note.replace("custody/oak\n1\n", "custody/oak\n2\n"))
    done = subprocess.run(
        [go, server.url, verifier, "-old", touched], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "invalid signature" in done.stderr


def test_a_receipt_is_not_yet_there_until_a_checkpoint_covers_the_event(server: Server) -> None:
    device = Handheld(server)
    device.note(1)
    waited = []
    while (answer := device.receipt(device.ids[0])).status != 200:
        assert (answer.status, answer.json["type"]) == (404, "not-yet")
        assert answer.headers["content-type"] == "application/problem+json"
        waited.append(int(answer.headers["retry-after"]))
        assert waited[-1] == 1
        assert sum(waited) < PATIENCE_S
        time.sleep(waited[-1])
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    unknown = device.receipt("0" * 64)
    assert (unknown.status, unknown.json["type"]) == (404, "unknown-event")
    nobody = ask(server, f"/sync/v1/receipts/{device.ids[0]}")
    assert nobody.status == 401


def test_tiles_are_served_as_the_specification_says(server: Server) -> None:
    Handheld(server).note(300)
    size = int(checkpoint_of(server, 300).split("\n")[1])
    whole = ask(server, "/log/tile/0/000")
    assert (whole.status, len(whole.body)) == (200, 8192)
    assert whole.headers["content-type"] == "application/octet-stream"
    again = ask(server, "/log/tile/0/000", If_None_Match=whole.headers["etag"])
    assert (again.status, again.body) == (304, b"")
    part = ask(server, f"/log/tile/0/001.p/{size - 256}")
    assert len(part.body) == (size - 256) * 32
    packed = ask(server, "/log/tile/entries/000", Accept_Encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    note = ask(server, "/log/checkpoint")
    assert note.headers["content-type"] == "text/plain; charset=utf-8"
    assert note.headers["cache-control"] == "no-cache"
    for path in ("0/001", f"0/001.p/{size - 255}", "00/000", "0/0", "64/000", "entries/9"):
        wrong = ask(server, f"/log/tile/{path}")
        assert wrong.status == 404, path
        assert wrong.headers["cache-control"] == "no-store"


def test_a_restored_backup_stops_the_log_until_it_is_resumed(
    go: Path, server: Server, tmp_path: Path
) -> None:
    device = Handheld(server)
    device.note(20)
    size = ask(server, "/health").json["size"]
    checkpoint_of(server, size)
    server.stop()
    copy = tmp_path / "copy.db"
    shutil.copy(server.data / "custody.db", copy)
    server.start()
    device.note(10)
    seen = checkpoint_of(server, size + 10)
    first_verifier = ask(server, "/log/verifier").body.decode().split()[0]
    server.stop()
    for stale in server.data.glob("custody.db*"):
        stale.unlink()
    shutil.copy(copy, server.data / "custody.db")
    server.start()
    stopped = ask(server, "/log/checkpoint")
    assert (stopped.status, stopped.json["type"]) == (503, "log-stopped")
    health = ask(server, "/health").json["log"]
    assert health["state"] == "stopped"
    assert f"{size + 10} events was signed" in health["reason"]
    custody("log", "status", data=server.data, status=1)
    body = device.batch(first=1)
    header = base64.urlsafe_b64encode(seen.encode()).rstrip(b"=").decode()
    refused = device.push(body, Custody_Checkpoint=header)
    assert (refused.status, refused.json["type"]) == (409, "log-rewritten")
    assert device.push(body).json["acked"] == 30, "without the header nothing is lost"
    told = custody("log", "resume", "--reason", "the backup was restored", data=server.data)
    assert "custody/oak/2" in told
    note = ask(server, "/log/checkpoint").body.decode()
    assert note.split("\n")[0] == "custody/oak/2"
    assert note.split("\n")[3].startswith(f"previous custody/oak {size + 10} ")
    assert notes.checkpoint(note, [notes.key(first_verifier)]).origin == "custody/oak/2"
    assert verify(go, server).endswith("0 files hold\n")
    assert device.note(1, Custody_Checkpoint=header).status == 200
    server.stop()
    assert "all holds" in custody("verify", data=server.data)
    server.start()


def test_a_server_killed_at_any_moment_goes_on_with_its_log(go: Path, server: Server) -> None:
    device = Handheld(server)
    for number in range(4):
        device.note(300)
        time.sleep(0.35 * number)
        server.kill()
        server.start()
        assert device.push(device.batch(first=1 + 300 * number)).json["acked"] == len(device.log)
    size = ask(server, "/health").json["size"]
    checkpoint_of(server, size)
    assert verify(go, server).startswith(f"{size} entries")
