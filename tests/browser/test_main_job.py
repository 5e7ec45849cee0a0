"""The main job on real input: one stick of dice from the supplier's box to the drill.

A founded casino, a desk, a phone at the dock and in security's hands, a tablet in the pit. Labels
are printed and read from their pictures; the pit works without a network, through a kill.
"""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from playwright.sync_api import expect
from pyzbar.pyzbar import decode

from tests.browser.conftest import OpenDevice
from tests.browser.desk import Desk
from tests.browser.handheld import Handheld, held
from tests.browser.test_handheld_flows import COUNT
from tests.support.camera import film
from tests.support.house import PLACE_CODES, House
from tests.support.server import Server, custody

BOX = 6  # sticks in the supplier's box
SEAL = "S0009917"
LIFE = [
    ("Receive", "Fay Moss, Sam Tate", "Receiving dock"),
    ("Store", "Fay Moss, Sam Tate", "Receiving dock → Dice vault"),
    ("Issue", "Fay Moss, Sam Tate, Pam Ortiz", "Dice vault → Pit 1 stand"),
    ("Issue", "Fay Moss, Dee Lind", "Pit 1 stand → CR1"),
    ("Inspect", "Fay Moss, Dee Lind", "CR1"),
    ("Put in play", "Fay Moss, Dee Lind", "CR1"),
    ("Remove", "Dee Lind, Fay Moss, Gus Hale", "CR1"),
    ("Inspect", "Gus Hale, Dee Lind, Fay Moss", "CR1"),
    ("Pack and seal", "Dee Lind, Fay Moss, Gus Hale", "CR1 → Pit 1 stand"),
    ("Collect", "Sam Tate", "Pit 1 stand"),
    ("Deliver", "Sam Tate", "Pit 1 stand → Security office"),
    ("Open an envelope", "Sam Tate, Sue Vance", "Security office"),
    ("Cancel", "Sam Tate, Sue Vance", "Destruction room"),
]


class Labels:
    """Printed labels, each as the picture that a camera sees."""

    def __init__(self, folder: Path):
        self.folder = folder

    def picture(self, code: str, title: str = "") -> Image.Image:
        """Print one label and return its picture, which says nothing but its code."""
        file = self.folder / f"{code}.png"
        custody("label", code, "--out", str(file), *(["--title", title] if title else []))
        made = Image.open(file)
        assert {one.data.decode() for one in decode(made.convert("L"))} == {code}
        return made


class Story:
    """The people's devices, and what the labels are."""

    def __init__(self, house: House, open_device: OpenDevice, folder: Path):
        self.house, self.labels = house, Labels(folder)
        self.film = film(Image.new("RGB", (8, 8), "white"), folder / "camera.y4m")
        self.desk = Desk(open_device(house.url, screen="desktop"), house)
        phone = open_device(house.url, screen="phone", film=self.film)
        self.phone = Handheld(phone, house)
        tablet = open_device(house.url, screen="tablet", film=self.film)
        self.pit = Handheld(tablet, house)

    def show(self, handheld: Handheld, code: str, title: str = "", shots: str = "") -> None:
        """Hold a printed label before the camera until it is taken."""
        film(self.labels.picture(code, title), self.film)
        before = len(handheld.scans())
        handheld.page.locator("#screen [data-camera]").click()
        handheld.until(lambda: len(handheld.scans()) > before)
        if shots:
            handheld.device.shots(shots)
        handheld.page.get_by_label("Close the camera").click()
        assert handheld.scans()[-1]["raw"] == code


@pytest.fixture
def story(open_device: OpenDevice, servers: list[Server], tmp_path: Path) -> Story:
    house = House(tmp_path)
    servers.append(house.start())
    return Story(house, open_device, tmp_path)


def test_a_stick_goes_from_the_suppliers_box_to_the_drill_and_the_desk_shows_its_life(
    story: Story,
) -> None:
    found_the_house(story)
    sticks, envelope = print_the_labels(story)
    stick = sticks[0]
    receive_and_store(story, sticks)
    issue(story, stick)
    story.pit.until(lambda: at(story.pit, stick) == PLACE_CODES["Pit 1 stand"])
    story.pit.reader_kept()
    story.pit.device.offline()
    open_the_table(story, stick)
    close_the_table(story, stick, envelope)
    assert held(story.house, story.pit) == [], "the pit had no network"
    story.pit.device.offline(False)
    story.pit.drained()
    collect_and_deliver(story, envelope)
    destroy(story, stick, envelope)
    story.phone.drained()
    the_desk_shows_the_life(story, stick, envelope)
    every_other_screen_opens(story)
    the_log_is_sound(story)


# --- the desk founds the casino ---


def found_the_house(story: Story) -> None:
    desk = story.desk
    desk.welcome(story.house.welcome, "ada")
    desk.device.shots("desk-today-empty")
    for handle, person in story.house.people.items():
        if person.pin:
            desk.give(handle)
    desk.device.shots("desk-person")
    for name in ("people", "places", "devices", "events"):
        desk.device.open(f"/{name}")
        expect(desk.page.locator("h1")).to_be_visible()
        desk.device.shots(f"desk-{name}")
    link = desk.link("sue")
    desk.sign_out()
    desk.device.shots("desk-sign-in")
    desk.welcome(link, "sue")


def print_the_labels(story: Story) -> tuple[list[str], str]:
    """Return the codes of the box's sticks and of an envelope, as the labels' pictures say them."""
    desk = story.desk
    sticks = desk.read(desk.reserve("DS", BOX))
    assert len(set(sticks)) == BOX
    assert all(re.fullmatch(r"DS-\d{7}[A-Z]", code) for code in sticks)
    desk.device.shots("desk-photo")
    pdf = desk.reserve("EV", 1, "pdf")
    [envelope] = desk.read(rendered(pdf))
    places = list(PLACE_CODES.values())
    assert desk.read(desk.print(places)) == places
    desk.device.open("/labels")
    desk.device.shots("desk-labels")
    return sticks, envelope


def rendered(pdf: Path) -> Path:
    """Return a picture of the first page of a PDF at 203 dpi, as a label printer makes it."""
    document = pypdfium2.PdfDocument(pdf)
    picture = pdf.with_name(f"{pdf.name}-page.png")
    document[0].render(scale=203 / 72).to_pil().save(picture)
    document.close()
    return picture


# --- the handhelds ---


def receive_and_store(story: Story, sticks: list[str]) -> None:
    phone, pit = story.phone, story.pit
    phone.device.open()
    phone.ready()
    phone.device.shots("handheld-enrol")
    phone.enrol("Dock phone")
    pit.enrol("Pit 1 tablet")
    phone.device.shots("handheld-who-is-here")
    story.show(phone, story.house.people["fay"].badge, "Fay Moss")
    phone.heading("Fay Moss")
    phone.device.shots("handheld-pin")
    phone.pin("fay")
    phone.heading("Home")
    phone.sign_on("sam")
    phone.device.shots("handheld-home-empty")
    phone.page.get_by_role("link", name="Receive").click()
    phone.heading("Receive")
    story.show(phone, sticks[0])
    for code in sticks[1:]:
        phone.scan(code)
    field = phone.page.get_by_label("Items")
    expect(field).to_have_value("\n".join(sticks))
    fill_the_delivery(phone, len(sticks))
    phone.device.shots("handheld-receive")
    phone.page.get_by_role("button", name="To the signatures").click()
    phone.sign_as("fay")
    phone.device.shots("handheld-sign")
    phone.sign("sam")
    phone.device.shots("handheld-recorded")
    phone.step("store", sticks, PLACE_CODES["Dice vault"]).sign("fay", "sam")


def fill_the_delivery(phone: Handheld, count: int) -> None:
    page = phone.page
    page.get_by_label("5", exact=True).check()
    page.get_by_label("craps", exact=True).check()
    page.get_by_label("To *").select_option(label="Receiving dock")
    for name, value in {"invoice": "INV-1", "invoiced": str(count), "box": "BOX-1"}.items():
        page.locator(f'input[name="with.{name}"]').fill(value)
    page.get_by_label("intact").check()


def issue(story: Story, stick: str) -> None:
    phone = story.phone
    phone.go("/h/")
    phone.heading("Home")
    story.show(phone, stick)
    phone.heading(stick)
    phone.device.shots("handheld-item")
    phone.page.get_by_role("link", name=re.compile("Issue.*Pit 1 stand")).first.click()
    phone.heading("Issue")
    phone.page.get_by_role("button", name="To the signatures").click()
    phone.sign("fay", "sam", "pam")


def at(handheld: Handheld, code: str) -> str:
    """Return where the handheld has an item, or nothing."""
    value = handheld.run("records.js", "record", "item", code)
    return str(value["place"]) if value else ""


def open_the_table(story: Story, stick: str) -> None:
    pit = story.pit
    pit.go("/h/people")
    pit.heading("Who is here")
    story.show(pit, story.house.people["fay"].badge, "Fay Moss")
    pit.pin("fay")
    pit.heading("Home")
    pit.device.shots("handheld-home-offline")
    pit.page.evaluate(COUNT)
    before = len(pit.scans())
    pit.open_table(stick).sign("fay", "dee")
    assert pit.page.evaluate("window.taps") <= 12
    assert len(pit.scans()) - before <= 3


def close_the_table(story: Story, stick: str, envelope: str) -> None:
    """The end of the day; the tablet's battery fails between two signatures."""
    pit = story.pit
    pit.go("/h/")
    pit.heading("Home")
    story.show(pit, PLACE_CODES["CR1"], "CR1")
    pit.heading("CR1")
    expect(pit.page.locator("#screen")).to_contain_text(stick)
    pit.device.shots("handheld-table")
    pit.page.get_by_role("link", name="End of the day", exact=True).click()
    pit.page.get_by_label("Dice counted").fill("5")
    pit.page.get_by_label("No damage, no tampering").check()
    story.show(pit, envelope)
    expect(pit.page.get_by_label("Envelope")).to_have_value(envelope)
    pit.scan(SEAL)
    expect(pit.page.get_by_label("Seal")).to_have_value(SEAL)
    pit.page.get_by_label("The label is attached").check()
    pit.device.shots("handheld-end-of-day")
    pit.page.get_by_role("button", name="To the signatures").click()
    pit.sign_as("dee")
    recorded = [kept["id"] for kept in pit.outbox()]
    pit.device.kill()
    pit.device.open()
    pit.ready()
    assert [kept["id"] for kept in pit.outbox()] == recorded
    pit.page.get_by_role("link", name="End of the day CR1").click()
    expect(pit.page.get_by_label("Envelope")).to_have_value(envelope)
    pit.page.get_by_role("button", name="To the signatures").click()
    pit.sign("dee", "fay", "gus")
    pit.go("/h/outbox")
    pit.heading("Outbox")
    pit.device.shots("handheld-outbox-offline")


def collect_and_deliver(story: Story, envelope: str) -> None:
    phone = story.phone
    phone.until(lambda: at(phone, envelope) == PLACE_CODES["Pit 1 stand"])
    phone.go("/h/")
    phone.page.get_by_role("link", name="Collection round").click()
    phone.heading("Collection round")
    story.show(phone, envelope, shots="handheld-camera")
    expect(phone.page.locator(".note.good")).to_contain_text("1 in hand")
    phone.device.shots("handheld-round")
    phone.page.get_by_role("button", name="Sign for 1").click()
    phone.sign("sam")
    phone.page.get_by_role("link", name="Go on").click()
    expect(phone.page.locator("#screen")).to_contain_text("You carry 1")
    story.show(phone, PLACE_CODES["Security office"], "Security office")
    phone.sign("sam")


def destroy(story: Story, stick: str, envelope: str) -> None:
    phone = story.phone
    phone.go("/h/")
    phone.page.get_by_role("link", name="Destruction").click()
    phone.heading("Destruction")
    story.show(phone, envelope)
    expect(phone.page.locator("#screen")).to_contain_text("scan or type the seal")
    expect(phone.page.locator("#screen")).not_to_contain_text(SEAL)
    phone.scan(SEAL)
    expect(phone.page.locator(".pill.good").last).to_contain_text("Seal intact")
    phone.page.get_by_label("drilled").check()
    phone.device.shots("handheld-destruction")
    phone.page.get_by_role("button", name="To the signatures").click()
    phone.sign("sam", "sue")
    phone.go(f"/h/item/{stick}")
    phone.heading(stick)
    phone.device.shots("handheld-item-end")


# --- what the desk and the log say ---


def the_desk_shows_the_life(story: Story, stick: str, envelope: str) -> None:
    desk = story.desk
    life = desk.life(stick)
    desk.device.shots("desk-item-life")
    told = [(one["step"], ", ".join(one["who"]), one["place"]) for one in life]
    assert told == [(*one[:2], one[2] + into(one[0], envelope)) for one in LIFE]
    for one in life:
        assert one["clauses"], f"{one['step']} cites no clause"
        assert re.search(r"\d:\d\d", one["facts"]["Device time"])
        assert re.search(r"\d:\d\d", one["facts"]["Received"])
    positions = [int(one["facts"]["Log position"]) for one in life]
    assert positions == sorted(set(positions)), "in the order of the log, each once"
    assert positions == recorded(story.house, stick)
    assert [one["pills"] for one in life] == [[]] * len(LIFE), "nothing is wrong"
    assert {one["facts"]["Device"].split(" run")[0].strip() for one in life} == {
        "Dock phone",
        "Pit 1 tablet",
    }
    assert [one["step"] for one in desk.life(envelope)] == [one[0] for one in LIFE[8:12]]
    desk.device.shots("desk-envelope")
    desk.device.open("/exceptions")
    expect(desk.page.locator("#main")).to_contain_text("No exception here")


def every_other_screen_opens(story: Story) -> None:
    desk, phone = story.desk, story.phone
    for name in ("stock", "reconcile", "envelopes", "exceptions", "find", "clauses", "steps"):
        desk.device.open(f"/{name}")
        expect(desk.page.locator("h1")).to_be_visible()
        desk.device.shots(f"desk-{name}")
    desk.device.open("/")
    desk.heading("Today")
    desk.device.shots("desk-today")
    for name in ("type", "scans", "steps", "settings", "clause/MD-02.13-A.4"):
        phone.go(f"/h/{name}")
        expect(phone.page.locator("h1").first).to_be_visible()
        phone.device.shots(f"handheld-{name.split('/')[0]}")


def into(step: str, envelope: str) -> str:
    return f" into {envelope}" if step == "Pack and seal" else ""


def recorded(house: House, code: str) -> list[int]:
    """Return the log's positions of every event whose text names the code, or its envelope."""
    query = "SELECT position FROM event_item WHERE code = ? ORDER BY position"
    with closing(sqlite3.connect(house.data / "custody.db")) as ledger:
        return [int(row[0]) for row in ledger.execute(query, [code])]


def the_log_is_sound(story: Story) -> None:
    house = story.house
    for device in (story.desk.device, story.phone.device, story.pit.device):
        device.guard.network_cut = True  # their pages are still there when the server goes
    house.stop()
    said = custody("verify", data=house.data)
    assert "all holds" in said
    digest = custody("rebuild", data=house.data)
    assert custody("rebuild", data=house.data) == digest
    custody("verify", data=house.data)
