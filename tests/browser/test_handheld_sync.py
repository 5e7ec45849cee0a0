"""The handheld's queue against what networks and servers do: nothing lost, nothing doubled."""

import hashlib
import shutil
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from custody.demo.casino import config
from custody.ledger import devices
from custody.ledger.core import open_ledger
from tests.browser.conftest import OpenDevice
from tests.browser.handheld import Handheld, held
from tests.support.casino import Casino

PUSH = "**/sync/v1/events"
ANY = "**/sync/v1/**"


@pytest.fixture
def handheld(handheld: Handheld) -> Handheld:
    handheld.device.guard.allow(r"status of (401|403|409|413|422|500)")
    return handheld


def note(handheld: Handheld, times: int = 1) -> None:
    """Record something that needs one signature."""
    for _ in range(times):
        handheld.run("chain.js", "append", *notice(handheld))


def notice(handheld: Handheld) -> tuple[object, ...]:
    signed = {"person": handheld.run("signon.js", "present")[0]["person"], "how": "badge+pin"}
    draft = {"step": "notify", "items": [], "with": {"whom": "surveillance"}}
    return [draft], [[{**signed, "at": 1796044799000, "mono": 1}]]


PROBLEM = "application/problem+json"


def answering(
    status: int, body: str = '{"type":"x"}', kind: str = PROBLEM
) -> Callable[[Route], None]:
    return lambda route: route.fulfill(status=status, body=body, content_type=kind)


GADGET = {"of": "gadget", "id": "g1", "etag": "e" * 64, "value": {"place": [1], "seal": {"x": 1}}}
SOUGHT = """
globalThis.sought = 0;
const update = ServiceWorkerRegistration.prototype.update;
ServiceWorkerRegistration.prototype.update = function () { sought += 1; return update.call(this); };
"""


class Newer:
    """A server of a later version: more in each answer, and records of a kind that is new; with
    `strange`, a rulebook that an older app's rules cannot read.
    """

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], str] = {}
        self.strange = False

    def __call__(self, route: Route) -> None:
        answer = route.fetch()
        told: dict[str, Any] = answer.json()
        if "changes" in told:
            self.tell(told)
        headers = {"Content-Type": answer.headers["content-type"], "Date": answer.headers["date"]}
        route.fulfill(status=answer.status, headers=headers, json={**told, "newer": {"a": [1]}})

    def tell(self, page: dict[str, Any]) -> None:
        told = [*page["changes"], GADGET]
        if self.strange:
            other = {"etag": "f" * 64, "value": {"chapters": [{"newer": True}]}}
            told = [{**one, **other} if one["of"] == "rulebook" else one for one in told]
        page["changes"] = [{**one, "newer": True} for one in told]
        for one in page["changes"]:
            self.rows[one["of"], one["id"]] = one["etag"]
        lines = sorted(f"{of} {id_} {etag}\n".encode() for (of, id_), etag in self.rows.items())
        page["digest"] = hashlib.sha256(b"".join(lines)).hexdigest()


def kept_once(handheld: Handheld) -> None:
    handheld.drained()
    assert held(handheld.casino, handheld) == [kept["id"] for kept in handheld.outbox()]


def test_a_captive_portal_is_named_and_takes_nothing(
    handheld: Handheld,
) -> None:
    handheld.device.context.route(ANY, answering(200, "<h1>Hotel Wi-Fi</h1>", "text/html"))
    note(handheld, 3)
    handheld.run("sync.js", "kick")
    expect(handheld.page.locator("#status")).to_contain_text("Network sign-in")
    assert handheld.waiting() == 3
    handheld.device.context.unroute(ANY)
    kept_once(handheld)


def test_whatever_the_server_refuses_nothing_is_deleted_and_the_reason_is_in_sight(
    handheld: Handheld,
) -> None:
    note(handheld, 2)
    kept_once(handheld)
    for status in (403, 422, 500):
        handheld.device.context.route(PUSH, answering(status))
        note(handheld)
        handheld.run("sync.js", "kick")
        expect(handheld.page.locator("#status")).to_contain_text("Needs help")
        handheld.go("/h/outbox")
        expect(handheld.page.locator(".note.bad")).to_contain_text("Everything is kept")
        handheld.device.context.unroute(PUSH)
    assert handheld.waiting() == 3
    handheld.page.get_by_role("button", name="Send now").click()
    kept_once(handheld)


def test_an_older_handheld_goes_on_with_a_newer_server_and_looks_for_its_update(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    device = open_device(new_casino.url)
    device.context.add_init_script(SOUGHT)
    newer = Newer()
    device.context.route(ANY, newer)
    device.guard.allow("status of 426")
    handheld = Handheld(device, new_casino).enrol().sign_on("fay")
    assert handheld.run("records.js", "record", "gadget", "g1") == GADGET["value"]
    device.context.route(PUSH, answering(426, '{"type":"newer-wanted","minimum":2}'))
    note(handheld, 2)
    sought = handheld.page.evaluate("sought")
    handheld.run("sync.js", "kick")
    handheld.go("/h/outbox")
    expect(handheld.page.locator(".note.bad")).to_contain_text("newer-wanted")
    assert handheld.page.evaluate("sought") > sought
    newer.strange = True
    handheld.run("store.js", "setMeta", "feed", {"after": "", "gen": 2, "whole": True})
    assert handheld.run("pull.js", "pull")["problem"] == "rules-failed"
    device.context.unroute(PUSH)
    handheld.run("sync.js", "kick")
    kept_once(handheld)
    newer.strange = False
    handheld.run("store.js", "setMeta", "feed", {"after": "", "gen": 3, "whole": True})
    handheld.run("sync.js", "kick")
    assert handheld.run("sync.js", "status")["problem"] == ""


def test_an_answer_lost_after_the_server_stored_doubles_nothing(
    handheld: Handheld,
) -> None:
    lost: list[int] = []

    def lose(route: Route) -> None:
        lost.append(route.fetch().status)
        route.abort("connectionreset")

    handheld.device.guard.network_cut = True
    handheld.device.context.route(PUSH, lose)
    note(handheld, 20)
    for _ in range(4):
        handheld.run("sync.js", "kick")
    assert lost
    assert set(lost) == {200}
    assert handheld.waiting() == 20
    handheld.device.context.unroute(PUSH)
    kept_once(handheld)
    assert len(held(handheld.casino, handheld)) == 20


def test_a_batch_too_large_for_the_server_is_halved_until_it_goes(
    handheld: Handheld,
) -> None:
    handheld.device.offline()
    note(handheld, 12)
    small: list[int] = []

    def limit(route: Route) -> None:
        size = len(route.request.post_data_buffer or b"")
        small.append(size)
        answering(413)(route) if size > 1500 else route.continue_()

    handheld.page.evaluate("delete globalThis.CompressionStream")
    handheld.device.context.route(PUSH, limit)
    handheld.device.offline(False)
    kept_once(handheld)
    assert max(small) > 1500 > min(small)


def test_a_clock_two_hours_off_is_learned_from_the_refusal(
    open_device: OpenDevice, new_casino: Casino
) -> None:
    device = open_device(new_casino.url)
    device.context.add_init_script("const now = Date.now; Date.now = () => now() + 7200000;")
    handheld = Handheld(device, new_casino)
    device.guard.allow("status of 401")
    handheld.enrol().sign_on("fay")
    note(handheld, 2)
    kept_once(handheld)


def test_a_server_that_lacks_what_it_acknowledged_gets_it_again(
    handheld: Handheld,
) -> None:
    handheld.device.offline()
    note(handheld, 4)
    handheld.run("outbox.js", "acknowledge", 1, 1, 3, [])
    assert handheld.waiting() == 1
    handheld.device.offline(False)
    kept_once(handheld)


def test_a_cursor_that_the_server_does_not_know_starts_the_feed_again_over_what_is_there(
    handheld: Handheld,
) -> None:
    handheld.device.guard.allow("status of 410")
    before = len(handheld.run("records.js", "all", "person"))
    unknown = {"after": "bm90LW91cnM", "gen": 1, "whole": False}

    def is_read_again() -> bool:  # a beat under way keeps its own cursor, and lets no other begin
        handheld.run("store.js", "setMeta", "feed", unknown)
        handheld.run("sync.js", "kick")
        return bool(handheld.run("store.js", "meta", "feed")["gen"] == 2)

    handheld.until(is_read_again)
    assert len(handheld.run("records.js", "all", "person")) == before


def test_a_cloned_device_forks_is_set_apart_and_goes_on_under_a_new_run(
    handheld: Handheld,
) -> None:
    note(handheld)
    kept_once(handheld)
    handheld.device.context.close()
    clone = handheld.device.profile.with_name("clone")
    shutil.copytree(handheld.device.profile, clone)
    handheld.device.start()
    handheld.device.open()
    handheld.ready()
    note(handheld)
    handheld.drained()
    handheld.device.context.close()
    handheld.device.profile = clone
    handheld.device.start()
    handheld.device.guard.allow("status of 409")
    handheld.device.open()
    handheld.ready()
    handheld.device.offline()
    note(handheld, 2)
    handheld.device.offline(False)
    expect(handheld.page.locator("#status")).to_contain_text("Needs help")
    handheld.go("/h/outbox")
    expect(handheld.page.locator(".note.bad")).to_contain_text("another history")
    assert [kept["state"] for kept in handheld.outbox()] == ["acked", "forked", "forked"]
    handheld.page.get_by_role("link", name="Enrol anew").click()
    handheld.page.get_by_label("Enrolment code").fill(handheld.casino.code())
    handheld.page.get_by_role("button", name="Enrol").click()
    handheld.heading("Home")
    note(handheld)
    handheld.drained()
    last = handheld.outbox()[-1]
    assert (last["run"], last["seq"], last["state"]) == (2, 1, "acked")


def test_a_revoked_device_sends_what_it_has_and_is_then_wiped(
    handheld: Handheld,
) -> None:
    handheld.device.offline()
    note(handheld, 3)
    device = handheld.id()
    sent = [kept["id"] for kept in handheld.outbox()]
    handheld.casino.stop()
    with closing(open_ledger(config(handheld.casino.data))) as ledger:
        devices.revoke(ledger, device, [])
    handheld.casino.start()
    handheld.device.offline(False)
    handheld.heading("Enrol this handheld")
    expect(handheld.page.locator(".note.warn")).to_contain_text("revoked")
    assert handheld.outbox() == []
    assert handheld.run("records.js", "all", "person") == []
    handheld.run("store.js", "setMeta", "device", {"device": device})
    assert held(handheld.casino, handheld) == sent
