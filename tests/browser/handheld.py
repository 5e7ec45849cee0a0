"""A handheld in the hands of people: what tests do on its screens, in the words of the screens."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any, Self

from playwright.sync_api import Page, expect

from tests.support.browser import PATIENCE_MS, Device
from tests.support.casino import Casino

MODULES = "/static/handheld"
PATIENCE_S = PATIENCE_MS / 1000
READER = "/static/vendor/zxing-wasm/zxing_reader.wasm"
# A key as a keyboard wedge sends it, wherever the focus is; a field in focus takes its text.
PRESS = """
const press = (key) => {
  const event = new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true});
  const passed = (document.activeElement ?? document.body).dispatchEvent(event);
  const typed = ["text", "textarea", "password"].includes(document.activeElement?.type);
  if (passed && typed && key.length === 1) document.execCommand("insertText", false, key);
};
"""


def held(casino: Casino, handheld: Handheld) -> list[str]:
    """Return the ids of the handheld's events that the server's log holds, in their order."""
    return stored(casino, handheld.id())


def stored(casino: Casino, device: str, branch: int = 1) -> list[str]:
    """Return the ids of a device's events that the log holds in a branch of its runs."""
    query = "SELECT id FROM event WHERE device = ? AND branch = ? ORDER BY run, seq"
    with closing(sqlite3.connect(casino.data / "custody.db")) as ledger:
        return [str(row[0]) for row in ledger.execute(query, [device, branch])]


class Handheld:
    """One device at a casino, whose people are named by their handles and places by their names."""

    def __init__(self, device: Device, casino: Casino):
        self.device, self.casino = device, casino

    @property
    def page(self) -> Page:
        return self.device.page

    # --- before work ---

    def begin(self) -> Self:
        """Open the app on a device that was enrolled and signed on before."""
        self.device.open("/h/")
        self.ready()
        return self

    def enrol(self, name: str = "Pit 1 tablet") -> Self:
        """Open the link of the desk's QR, and enrol."""
        self.device.open(f"/h/enrol#{self.casino.code()}")
        self.ready()
        self.page.get_by_label("Name of this handheld").fill(name)
        self.page.get_by_role("button", name="Enrol").click()
        self.heading("Who is here")
        self.page.get_by_role("link", name="Fay Moss").wait_for()
        return self

    def sign_on(self, *handles: str) -> Self:
        for handle in handles:
            if "Who is here" not in self.page.locator("h1").first.inner_text():
                self.go("/h/people")
            self.scan(self.casino.people[handle].badge)
            self.pin(handle)
            self.heading("Home")
        return self

    def sign_alone(self, handle: str) -> Self:
        """Sign everyone off, then this one on."""
        for one in self.run("signon.js", "present"):
            self.run("signon.js", "leave", one["person"])
        self.go("/h/people")
        self.heading("Who is here")
        return self.sign_on(handle)

    def pin(self, handle: str, digits: str | None = None) -> None:
        """Type a PIN on the pad that is up."""
        self.page.locator(".pad").wait_for()
        for digit in digits or self.casino.people[handle].pin:
            self.page.locator(f'[data-digit="{digit}"]').click()
        self.page.locator(".pad .go").click()

    # --- moving about ---

    def ready(self) -> None:
        self.page.locator("html[data-ready]").wait_for(state="attached")

    def heading(self, text: str) -> None:
        expect(self.page.locator("h1").first).to_contain_text(text)

    def go(self, path: str) -> Page:
        """Go to a screen without a reload, as a link does."""
        self.page.evaluate(
            """(path) => htmx.ajax("GET", path,
              {target: "#screen", swap: "outerHTML", push: "true"})""",
            path,
        )
        return self.page

    def reload(self) -> None:
        self.page.reload()
        self.ready()

    def scan(self, code: str, suffix: str = "Enter") -> None:
        """Scan with a keyboard wedge, at once: a busy machine does not tear the burst."""
        keys = [*code, *([suffix] if suffix else [])]
        self.page.evaluate(f"(keys) => {{ {PRESS} keys.forEach(press); }}", keys)

    def text(self) -> str:
        return self.page.locator("#screen").inner_text()

    def place(self, name: str) -> str:
        """Return the id of a place by its name: the code that is printed for it."""
        found = self.run("records.js", "all", "place")
        return str(next(row["id"] for row in found if row["value"].get("name", row["id"]) == name))

    def run(self, module: str, function: str, *arguments: Any) -> Any:
        """Call a function of one of the app's modules, as its screens do."""
        script = (
            """([module, name, given]) => import(module).then((found) => found[name](...given))"""
        )
        return self.page.evaluate(script, [f"{MODULES}/{module}", function, list(arguments)])

    def set_off(self, module: str, function: str) -> None:
        """Call a function that may leave the page, which would end the wait for its answer."""
        script = "([module, name]) => void import(module).then((found) => found[name]())"
        self.page.evaluate(script, [f"{MODULES}/{module}", function])

    # --- steps ---

    def step(self, step: str, items: list[str], to: str = "", **fields: str) -> Self:
        """Fill the generated form of a step and go to the signatures."""
        query = "".join(f"&item={item}" for item in items) + (f"&to={to}" if to else "")
        self.go(f"/h/step?step={step}{query}")
        self.page.locator("textarea[name=items]").wait_for()
        for name, value in fields.items():
            self.page.locator(f'input[name="with.{name}"]').first.fill(value)
        self.page.get_by_role("button", name="To the signatures").click()
        return self

    def sign(self, *handles: str) -> Self:
        """Sign in this order, then record."""
        for handle in handles:
            self.sign_as(handle)
        self.page.get_by_role("button", name="Record").click()
        expect(self.page.locator("h1.done")).to_be_visible()
        return self

    def sign_as(self, handle: str) -> None:
        name = self.casino.people[handle].name
        self.heading("Sign")
        button = self.page.get_by_role("button", name=f"Sign as {name}")
        if button.count():
            button.click()
        else:
            self.scan(self.casino.people[handle].badge)
            self.pin(handle)
        self.page.get_by_text(f"✓ {name}").first.wait_for()

    def receive(self, items: str, count: int) -> Self:
        """Receive sticks of five for craps at the dock."""
        self.go("/h/step?step=receive")
        page = self.page
        page.locator("textarea[name=items]").fill(items)
        page.locator('input[name="attr.size"][value="5"]').check()
        page.locator('input[name="attr.games"][value=craps]').check()
        page.locator('select[name="part.to"]').select_option(label="Receiving dock")
        for name, value in {"invoice": "INV-1", "invoiced": str(count), "box": "BOX-1"}.items():
            page.locator(f'input[name="with.{name}"]').fill(value)
        page.locator('input[name="with.seals"][value=intact]').check()
        expect(page.locator('input[name="with.seals"][value=intact]')).to_be_checked()
        page.get_by_role("button", name="To the signatures").click()
        return self.sign("fay", "sam")

    def stock(self, items: str, count: int, pit: list[str]) -> Self:
        """Receive and store sticks, and issue some of them to the stand of pit 1."""
        self.receive(items, count)
        self.step("store", [items], self.place("Dice vault")).sign("fay", "sam")
        self.step("issue", pit, self.place("Pit 1 stand")).sign("fay", "sam", "pam")
        return self

    def open_table(self, stick: str, table: str = "CR1") -> Self:
        """Open a craps table with a stick of the pit's reserve, up to the signatures."""
        self.scan(self.place(table))
        self.heading(table)
        self.scan(stick)
        self.page.get_by_role("button", name="every die passed").click()
        return self.tick()

    def tick(self) -> Self:
        """Tick each line that only a person can check, one by one."""
        self.heading("Sign")
        lines = self.page.locator('.look[aria-pressed="false"]')
        for left in range(lines.count(), 0, -1):
            lines.first.click()
            expect(lines).to_have_count(left - 1)
        return self

    # --- what it keeps ---

    def outbox(self) -> list[dict[str, Any]]:
        """Return the kept events in the order of the chain, each with its body as `event`."""
        kept: list[dict[str, Any]] = self.run("outbox.js", "newest", 100_000)
        return [{**one, "event": json.loads(one["line"])} for one in reversed(kept)]

    def id(self) -> str:
        return str(self.run("store.js", "meta", "device")["device"])

    def waiting(self) -> int:
        return int(self.run("outbox.js", "waiting"))

    def drained(self, within: float = PATIENCE_S) -> None:
        """Wait until nothing is left to be sent, and the header says so."""
        self.until(lambda: self.waiting() == 0, within)
        expect(self.page.locator(".queue b")).to_have_text("0")

    def reader_kept(self) -> None:
        """Wait until the camera's reader is on the device, as it is soon after a contact."""
        kept = f"caches.match({READER!r}).then((found) => Boolean(found))"
        self.until(lambda: bool(self.page.evaluate(kept)))

    def until(self, holds: Callable[[], bool], within: float = PATIENCE_S) -> None:
        """Wait until something holds that no screen shows."""
        deadline = time.monotonic() + within
        while not holds():
            assert time.monotonic() < deadline, "it did not come about in time"
            self.page.wait_for_timeout(100)

    def scans(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.run("scanlog.js", "recent", 1000)
        return found[::-1]
