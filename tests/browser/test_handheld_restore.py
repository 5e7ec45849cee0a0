"""A server that was restored from a copy: what it lost comes back from the handheld."""

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import jwt
from playwright.sync_api import Route, expect

from custody.demo.casino import config
from custody.ledger import blobs, devices
from custody.ledger.core import open_ledger
from tests.browser.conftest import HandOut, OpenDevice
from tests.browser.handheld import Handheld, held, stored
from tests.browser.kits import ENROLLED
from tests.support.casino import Casino
from tests.support.device import NDJSON, SocketHttp, body_of, line_of, now_ms, token_of
from tests.support.server import custody

ALLOWED = r"status of (400|401|403|404|409|410|503)|ERR_CONNECTION_REFUSED"
PUSH = "**/sync/v1/events"
FAY = "p02"
# Keys that can be read out, so that a test can be the clone that has the same.
READABLE = """
const make = crypto.subtle.generateKey.bind(crypto.subtle);
crypto.subtle.generateKey = async (how, _kept, uses) =>
  (globalThis.pair = await make(how, true, uses));
"""
PICTURE = """async () => {
  const canvas = Object.assign(document.createElement("canvas"), {width: 8, height: 8});
  canvas.getContext("2d").fillRect(0, 0, 4, 4);
  const {take, queue} = await import("/static/handheld/photos.js");
  const {transact} = await import("/static/handheld/store.js");
  const sha = await take(await new Promise((done) => canvas.toBlob(done, "image/jpeg")));
  await transact("photos", "readwrite", (tx) => queue(tx, [sha]));
  return sha;
}"""
EXPORT = 'crypto.subtle.exportKey("jwk", pair.privateKey)'

# Events of the device's own, a few to a ceremony, as its screens record them.
RECORD = """async ([count, person]) => {
  const {append} = await import("/static/handheld/chain.js");
  const draft = {step: "notify", items: [], with: {whom: "surveillance"}};
  const by = [{person, how: "badge+pin", at: Date.now(), mono: 1}];
  for (let left = count; left > 0; left -= 50) {
    const some = Array.from({length: Math.min(50, left)}, () => draft);
    await append(some, some.map(() => by));
  }
}"""


def record(handheld: Handheld, count: int) -> None:
    handheld.page.evaluate(RECORD, [count, FAY])
    handheld.run("sync.js", "kick")
    handheld.drained()


def restored(handheld: Handheld, copy: Path) -> None:
    """Put the server back to what it was when it was copied; it is out of reach meanwhile."""
    casino = handheld.casino
    casino.stop()
    handheld.run("sync.js", "kick")
    expect(handheld.page.locator("#status")).to_contain_text("Offline")
    custody("restore", str(copy), "--over", data=casino.data)
    casino.start()


@contextmanager
def answering(handheld: Handheld, answer: Callable[[int], tuple[int, object]]) -> Iterator[None]:
    """What is pushed meanwhile is taken by a server that is put back to a copy at the end of it;
    `answer` says what it answered to a push up to an event.
    """

    def take(route: Route) -> None:
        body = route.request.post_data_buffer or b""
        plain = gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
        status, told = answer(json.loads(plain.splitlines()[0])["last"])
        kind = "application/json" if status == 200 else "application/problem+json"
        route.fulfill(status=status, body=json.dumps(told), content_type=kind)

    handheld.device.context.route(PUSH, take)
    yield
    handheld.device.context.unroute(PUSH)


def taken(last: int) -> tuple[int, object]:
    return 200, {"acked": last, "size": 1, "exceptions": []}


def set_apart(_last: int) -> tuple[int, object]:
    return 409, {"type": "fork", "seq": 1}


def next_run(handheld: Handheld) -> None:
    assert handheld.run("enrol.js", "enrol", handheld.casino.code(), "Pit 1 tablet") == ""


def clone_pushes(handheld: Handheld, count: int) -> None:
    """Another device with the same key goes on from what the server holds, another way."""
    key = jwt.PyJWK(handheld.page.evaluate(EXPORT), "ES256").key
    common, device = handheld.outbox()[0], handheld.id()
    prev, lines = common["id"], []
    for seq in range(2, 2 + count):
        lines.append(line_of({**common["event"], "seq": seq, "prev": prev, "note": "the clone"}))
        prev = sha256(lines[-1]).hexdigest()
    at = urlsplit(handheld.casino.url)
    headers = {"Authorization": f"Bearer {token_of(key, device, now_ms())}", "Content-Type": NDJSON}
    body = body_of(key, device, 1, 2, lines)
    http = SocketHttp(str(at.hostname), int(at.port or 0))
    assert http.request("POST", "/sync/v1/events", headers, body).status == 200


def told(handheld: Handheld) -> list[str]:
    """Return what the device's diary says, the oldest first."""
    return [str(one["what"]) for one in handheld.run("diary.js", "entries", 100)][::-1]


def enrol_anew(handheld: Handheld) -> None:
    handheld.go("/h/outbox")
    handheld.page.get_by_role("link", name="Enrol anew").click()
    handheld.page.get_by_label("Enrolment code").fill(handheld.casino.code())
    handheld.page.get_by_role("button", name="Enrol").click()
    handheld.heading("Home")
    handheld.drained()


def test_five_hundred_events_pushed_after_a_backup_all_come_back_from_the_handheld(
    handheld: Handheld, tmp_path: Path
) -> None:
    handheld.device.guard.allow(ALLOWED)
    record(handheld, 3)
    custody("backup", str(tmp_path / "copy"), data=handheld.casino.data)
    record(handheld, 500)
    ids = [kept["id"] for kept in handheld.outbox()]
    assert held(handheld.casino, handheld) == ids

    restored(handheld, tmp_path / "copy")
    assert len(held(handheld.casino, handheld)) == 3
    handheld.until(lambda: len(held(handheld.casino, handheld)) == 503)
    assert held(handheld.casino, handheld) == ids, "under their own run, in their order, unchanged"
    expect(handheld.page.locator("#status")).to_contain_text("Online")

    # Now what was left out of the copy is no longer on the handheld either.
    handheld.page.evaluate(
        """async () => { const {forget} = await import("/static/handheld/outbox.js");
        for (let seq = 1; seq <= 20; seq += 1) await forget({run: 1, seq}); }"""
    )
    restored(handheld, tmp_path / "copy")
    handheld.until(lambda: bool(handheld.run("store.js", "meta", "lost")))
    handheld.go("/h/outbox")
    expect(handheld.page.locator(".note.bad")).to_contain_text("has lost events")
    assert handheld.waiting() == 483, "they wait in sight"
    enrol_anew(handheld)
    again = handheld.outbox()
    assert [kept["run"] for kept in again] == [2] * 484
    assert held(handheld.casino, handheld)[3:] == [kept["id"] for kept in again]
    loss, first = again[0], again[1]
    assert "Events 4 to 20 of run 1 are lost" in loss["event"]["with"]["about"]
    raised = " ".join(one["text"] for one in loss["exceptions"])
    assert "Nobody has signed" in raised, "it stays until a person resolves it"
    assert "event 21 of run 1" in first["event"]["note"]
    assert first["event"]["by"][0]["person"] == FAY
    assert first["exceptions"] == []
    assert {"restored", "refused", "again"} <= set(told(handheld))


def test_a_handheld_that_a_restored_server_does_not_know_enrols_anew_and_brings_all_it_has(
    open_device: OpenDevice, new_casino: Casino, tmp_path: Path
) -> None:
    custody("backup", str(tmp_path / "copy"), data=new_casino.data)
    handheld = Handheld(open_device(new_casino.url), new_casino).enrol().sign_on("fay")
    handheld.device.guard.allow(ALLOWED)
    handheld.receive("D5-001..D5-003", 3)
    handheld.step("store", ["D5-001"], handheld.place("Dice vault")).sign("fay", "sam")
    handheld.drained()
    before, device = handheld.outbox(), handheld.id()
    restored(handheld, tmp_path / "copy")
    expect(handheld.page.locator("#status")).to_contain_text("Needs help")
    enrol_anew(handheld)
    handheld.until(lambda: len(held(new_casino, handheld)) == 2)
    assert handheld.id() == device, "it is who it was"
    assert [kept["id"] for kept in handheld.outbox()] == [kept["id"] for kept in before]
    assert held(new_casino, handheld) == [kept["id"] for kept in before], "once, as it was signed"
    record(handheld, 1)
    assert [kept["run"] for kept in handheld.outbox()] == [1, 1, 2]
    assert [kept["exceptions"] for kept in handheld.outbox()[:2]] == [[], []]
    item = handheld.run("records.js", "record", "item", "D5-001")
    assert item["state"] == "stored"


def test_a_clone_at_a_restored_server_steps_back_to_where_the_histories_part(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    device = open_device(new_casino.url)
    device.context.add_init_script(READABLE)
    device.guard.allow(ALLOWED)
    handheld = Handheld(device, new_casino).enrol()
    record(handheld, 1)
    with answering(handheld, taken):
        record(handheld, 3)
    clone_pushes(handheld, 2)
    record(handheld, 1)
    assert [kept["state"] for kept in handheld.outbox()] == ["acked", *["forked"] * 4]
    ids = [kept["id"] for kept in handheld.outbox()]
    assert stored(new_casino, handheld.id(), branch=2) == ids[1:]
    expect(handheld.page.locator("#status")).to_contain_text("Needs help")
    handheld.run("sync.js", "kick")
    assert handheld.run("sync.js", "status")["problem"] == "fork", "until it has a new run"


def test_a_new_run_takes_over_every_run_of_which_a_restored_server_lacks_the_beginning(
    hand_out: HandOut,
) -> None:
    handheld = hand_out(ENROLLED)
    handheld.device.guard.allow(ALLOWED)
    with answering(handheld, taken):
        record(handheld, 3)
        next_run(handheld)
    with answering(handheld, set_apart):
        record(handheld, 2)
        next_run(handheld)
    with answering(handheld, taken):
        record(handheld, 3)
    for run in (1, 3):
        handheld.run("outbox.js", "forget", {"run": run, "seq": 1})
    assert held(handheld.casino, handheld) == []
    before = handheld.outbox()
    handheld.run("store.js", "setMeta", "doubt", True)
    handheld.run("sync.js", "kick")
    expect(handheld.page.locator("#status")).to_contain_text("Needs help")
    forked = [kept["id"] for kept in before if kept["run"] == 2]
    assert held(handheld.casino, handheld) == forked, "the run that was set apart is asked for too"
    next_run(handheld)
    handheld.run("sync.js", "kick")
    handheld.drained()
    after = [kept for kept in handheld.outbox() if kept["run"] == 4]
    assert held(handheld.casino, handheld) == [*forked, *(kept["id"] for kept in after)]
    assert [kept["event"]["with"].get("about", "")[:28] for kept in after[:2]] == [
        "Events 1 to 1 of run 1 are l",
        "Events 1 to 1 of run 3 are l",
    ]
    noted = [one["event"]["note"] for one in after[2:]]
    carried = [kept for kept in before if kept["run"] != 2]
    for kept, note in zip(carried, noted, strict=True):
        assert f"event {kept['seq']} of run {kept['run']} " in note
    assert not handheld.run("sync.js", "status")["problem"]


def test_a_revoked_handheld_gives_all_that_a_restored_server_lost_before_it_is_wiped(
    hand_out: HandOut,
) -> None:
    handheld = hand_out(ENROLLED)
    handheld.device.guard.allow(ALLOWED)
    device = handheld.id()
    with answering(handheld, taken):
        record(handheld, 3)
    ids = [kept["id"] for kept in handheld.outbox()]
    with closing(open_ledger(config(handheld.casino.data))) as ledger:
        picture = handheld.page.evaluate(PICTURE)
        devices.revoke(ledger, device, [])
        handheld.set_off("sync.js", "kick")
        handheld.heading("Enrol this handheld")
        assert handheld.outbox() == []
        assert stored(handheld.casino, device) == ids
        assert blobs.original(ledger, picture)
