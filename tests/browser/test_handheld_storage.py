"""A handheld's storage: second copy, loss, no room, an older version; lease and approval."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from custody.demo.casino import config
from custody.ledger import devices
from custody.ledger.core import open_ledger
from custody.ledger.masterdata import Change, administer
from tests.browser.conftest import OpenDevice
from tests.browser.handheld import Handheld, held
from tests.support.casino import Casino, Templates

HOUR = 3_600_000
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# The events of a device of the first release, in the storage as that release made it.
FIRST_RELEASE = """async (events) => {
  const db = await new Promise((resolve, reject) => {
    const asked = indexedDB.open("custody", 1);
    asked.onerror = () => reject(asked.error);
    asked.onsuccess = () => resolve(asked.result);
    asked.onupgradeneeded = () => {
      const made = asked.result;
      for (const name of ["meta", "keys", "tries"]) made.createObjectStore(name);
      const kept = made.createObjectStore("events", {keyPath: ["run", "seq"]});
      kept.createIndex("id", "id", {unique: true});
      kept.createIndex("state", "state");
      for (const name of ["base", "overlay"]) {
        const rows = made.createObjectStore(name, {keyPath: ["of", "id"]});
        rows.createIndex("of", "of");
        rows.createIndex("place", ["of", "value.place"]);
        rows.createIndex("seal", "value.seal");
      }
      made.createObjectStore("drafts", {keyPath: "id"});
      made.createObjectStore("scans", {keyPath: "n", autoIncrement: true});
    };
  });
  const put = db.transaction("events", "readwrite");
  for (const event of events) put.objectStore("events").put(event);
  await new Promise((resolve) => { put.oncomplete = resolve; });
  db.close();
}"""


@pytest.fixture(scope="module")
def house(templates: Templates, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Casino]:
    """One casino before the first delivery for all tests of this file."""
    folder = tmp_path_factory.mktemp("storage") / "casino"
    running = Casino(templates.copy(folder, history=False))
    running.start()
    yield running
    running.stop()


def note(handheld: Handheld, times: int) -> None:
    signed = handheld.run("signon.js", "present")[0]
    by = {name: signed[name] for name in ("person", "how", "at", "mono")}
    draft = {"step": "notify", "items": [], "with": {"whom": "surveillance"}}
    for _ in range(times):
        handheld.run("chain.js", "append", [draft], [[by]])


def note_with_picture(handheld: Handheld) -> str:
    """Record a note with a picture, which is not sent yet; returns the picture's SHA-256."""
    script = """async () => {
      const answer = await fetch("/static/handheld/icons/icon-192.png");
      const photos = await import("/static/handheld/photos.js");
      return photos.take(await answer.blob());
    }"""
    sha = str(handheld.page.evaluate(script))
    signed = handheld.run("signon.js", "present")[0]
    by = {name: signed[name] for name in ("person", "how", "at", "mono")}
    draft = {"step": "notify", "items": [], "with": {"whom": "surveillance", "photos": [sha]}}
    handheld.run("chain.js", "append", [draft], [[by]])
    return sha


def copied(handheld: Handheld, count: int) -> None:
    """Wait until the second copy holds so many events."""
    handheld.until(lambda: len(handheld.run("secondcopy.js", "found")["lines"]) == count)


def stores(handheld: Handheld) -> Path:
    """Return the folder in which Chromium keeps the origin's IndexedDB."""
    [found] = (handheld.device.profile / "Default" / "IndexedDB").glob("*.leveldb")
    return found


def test_a_storage_that_does_not_open_is_said_with_its_second_copy_and_a_lost_one_comes_back(
    open_device: OpenDevice, house: Casino, tmp_path: Path
) -> None:
    handheld = Handheld(open_device(house.url), house).enrol().sign_on("fay")
    note(handheld, 2)
    handheld.drained()
    handheld.device.offline()
    handheld.receive("D5-101..D5-103", 3)
    handheld.step("store", ["D5-101"], handheld.place("Dice vault")).sign("fay", "sam")
    sha = note_with_picture(handheld)
    copied(handheld, 3)
    handheld.until(lambda: len(handheld.run("secondcopy.js", "foundPictures")) == 1)
    lines = [kept["line"] for kept in handheld.outbox()[-3:]]
    device = handheld.id()

    handheld.device.context.close()
    folder = stores(handheld)
    shutil.rmtree(folder)
    folder.write_text("no folder, so that the browser cannot make one in its place")
    handheld.device.start()
    handheld.device.guard.allow("screen: store|sync:|store-cannot-open|Internal error|UnknownError")
    handheld.device.open()
    handheld.ready()
    expect(handheld.page.locator(".note.bad").first).to_contain_text("storage cannot be opened")
    expect(handheld.page.locator("#screen")).to_contain_text("holds 3 events")
    handheld.device.shot("handheld-cannot-open")
    with handheld.page.expect_download() as download:
        handheld.page.get_by_role("button", name="Save the copy").click()
    saved = Path(download.value.path()).read_text().splitlines()
    assert (json.loads(saved[0])["device"], saved[1:]) == (device, lines)

    handheld.device.context.close()
    folder.unlink()
    handheld.device.start()
    handheld.device.open()
    handheld.ready()
    handheld.heading("Enrol this handheld")
    expect(handheld.page.locator(".note.warn")).to_contain_text("A second copy kept 3 events")
    handheld.device.shot("handheld-lost")
    handheld.device.offline(False)
    handheld.enrol().sign_on("fay")
    handheld.drained()
    after = handheld.outbox()
    assert handheld.id() == device
    told = [(one["run"], one["event"]["step"]) for one in after]
    assert told == [(2, "receive"), (2, "store"), (2, "notify")]
    picture = house.data / "blobs" / sha[:2] / sha
    handheld.until(picture.exists)
    assert hashlib.sha256(picture.read_bytes()).hexdigest() == sha
    assert held(house, handheld)[2:] == [one["id"] for one in after]
    assert [one["exceptions"] for one in after] == [[], [], []]
    copied(handheld, 0)
    handheld.until(lambda: handheld.run("secondcopy.js", "foundPictures") == [])
    assert "recovered" in [one["what"] for one in handheld.run("diary.js", "entries", 20)]


def test_without_room_nothing_can_be_signed_and_with_room_it_can(
    open_device: OpenDevice, house: Casino
) -> None:
    handheld = Handheld(open_device(house.url), house).enrol().sign_on("fay")
    handheld.go("/h/settings")
    expect(handheld.page.locator("#screen")).to_contain_text("may clear this storage")
    expect(handheld.page.locator("#screen")).to_contain_text("kept a second time")
    handheld.step("notify", [], whom="surveillance")
    handheld.heading("Sign")
    address = handheld.page.evaluate("location.pathname + location.search")
    handheld.device.restart()  # the browser believes for a while the room that it knew
    handheld.device.guard.allow("store-full")
    quota = handheld.device.context.new_cdp_session(handheld.page)
    used = quota.send("Storage.getUsageAndQuota", {"origin": house.url})["usage"]
    size = {"origin": house.url, "quotaSize": used + 150_000}
    quota.send("Storage.overrideQuotaForOrigin", size)
    handheld.device.open(address)
    handheld.ready()
    expect(handheld.page.locator(".note.bad")).to_contain_text("storage is full")
    expect(handheld.page.get_by_role("button", name="Record")).to_have_count(0)
    handheld.device.shot("handheld-full")
    handheld.go("/h/")
    handheld.heading("Home")
    expect(handheld.page.locator("#screen > .note.bad")).to_contain_text("storage is full")
    quota.send("Storage.overrideQuotaForOrigin", {"origin": house.url})
    handheld.go(address)
    handheld.sign("fay")
    handheld.drained()


def test_an_expired_lease_still_records_and_says_that_it_is_flagged(
    open_device: OpenDevice, house: Casino
) -> None:
    handheld = Handheld(open_device(house.url), house).enrol().sign_on("fay")
    handheld.device.offline()
    last = handheld.run("store.js", "meta", "contact")
    handheld.run("store.js", "setMeta", "contact", last - 121 * HOUR)
    handheld.go("/h/people")
    expect(handheld.page.locator(".pill.warn")).to_contain_text("Sign-on ends in")
    assert handheld.page.evaluate(WIDE) <= 0
    handheld.run("store.js", "setMeta", "contact", last - 169 * HOUR)
    handheld.run("store.js", "setMeta", "skew", 2 * HOUR)
    handheld.reload()  # no clock of the server was heard since
    handheld.go("/h/")
    handheld.heading("Home")
    told = handheld.page.locator("#screen > .note")
    expect(told).to_have_count(3)
    expect(told.first).to_contain_text("Sign-on expired: Fay Moss")
    expect(told.nth(1)).to_contain_text("7 d ago")
    expect(told.nth(2)).to_contain_text("clock is 2 h slow")
    handheld.go("/h/people")
    expect(handheld.page.locator(".pill.bad")).to_contain_text("Sign-on expired")
    handheld.step("notify", [], whom="surveillance").sign("fay")
    expect(handheld.page.locator(".note.warn")).to_contain_text("Fay Moss has expired")
    handheld.device.shot("handheld-lease")
    assert handheld.waiting() == 1


def test_events_of_the_first_release_are_still_there_after_the_storage_is_extended(
    open_device: OpenDevice, house: Casino
) -> None:
    device = open_device(house.url)
    handheld = Handheld(device, house)
    device.guard.allow("favicon.ico")  # which no page of the app asks for
    device.open("/health")
    event = {"at": 1, "step": "notify", "items": [], "place": None, "by": [], "state": "queued"}
    old = [{**event, "run": 1, "seq": n, "id": f"{n:064}", "line": "{}"} for n in range(1, 31)]
    handheld.page.evaluate(FIRST_RELEASE, old)
    device.open()
    handheld.ready()
    assert handheld.waiting() == 30
    assert handheld.run("diary.js", "entries", 5) == []


def test_a_handheld_that_waits_for_approval_says_so_and_starts_once_it_is_approved(
    open_device: OpenDevice, house: Casino
) -> None:
    approval(house, "administrator")
    device = open_device(house.url)
    handheld = Handheld(device, house)
    device.guard.allow("status of 403")
    device.open(f"/h/enrol#{house.code()}")
    handheld.ready()
    handheld.page.get_by_label("Name of this handheld").fill("Pit 2 tablet")
    handheld.page.get_by_role("button", name="Enrol").click()
    handheld.heading("Getting ready")
    expect(handheld.page.locator(".note.warn")).to_contain_text("not approved this handheld")
    device.shot("handheld-pending")
    with closing(open_ledger(config(house.data))) as ledger:
        devices.approve(ledger, handheld.id(), [])
    approval(house, "automatic")
    handheld.run("sync.js", "kick")
    handheld.heading("Who is here")


def approval(house: Casino, who: str) -> None:
    def make(work):  # type: ignore[no-untyped-def]
        controls = {**(work.get("setting", "controls") or {}), "device_approval": who}
        return [Change("setting", "controls", controls)]

    with closing(open_ledger(config(house.data))) as ledger:
        administer(ledger, "controls-changed", "controls", [], make)
