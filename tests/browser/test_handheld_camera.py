"""The camera of a handheld: a label in front of it, and what is said where there is none."""

import re
from pathlib import Path

import pytest
import qrcode
from playwright.sync_api import expect

from tests.browser.conftest import HandOut, OpenDevice
from tests.browser.handheld import Handheld
from tests.support.camera import film
from tests.support.casino import Casino


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    return film(qrcode.make("D5-001").get_image(), tmp_path / "label.y4m", share=0.5)


def test_a_label_held_in_view_for_five_seconds_is_one_scan(
    hand_out: HandOut, picture: Path
) -> None:
    handheld = hand_out(film=picture)
    handheld.receive("D5-001..D5-002", 2)
    handheld.go("/h/")
    handheld.heading("Home")
    handheld.page.get_by_role("button", name="Camera").click()
    handheld.heading("D5-001")
    handheld.page.wait_for_timeout(5000)
    camera = [one for one in handheld.scans() if one["how"] == "camera"]
    assert [(one["raw"], one["result"]) for one in camera] == [("D5-001", "item")]
    handheld.page.get_by_label("Close the camera").click()
    handheld.device.offline()
    handheld.reload()
    handheld.go("/h/")
    handheld.heading("Home")
    handheld.page.get_by_role("button", name="Camera").click()
    handheld.heading("D5-001")


def test_a_camera_first_opened_without_a_network_reads_all_the_same(
    open_device: OpenDevice, new_casino: Casino, picture: Path
) -> None:
    handheld = Handheld(open_device(new_casino.url, film=picture), new_casino).enrol()
    handheld.sign_on("fay").receive("D5-001..D5-002", 2)
    handheld.reader_kept()
    handheld.device.offline()
    handheld.reload()
    handheld.go("/h/")
    handheld.heading("Home")
    handheld.page.get_by_role("button", name="Camera").click()
    handheld.heading("D5-001")


# A camera that the browser is still asking for; `given` answers with a picture of nothing.
ASKED = """() => {
  const real = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = () => new Promise((done) => {
    navigator.mediaDevices.getUserMedia = real;
    window.given = async () => {
      const stream = document.createElement("canvas").captureStream();
      done(stream);
      await new Promise((then) => setTimeout(then));
      return stream.getTracks().map((track) => track.readyState);
    };
  });
}"""


def test_a_camera_closed_while_it_is_asked_for_stays_off_and_one_refused_gives_a_field_to_type_in(
    hand_out: HandOut,
) -> None:
    handheld = hand_out(arguments=("--deny-permission-prompts",))
    handheld.page.evaluate(ASKED)
    handheld.page.get_by_role("button", name="Camera").click()
    handheld.page.get_by_label("Close the camera").click()
    assert handheld.page.evaluate("given()") == ["ended"]
    handheld.page.get_by_role("button", name="Camera").click()
    panel = handheld.page.locator("#camera")
    expect(panel.locator("[data-note]")).to_contain_text(re.compile("type the code", re.IGNORECASE))
    expect(panel.get_by_label("Code")).to_be_focused()
    panel.get_by_label("Code").fill(handheld.place("CR1"))
    panel.get_by_role("button", name="OK").click()
    handheld.heading("CR1")
