"""The harness itself: what it must catch, and what must survive."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from PIL import Image

from tests.browser.conftest import OpenDevice
from tests.support.camera import film

POLICY = "default-src 'self'; media-src 'self' blob:"
PAGES = {
    "/": "<!doctype html><link rel=icon href=data:,><title>still</title>",
    "/inline": "<!doctype html><link rel=icon href=data:,><script>1</script>",
    "/away": "<!doctype html><link rel=icon href=data:,><img src=http://127.0.0.1:9/x.png>",
    "/loud": "<!doctype html><link rel=icon href=data:,><script src=/loud.js></script>",
    "/throws": "<!doctype html><link rel=icon href=data:,><script src=/throws.js></script>",
    "/gap": "<!doctype html><link rel=icon href=data:,><script src=/missing.js></script>",
    "/loud.js": "console.error('spilt')",
    "/throws.js": "setTimeout(() => { throw new Error('dropped'); }, 0)",
}


class Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path in PAGES else 404)
        kind = "text/javascript" if self.path.endswith(".js") else "text/html"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", POLICY + "; img-src * data:")
        self.end_headers()
        self.wfile.write(PAGES.get(self.path, "").encode())

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def origin() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/inline", "content security policy: script-src"),
        ("/away", "a request left the origin"),
        ("/loud", "spilt"),
        ("/throws", "dropped"),
        ("/gap", "404"),
    ],
)
def test_a_page_that_misbehaves_is_caught(
    open_device: OpenDevice, origin: str, path: str, said: str
) -> None:
    device = open_device(origin)
    device.open(path)
    device.page.wait_for_timeout(300)
    with pytest.raises(AssertionError, match=said):
        device.check()
    device.guard.problems.clear()


def test_a_cut_network_is_no_fault_of_the_page(open_device: OpenDevice, origin: str) -> None:
    device = open_device(origin)
    device.open("/")
    device.offline()
    assert device.page.evaluate("fetch('/').then(() => 'on', () => 'off')") == "off"
    device.offline(False)
    assert device.page.evaluate("fetch('/').then(() => 'on', () => 'off')") == "on"


@pytest.mark.parametrize("how", ["restart", "kill"])
def test_what_a_device_has_stored_outlives_its_browser(
    open_device: OpenDevice, origin: str, how: str
) -> None:
    device = open_device(origin)
    device.open("/")
    device.page.evaluate(
        """new Promise((done) => {
          const ask = indexedDB.open("kept", 1);
          ask.onupgradeneeded = () => ask.result.createObjectStore("box");
          ask.onsuccess = () => {
            const write = ask.result.transaction("box", "readwrite", { durability: "strict" });
            write.objectStore("box").put("here", "where");
            write.oncomplete = () => done(true);
          };
        })"""
    )
    getattr(device, how)()
    device.open("/")
    found = device.page.evaluate(
        """new Promise((done) => {
          indexedDB.open("kept", 1).onsuccess = (event) => {
            const get = event.target.result.transaction("box").objectStore("box").get("where");
            get.onsuccess = () => done(get.result);
          };
        })"""
    )
    assert found == "here"


def test_a_picture_is_what_the_camera_sees(
    open_device: OpenDevice, origin: str, tmp_path: Path
) -> None:
    shown = film(Image.new("RGB", (200, 100), (220, 20, 20)), tmp_path / "label.y4m")
    device = open_device(origin, film=shown)
    device.open("/")
    pixel = device.page.evaluate(
        """async () => {
          const video = document.createElement("video");
          video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
          await video.play();
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
          const pen = canvas.getContext("2d");
          pen.drawImage(video, 0, 0);
          const middle = pen.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data;
          return [...middle].slice(0, 3);
        }"""
    )
    assert pixel[0] > 180
    assert max(pixel[1:]) < 70
