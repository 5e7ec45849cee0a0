"""A server that was restored from a copy: what it lost comes back from the handheld."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import OpenDevice
from tests.browser.handheld import Handheld, held
from tests.support.casino import Casino
from tests.support.server import custody

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
    person = handheld.run("signon.js", "present")[0]["person"]
    handheld.page.evaluate(RECORD, [count, person])
    handheld.run("sync.js", "kick")
    handheld.drained(within=30)


def restored(handheld: Handheld, copy: Path) -> None:
    """Put the server back to what it was when it was copied; it is out of reach meanwhile."""
    casino = handheld.casino
    casino.stop()
    handheld.run("sync.js", "kick")
    expect(handheld.page.locator("#status")).to_contain_text("Offline")
    custody("restore", str(copy), "--over", data=casino.data)
    casino.start()


def told(handheld: Handheld) -> list[str]:
    """Return what the device's diary says, the oldest first."""
    return [str(one["what"]) for one in handheld.run("diary.js", "entries", 100)][::-1]


def enrol_anew(handheld: Handheld) -> None:
    handheld.go("/h/outbox")
    handheld.page.get_by_role("link", name="Enrol anew").click()
    handheld.page.get_by_label("Enrolment code").fill(handheld.casino.code())
    handheld.page.get_by_role("button", name="Enrol").click()
    handheld.heading("Home")
    handheld.drained(within=30)


def test_five_hundred_events_pushed_after_a_backup_all_come_back_from_the_handheld(
    open_device: OpenDevice, new_casino: Casino, tmp_path: Path
) -> None:
    handheld = Handheld(open_device(new_casino.url), new_casino).enrol().sign_on("fay")
    handheld.device.guard.allow(r"status of (401|404|409|410|503)|ERR_CONNECTION_REFUSED")
    record(handheld, 3)
    custody("backup", str(tmp_path / "copy"), data=new_casino.data)
    record(handheld, 500)
    ids = [kept["id"] for kept in handheld.outbox()]
    assert held(new_casino, handheld) == ids

    restored(handheld, tmp_path / "copy")
    assert len(held(new_casino, handheld)) == 3
    handheld.until(lambda: len(held(new_casino, handheld)) == 503, within=60)
    assert held(new_casino, handheld) == ids, "under their own run, in their order, unchanged"
    expect(handheld.page.locator("#status")).to_contain_text("Online")

    # Now what was left out of the copy is no longer on the handheld either.
    handheld.page.evaluate(
        """async () => { const {forget} = await import("/static/handheld/outbox.js");
        for (let seq = 1; seq <= 20; seq += 1) await forget({run: 1, seq}); }"""
    )
    restored(handheld, tmp_path / "copy")
    handheld.until(lambda: bool(handheld.run("store.js", "meta", "lost")), within=60)
    handheld.go("/h/outbox")
    expect(handheld.page.locator(".note.bad")).to_contain_text("has lost events", timeout=30_000)
    assert handheld.waiting() == 483, "they wait in sight"
    enrol_anew(handheld)
    again = handheld.outbox()
    assert [kept["run"] for kept in again] == [2] * 484
    assert held(new_casino, handheld)[3:] == [kept["id"] for kept in again]
    loss, first = again[0], again[1]
    assert "Events 4 to 20 of run 1 are lost" in loss["event"]["with"]["about"]
    assert "Nobody has signed" in loss["exceptions"][0]["text"], (
        "it stays until a person resolves it"
    )
    assert "event 21 of run 1" in first["event"]["note"]
    assert first["event"]["by"][0]["person"] == "p02"
    assert first["exceptions"] == []
    assert {"restored", "refused", "again"} <= set(told(handheld))


def test_a_handheld_that_a_restored_server_does_not_know_enrols_anew_and_brings_all_it_has(
    open_device: OpenDevice, new_casino: Casino, tmp_path: Path
) -> None:
    custody("backup", str(tmp_path / "copy"), data=new_casino.data)
    handheld = Handheld(open_device(new_casino.url), new_casino).enrol().sign_on("fay")
    handheld.device.guard.allow(r"status of (401|404|409|410|503)|ERR_CONNECTION_REFUSED")
    handheld.receive("D5-001..D5-003", 3)
    handheld.step("store", ["D5-001"], handheld.place("Dice vault")).sign("fay", "sam")
    handheld.drained()
    before = handheld.outbox()
    restored(handheld, tmp_path / "copy")
    expect(handheld.page.locator("#status")).to_contain_text("Needs help", timeout=45_000)
    enrol_anew(handheld)
    after = handheld.outbox()
    assert held(new_casino, handheld) == [kept["id"] for kept in after]
    assert [kept["event"]["step"] for kept in after] == ["receive", "store"]
    assert [kept["exceptions"] for kept in after] == [[], []]
    for name in ("at", "by", "day", "items", "to", "with"):
        assert [one["event"][name] for one in after] == [one["event"][name] for one in before]
    assert after[1]["event"]["saw"] == {"D5-001": after[0]["id"]}
    item = handheld.run("records.js", "record", "item", "D5-001")
    assert item["state"] == "stored"
