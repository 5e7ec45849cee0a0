"""The chain of a handheld: durable before it is shown, unbroken whatever the browser does."""

import hashlib
import json
import os
import signal
from contextlib import suppress
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.handheld import Handheld, held

APPEND = """async ([count, person]) => {
  const {append} = await import("/static/handheld/chain.js");
  const by = [{person, how: "badge+pin", at: Date.now(), mono: 1}];
  for (let n = 0; n < count; n += 1) {
    await append([{step: "notify", items: [], with: {whom: "surveillance"}}], [by]);
  }
}"""


# Stops the page's thread, by a request that is never answered, where an append has come so far.
HOLD = """(where) => {
  const hold = () => {
    const request = new XMLHttpRequest();
    request.open("GET", "/held", false);
    request.send();
  };
  const before = (type, name, when) => {
    const real = type.prototype[name];
    type.prototype[name] = function (...given) {
      if (when(this, given)) hold();
      return real.apply(this, given);
    };
  };
  const appends = ([names]) => ["events", "overlay"].every((one) => [...names].includes(one));
  let added = 0;
  ({
    "before its transaction": () =>
      before(IDBDatabase, "transaction", (_, given) => appends(given)),
    "between its events": () =>
      before(IDBObjectStore, "add", ({name}) => name === "events" && (added += 1) === 2),
    "before its second copy": () =>
      before(FileSystemDirectoryHandle, "getFileHandle", (_, [name]) => name.endsWith(".ndjson")),
  })[where]();
}"""
CEREMONY = """async () => {
  const {append} = await import("/static/handheld/chain.js");
  const step = {step: "notify", items: [], with: {whom: "surveillance"}};
  const by = [{person: "p02", how: "badge+pin", at: Date.now(), mono: 1}];
  await append([step, step], [by, by]);
}"""


def kill_tabs(handheld: Handheld) -> None:
    """End the processes of the browser's pages (SIGKILL), as a phone does that needs memory."""
    mark = f"--user-data-dir={handheld.device.profile}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            line = (folder / "cmdline").read_bytes().split(b"\0")
            if mark in line and b"--type=renderer" in line:
                os.kill(int(folder.name), signal.SIGKILL)


def unbroken(handheld: Handheld) -> list[str]:
    """Check seq and prev of every kept event against its bytes; return the ids."""
    prev, ids = "0" * 64, []
    for number, kept in enumerate(handheld.outbox(), start=1):
        event = json.loads(kept["line"])
        assert (event["seq"], event["prev"]) == (number, prev)
        prev = hashlib.sha256(kept["line"].encode()).hexdigest()
        assert kept["id"] == prev
        ids.append(prev)
    return ids


def test_two_tabs_appending_a_thousand_times_at_once_keep_one_unbroken_chain(
    handheld: Handheld,
) -> None:
    second = handheld.device.context.new_page()
    second.goto(f"{handheld.casino.url}/h/")
    second.locator("html[data-ready]").wait_for(state="attached")
    second.set_default_timeout(120_000)
    script = f"window.done = ({APPEND})([500, 'p02'])"
    for page in (handheld.page, second):
        page.evaluate(f"void ({script})")
    for page in (handheld.page, second):
        page.evaluate("window.done")
    assert len(unbroken(handheld)) == 1000
    handheld.drained()
    assert held(handheld.casino, handheld) == unbroken(handheld)


def test_a_browser_killed_as_soon_as_it_says_recorded_has_the_record(handheld: Handheld) -> None:
    handheld.device.offline()
    handheld.receive("D5-001..D5-003", 3)
    handheld.device.kill()
    handheld.device.open("/h/outbox")
    handheld.ready()
    expect(handheld.page.locator(".rows")).to_contain_text("D5-001..D5-003")
    assert [kept["event"]["step"] for kept in handheld.outbox()] == ["receive"]
    handheld.device.offline(False)
    handheld.drained()
    unbroken(handheld)


def test_a_worker_stopped_while_events_are_appended_and_sent_loses_and_doubles_none(
    handheld: Handheld,
) -> None:
    page, context = handheld.page, handheld.device.context
    tools = context.new_cdp_session(page)
    tools.send("ServiceWorker.enable")
    done = "Promise.race([window.done.then(() => true), false])"
    page.evaluate(f"void (window.done = ({APPEND})([40, 'p02']))")
    stops = {"appending": 0, "sending": 0}
    while sum(stops.values()) < 40 and (not page.evaluate(done) or handheld.waiting()):
        stops["sending" if page.evaluate(done) else "appending"] += 1
        tools.send("ServiceWorker.stopAllWorkers")
        page.wait_for_timeout(40)
    assert stops["appending"]
    page.evaluate("window.done")
    handheld.drained()
    assert len(unbroken(handheld)) == 40
    assert held(handheld.casino, handheld) == unbroken(handheld)
    handheld.device.offline()
    handheld.reload()
    handheld.heading("Home")


def test_a_tab_killed_at_any_point_of_an_append_leaves_all_of_the_ceremony_or_nothing(
    handheld: Handheld,
) -> None:
    handheld.drained()
    handheld.device.offline()
    context, reached = handheld.device.context, list[str]()
    context.route("**/held", lambda route: reached.append(route.request.url))
    for kept, where in (
        (0, "before its transaction"),
        (0, "between its events"),
        (2, "before its second copy"),
    ):
        page, reached[:] = handheld.page, []
        page.evaluate(HOLD, where)
        page.evaluate(f"void ({CEREMONY})()")
        handheld.until(lambda: bool(reached))
        kill_tabs(handheld)
        handheld.device.page = context.new_page()
        page.close()
        handheld.device.open("/h/outbox")
        handheld.ready()
        assert len(unbroken(handheld)) == kept, f"killed {where}"
    handheld.device.offline(False)
    handheld.drained()
    assert held(handheld.casino, handheld) == unbroken(handheld)
    assert len(unbroken(handheld)) == 2


RECEIVE_AND_STORE = """async ([items, dock, vault]) => {
  const {append} = await import("/static/handheld/chain.js");
  const by = ["p02", "p03"].map((person) => ({person, how: "badge+pin", at: Date.now(), mono: 1}));
  const whole = {kind: "dice", form: "stick", attributes: {size: 5, games: ["craps"]}};
  const fields = {seals: "intact", invoiced: 300, box: "BOX-9"};
  await append([{step: "receive", items, to: dock, with: fields, ...whole}], [by]);
  await append([{step: "store", items, to: vault, with: {}}], [by]);
}"""


def test_a_step_with_many_sticks_says_in_runs_what_was_known_of_them(handheld: Handheld) -> None:
    run = "RX-0001..RX-0300"
    places = [handheld.place(name) for name in ("Receiving dock", "Dice vault")]
    handheld.page.evaluate(RECEIVE_AND_STORE, [[run], *places])
    received, stored = handheld.outbox()
    assert json.loads(stored["line"])["saw"] == {run: received["id"]}
    handheld.drained()
    assert held(handheld.casino, handheld) == [received["id"], stored["id"]]
    assert handheld.run("records.js", "record", "item", "RX-0150")["place"] == places[1]
