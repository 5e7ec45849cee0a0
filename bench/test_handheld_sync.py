"""How long the handheld's app itself takes: to hold a house's items, and to send a shift.

In real Chromium against a real server on loopback. A new handheld enrols at a house with 20,000
items in custody; then people record a shift of 500 events without a network, through the app's own
chain, and the network comes back. The wire is counted between browser and server. Figures go to
bench/results/handheld-sync.json; no time is asserted, since a shared machine is no handheld.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Playwright

from bench import told
from bench.counting import Request, Way
from custody.rules import codes
from custody.simulation.lives import INSTRUMENTS
from tests.browser.handheld import Handheld, held
from tests.support.browser import Device as Browser
from tests.support.device import Device, SocketHttp
from tests.support.house import PLACE_CODES, House

ITEMS = int(os.environ.get("BENCH_ITEMS", "20000"))
SHIFT = int(os.environ.get("BENCH_SHIFT", "500"))
PIECE, BOX = 250, 10
DOCK, VAULT, STAND = (PLACE_CODES[name] for name in ("Receiving dock", "Dice vault", "Pit 1 stand"))
TABLE, OFFICE, END = (PLACE_CODES[name] for name in ("CR1", "Security office", "Destruction room"))
MADE = {"kind": "dice", "form": "stick", "attributes": {"size": 5, "games": ["craps"]}}
FLOOR, PAIR = ("fay", "sam"), ("fay", "dee")
TESTED = {"when": "before_play", "instruments": INSTRUMENTS, "result": "pass"}
NOTES = (
    "",
    "",
    "",
    "",
    "Carried by hand, the cart was at pit 3",
    "Second look after a guest asked",
)
# Append one ceremony after the other, as `ceremony.record` does, without anybody's finger.
RECORD = """
async (ceremonies) => {
  const { append } = await import("/static/handheld/chain.js");
  for (const { drafts, by } of ceremonies) {
    const at = Date.now();
    const mono = Math.round(performance.now());
    const signed = by.map((some) => some.map((person) => ({ person, how: "badge+pin", at, mono })));
    await append(drafts, signed);
  }
}"""
# Wait until nothing is left to be sent, and say at what time, UTC ms.
DRAINED = """
async () => {
  const { waiting } = await import("/static/handheld/outbox.js");
  const { kick } = await import("/static/handheld/sync.js");
  const began = performance.now();
  kick();
  while (await waiting()) await new Promise((done) => setTimeout(done, 10));
  return performance.now() - began;
}"""
# Wait until the feed was read to its end after enrolment.
HELD = """
async (items) => {
  const { transact } = await import("/static/handheld/store.js");
  const began = performance.now();
  for (;;) {
    const rows = await transact("base", "readonly", (tx) => tx.objectStore("base").count());
    if (rows > items) return;
    await new Promise((done) => setTimeout(done, 50));
  }
}"""
Figures = dict[str, Any]


def test_a_first_sync_and_a_shift(
    house: House, playwright: Playwright, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stock(house, ITEMS)
    wire = Way(house.port)
    browser = Browser(playwright, tmp_path / "profile", f"http://127.0.0.1:{wire.port}")
    handheld = Handheld(browser, house)
    first = first_sync(handheld)
    sent = shift(handheld, wire)
    assert len(held(house, handheld)) == sent["events"]
    assert raised(house) == [], "a shift by the rules"
    version = browser.context.browser.version if browser.context.browser else "unknown"
    browser.close()
    browser.check()
    wire.close()
    sync = "SQLite, WAL, synchronous=FULL; one server process on loopback"
    figures = {"browser": f"Chromium {version}", "sync": sync, "first_sync": first, "shift": sent}
    with capsys.disabled():
        print("\n" + told.write("handheld-sync", figures))


def raised(house: House) -> list[Any]:
    with closing(sqlite3.connect(house.data / "custody.db")) as ledger:
        return ledger.execute("SELECT kind, clause, value FROM exception LIMIT 3").fetchall()


def stock(house: House, items: int) -> None:
    """Bring sticks into the vault, as another device would."""
    device = Device(SocketHttp("127.0.0.1", house.port))
    device.enrol(house.code(), "Vault")
    for start in range(0, items, PIECE):
        some = [codes.make("DS", 100_000 + start + n) for n in range(PIECE)]
        box = {"invoice": "INV-1", "invoiced": PIECE, "box": f"BOX-{start}", "seals": "intact"}
        made = {"items": some, "to": DOCK, "by": [*FLOOR], **MADE}
        known = device.record("receive", **made, **{"with": box})
        saw = dict.fromkeys(some, known)
        device.record("store", items=some, to=VAULT, by=[*FLOOR], saw=saw)
        answer = device.push()
        assert answer.json["exceptions"] == []


def first_sync(handheld: Handheld) -> Figures:
    """Enrol on the screens; measure from the tap on Enrol to the last item on the disk."""
    page = handheld.page
    handheld.device.open(f"/h/enrol#{handheld.casino.code()}")
    handheld.ready()
    page.get_by_label("Name of this handheld").fill("New tablet")
    began = time.monotonic()
    page.get_by_role("button", name="Enrol").click()
    page.set_default_timeout(120_000)
    page.evaluate(HELD, ITEMS)
    took = time.monotonic() - began
    handheld.heading("Who is here")
    page.get_by_role("link", name="Fay Moss").wait_for()
    shown = time.monotonic() - began
    return {"items": ITEMS, "seconds_to_the_disk": round(took, 2), "to_sign_on": round(shown, 2)}


def shift(handheld: Handheld, wire: Way) -> Figures:
    """Record a shift without a network; measure how it is sent when that is back."""
    handheld.device.offline()
    ceremonies = shift_of(SHIFT)
    events = sum(len(one["drafts"]) for one in ceremonies)
    began = time.monotonic()
    handheld.page.evaluate(RECORD, ceremonies)
    recorded = time.monotonic() - began
    lines = [len(one["line"].encode()) for one in handheld.outbox()]
    assert len(lines) == events
    before = len(wire.requests)
    handheld.device.offline(False)
    took = handheld.page.evaluate(DRAINED)
    pushed = [one for one in wire.requests[before:] if one.what == "POST /sync/v1/events"]
    return {
        "events": events,
        "steps": counted(ceremonies),
        "seconds_to_record": round(recorded, 1),
        "seconds_to_drain": round(took / 1000, 2),
        "bytes_of_an_event": round(sum(lines) / events),
        "bytes_an_event_on_the_wire": per_event(pushed, events),
    }


def per_event(pushed: list[Request], events: int) -> Figures:
    heads, bodies = sum(one.head for one in pushed), sum(one.body for one in pushed)
    return {
        "requests": len(pushed),
        "heads": round(heads / events, 1),
        "bodies": round(bodies / events, 1),
        "together": round((heads + bodies) / events, 1),
    }


def counted(ceremonies: list[Figures]) -> dict[str, int]:
    steps = [draft["step"] for one in ceremonies for draft in one["drafts"]]
    return dict(Counter(steps))


def shift_of(events: int) -> list[Figures]:
    """Return the ceremonies of a shift: boxes of sticks through their whole day."""
    found: list[Figures] = []
    for box in range(events):
        for one in day_of(box):
            left = events - sum(len(each["drafts"]) for each in found)
            found.append({name: some[:left] for name, some in one.items()})
            if left <= len(one["drafts"]):
                return found
    return found


def day_of(box: int) -> Iterator[Figures]:
    """Yield the ceremonies of one box: received, played, packed, collected and destroyed."""
    numbers = range(box * BOX + 1, (box + 1) * BOX + 1)
    sticks = [codes.make("DS", number) for number in numbers]
    envelopes = [codes.make("EV", number) for number in numbers]
    seals = [f"S{number:07}" for number in numbers]
    paper = {"invoice": f"INV-{box}", "invoiced": BOX, "box": f"BOX-{box}", "seals": "intact"}
    yield signed(box, [(FLOOR, {"step": "receive", "items": sticks, "to": DOCK, **MADE}, paper)])
    yield signed(box, [(FLOOR, {"step": "store", "items": sticks, "to": VAULT}, {})])
    yield signed(box, [((*FLOOR, "pam"), {"step": "issue", "items": sticks, "to": STAND}, {})])
    for n, stick in enumerate(sticks):
        looked = {"step": "inspect", "items": [stick]}
        played = {"step": "play", "items": [stick], "where": TABLE}
        issued = {"step": "issue", "items": [stick], "to": TABLE}
        yield signed(n, [(("fay",), issued, {})])
        yield signed(n, [(PAIR, looked, TESTED), (PAIR, played, {"vessel": "cup"})])
    for n, (stick, envelope, seal) in enumerate(zip(sticks, envelopes, seals, strict=True)):
        off = {"step": "remove", "items": [stick]}
        looked = {"step": "inspect", "items": [stick]}
        pack = {"step": "pack", "items": [stick], "to": STAND, "into": envelope}
        packed = {"purpose": "used", "table": TABLE, "seal": seal, "label": True}
        yield signed(n, [(("gus", "dee"), off, {"reason": "end_of_day"})])
        yield signed(n, [(("gus",), looked, {"when": "end_of_day", "result": "pass"})])
        yield signed(n, [(("dee", "gus"), pack, packed)])
    yield signed(box, [(("sam",), {"step": "collect", "items": envelopes}, {})])
    yield signed(box, [(("sam",), {"step": "deliver", "items": envelopes, "to": OFFICE}, {})])
    for n, (stick, envelope, seal) in enumerate(zip(sticks, envelopes, seals, strict=True)):
        opened = {"seal": seal, "seal_state": "intact"}
        gone = {"step": "destroy", "items": [stick], "where": END}
        yield signed(n, [(("sam",), {"step": "open", "items": [envelope]}, opened)])
        yield signed(n, [(("sam", "sue"), gone, {"method": "shredded"})])


def signed(
    number: int, steps: list[tuple[tuple[str, ...], dict[str, Any], dict[str, Any]]]
) -> Figures:
    """Return a ceremony as the page takes it; some have a note."""
    note = NOTES[number % len(NOTES)]
    drafts = [{**draft, "with": fields, "note": note} for _, draft, fields in steps]
    return {"drafts": drafts, "by": [list(by) for by, _, _ in steps]}
