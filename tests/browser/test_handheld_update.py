"""A new version of the app: all there or not there, and never at the cost of what was begun."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from werkzeug.serving import make_server

from custody.app import create_app
from custody.demo.casino import config
from custody.routes import handheld as routes
from tests.browser.conftest import OpenDevice
from tests.browser.handheld import Handheld
from tests.support.casino import Casino, Templates


class Here(Casino):
    """The casino served by this process, so that a test can change what it serves."""

    def start(self) -> "Here":
        self.httpd = make_server("127.0.0.1", 0, create_app(config(self.data)), threaded=True)
        self.url = f"http://127.0.0.1:{self.httpd.server_port}"
        threading.Thread(target=self.httpd.serve_forever, daemon=True).start()
        return self

    def stop(self) -> None:
        self.httpd.shutdown()
        self.httpd.server_close()


@pytest.fixture
def here(templates: Templates, servers: list[Any], tmp_path: Path) -> Here:
    started = Here(templates.copy(tmp_path / "casino", history=False)).start()
    servers.append(started)  # which end after the devices
    return started


def changed(monkeypatch: pytest.MonkeyPatch, **change: Any) -> None:
    """Serve another version from now on; `change` alters its manifest."""
    listed = {**json.loads(routes.manifest()), "version": "f" * 64, **change}
    monkeypatch.setattr(routes, "manifest", lambda: json.dumps(listed))


def caches(handheld: Handheld) -> list[str]:
    found: list[str] = handheld.page.evaluate("caches.keys()")
    return sorted(found)


def test_a_new_version_waits_until_the_person_takes_it_and_keeps_what_was_begun(
    open_device: OpenDevice, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = Handheld(open_device(here.url), here).enrol().sign_on("fay")
    device.page.wait_for_function("navigator.serviceWorker.controller !== null")
    device.go("/h/step?step=receive")
    device.page.locator("textarea[name=items]").fill("D5-001..D5-012")
    changed(monkeypatch)
    device.page.evaluate("navigator.serviceWorker.ready.then((found) => found.update())")
    update = device.page.get_by_role("button", name="Update and reload")
    update.wait_for()
    assert len(caches(device)) == 2
    queue = device.page.locator(".queue").bounding_box()
    beside = update.bounding_box()
    assert queue
    assert beside
    assert beside["y"] >= queue["y"] + queue["height"], "the queue's state stays in sight"
    expect(device.page.locator("textarea[name=items]")).to_have_value("D5-001..D5-012")
    with device.page.expect_navigation():
        update.click()
    device.ready()
    expect(device.page.locator("textarea[name=items]")).to_have_value("D5-001..D5-012")
    assert caches(device) == ["custody-" + "f" * 64]


def test_a_version_of_which_a_file_is_missing_is_not_there(
    open_device: OpenDevice, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = Handheld(open_device(here.url), here).enrol().sign_on("fay")
    device.page.wait_for_function("navigator.serviceWorker.controller !== null")
    device.device.guard.allow("status of 404|ServiceWorker|service worker")
    before = caches(device)
    files = [
        *json.loads(routes.manifest())["files"],
        {"path": "/static/gone.js", "load": "install"},
    ]
    changed(monkeypatch, files=files)
    device.page.evaluate(
        """navigator.serviceWorker.ready.then((found) => found.update()).catch(() => null)"""
    )
    tried = "navigator.serviceWorker.ready.then((found) => found.installing === null)"
    device.until(lambda: bool(device.page.evaluate(tried)))
    assert caches(device) == before
    device.device.offline()
    device.reload()
    device.heading("Home")
