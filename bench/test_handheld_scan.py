"""How long a person at a handheld waits: from a scan to the item's card with what may be done, from
a scan to its durable answer, and to the record.

Sealed envelopes, each scanned at home; then a collection round of them, each scanned, signed for
and recorded by itself, in real Chromium against a real server. The figures go to
bench/results/handheld-scan.json; no time is asserted, since a shared machine is no handheld.
"""

import os
import statistics
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Playwright

from bench import told
from custody.rules import codes
from tests.browser.handheld import PRESS, Handheld
from tests.support.browser import Device as Browser
from tests.support.device import Device, SocketHttp
from tests.support.house import PLACE_CODES, House

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "60"))
# Milliseconds from an act until the screen shows a text, painted.
TIMED = """
const shown = (text) => new Promise((done) => {
  const look = () => document.getElementById("screen")?.textContent.includes(text);
  const watch = new MutationObserver(() => { if (look()) finish(); });
  const finish = () => {
    watch.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now()), 0));
  };
  watch.observe(document.body, { childList: true, subtree: true });
});
const timed = async (act, text) => {
  const seen = shown(text);
  const began = performance.now();
  act();
  return (await seen) - began;
};
"""
SCAN = f"""([code, text]) => {{ {PRESS} {TIMED}
  return timed(() => [...code, "Enter"].forEach(press), text); }}"""
TAP = f"""([name, text]) => {{ {TIMED}
  const button = [...document.querySelectorAll("#screen button")]
    .find((one) => one.textContent.includes(name));
  return timed(() => button.click(), text); }}"""


def test_a_scan_and_a_record(
    house: House, playwright: Playwright, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    envelopes = sealed(house, ROUNDS)
    browser = Browser(playwright, tmp_path / "profile", house.url)
    handheld = Handheld(browser, house).enrol("Security phone").sign_on("sam")
    last = envelopes[-1]
    handheld.until(lambda: handheld.run("records.js", "record", "item", last) is not None, 60)
    handheld.drained(60)
    cards = tuple(carded(handheld, code) for code in envelopes)
    scans, records = zip(*[collected(handheld, code) for code in envelopes], strict=True)
    handheld.drained(60)
    version = browser.context.browser.version if browser.context.browser else "unknown"
    browser.close()
    browser.check()
    figures: dict[str, Any] = {
        "browser": f"Chromium {version}",
        "sync": "IndexedDB, strict durability; SQLite, WAL, synchronous=FULL at the server",
        "scan_to_card_ms": summary(cards[1:]),
        "scan_to_shown_ms": summary(scans[1:]),
        "record_to_shown_ms": summary(records[1:]),
    }
    with capsys.disabled():
        print("\n" + told.write("handheld-scan", figures))


def carded(handheld: Handheld, code: str) -> float:
    """Scan an envelope at home; returns the milliseconds until its card is painted."""
    handheld.go("/h/")
    handheld.heading("Home")
    handheld.page.wait_for_timeout(50)
    return float(handheld.page.evaluate(SCAN, [code, code]))


def collected(handheld: Handheld, code: str) -> tuple[float, float]:
    """Collect one envelope; returns how long its scan and its record took, in milliseconds."""
    page = handheld.page
    handheld.go("/h/flow/round")
    page.get_by_role("link", name=code).wait_for()
    scan = page.evaluate(SCAN, [code, "1 in hand"])
    page.get_by_role("button", name="Sign for 1").click()
    if page.locator("h1", has_text="Sign").count() == 0:
        handheld.heading("Sign")
    page.get_by_role("button", name="Sign as Sam Tate").click()
    page.locator(".pad, .note.good").first.wait_for()
    if page.locator(".pad").count():
        handheld.pin("sam")
    page.get_by_role("button", name="Record").wait_for()
    return scan, page.evaluate(TAP, ["Record", "on this device's disk"])


def summary(times: tuple[float, ...]) -> dict[str, Any]:
    ordered = sorted(times)
    return {
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[int(len(ordered) * 0.95)], 1),
        "worst": round(ordered[-1], 1),
        "count": len(ordered),
    }


def sealed(house: House, count: int) -> list[str]:
    """Bring sealed envelopes with a stick each to the stand of pit 1, as another device would."""
    device = Device(SocketHttp("127.0.0.1", house.port))
    device.enrol(house.code(), "Pit 1 tablet")
    sticks = [codes.make("DS", number) for number in range(1, count + 1)]
    envelopes = [codes.make("EV", number) for number in range(1, count + 1)]
    stand = PLACE_CODES["Pit 1 stand"]
    made = {"kind": "dice", "form": "stick", "attributes": {"size": 5, "games": ["craps"]}}
    box = {"invoice": "INV-1", "invoiced": count, "box": "BOX-1", "seals": "intact"}
    dock = PLACE_CODES["Receiving dock"]
    pair = ["fay", "sam"]
    known = device.record("receive", items=sticks, to=dock, by=pair, **made, **{"with": box})
    for step, place, by in (
        ("store", PLACE_CODES["Dice vault"], pair),
        ("issue", stand, [*pair, "pam"]),
    ):
        known = device.record(step, items=sticks, to=place, by=by, saw=dict.fromkeys(sticks, known))
    for number, (stick, envelope) in enumerate(zip(sticks, envelopes, strict=True), 1):
        packed = {"purpose": "reserve_destroy", "pit": stand, "seal": f"S{number:07}"}
        fields: dict[str, Any] = {"with": {**packed, "label": True}}
        saw = {stick: known}
        device.record("pack", items=[stick], to=stand, into=envelope, by=["pam"], saw=saw, **fields)
    answer = device.push()
    assert answer.json["exceptions"] == [], "the envelopes are sealed as the rules ask"
    return envelopes
