"""Devices, places and the log at the desk."""

import pytest

from custody.ledger import devices, places
from custody.ledger.core import Ledger
from custody.ledger.reading import records
from tests.routes.conftest import Enrol, Open, page, text
from tests.support.device import Device, FlaskHttp

TABLE = {"id": "CR9", "type": "table", "game": "craps", "pit": "pit1", "approved": "yes"}


def test_an_enrolment_code_is_shown_with_its_qr_and_enrols_one_device(
    desk: Open, ledger: Ledger
) -> None:
    browser = desk("ada")
    answer = browser.post("/devices/code")
    assert answer.status_code == 200
    code = text(answer, ".big")
    assert page(answer).css_first("svg.qr path").attributes["d"]
    assert f"http://localhost/h/enrol#{code.replace('-', '')}" in text(answer)
    device = Device(FlaskHttp(browser.client.application), ledger.clock)
    assert device.enrol(code, "Pit 2 tablet").status == 201
    assert "Pit 2 tablet" in text(browser.get("/devices"), "tbody")


def test_the_code_is_not_shown_again(desk: Open) -> None:
    browser = desk("ada")
    browser.post("/devices/code")
    assert page(browser.get("/devices")).css(".big") == []


def test_a_device_is_revoked_and_says_so(desk: Open, handheld: Enrol, ledger: Ledger) -> None:
    device, browser = handheld("Pit 1 tablet"), desk("ada")
    assert browser.post(f"/devices/{device.id}/revoke").status_code == 303
    assert records.known(ledger, "device", device.id)["state"] == devices.REVOKED
    assert "Revoked" in text(browser.get("/devices"), "tbody")
    again = browser.post(f"/devices/{device.id}/revoke")
    assert again.status_code == 422
    assert "revoked already" in text(again, "[role=alert]")


def test_only_a_pending_device_is_approved(desk: Open, handheld: Enrol) -> None:
    device = handheld("Pit 1 tablet")
    answer = desk("ada").post(f"/devices/{device.id}/approve")
    assert answer.status_code == 422
    assert "only a pending device" in text(answer, "[role=alert]")


def test_an_unknown_device_is_404(desk: Open) -> None:
    assert desk("ada").post("/devices/nothing/approve").status_code == 404
    assert desk("ada").post("/devices/nothing/revoke").status_code == 404


def test_a_place_is_added_and_changed(desk: Open, ledger: Ledger) -> None:
    browser = desk("ada")
    assert browser.post("/places", **TABLE).status_code == 303
    assert records.known(ledger, "place", "CR9")["game"] == "craps"
    changed = {**TABLE, "approved": "", "game": "mini_craps"}
    assert browser.post("/places/CR9", **changed).status_code == 303
    value = records.known(ledger, "place", "CR9")
    assert value["game"] == "mini_craps"
    assert value["approved"] is False
    assert "Not approved" in text(browser.get("/places"), "tbody")


def test_a_change_of_a_place_keeps_what_the_form_does_not_ask(desk: Open, ledger: Ledger) -> None:
    held = {"type": "destruction", "off_site": True, "agents": ["Shred Inc"], "surveilled": False}
    places.save_place(ledger, "shred2", held, [{"person": "ada", "how": "password"}])
    sent = desk("ada").post("/places/shred2", name="Shredder", type="destruction", approved="yes")
    assert sent.status_code == 303
    value = records.known(ledger, "place", "shred2")
    assert value == {**held, "name": "Shredder", "approved": True}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"type": ""}, "Choose a type"),
        ({"type": "castle"}, "castle"),
        ({"id": "CR1"}, "A place has this name"),
        ({"id": "two words"}, "without blanks"),
        ({"pit": "vault"}, "no pit stand"),
        ({"use": "primry"}, "did you mean 'primary'?"),
    ],
)
def test_a_mistake_in_a_place_is_422_and_changes_nothing(
    desk: Open, ledger: Ledger, changed: dict[str, str], told: str
) -> None:
    size = ledger.size()
    answer = desk("ada").post("/places", **{**TABLE, **changed})
    assert answer.status_code == 422
    assert told in text(answer)
    assert ledger.size() == size


def test_an_unknown_place_is_404(desk: Open) -> None:
    assert desk("ada").get("/places/nowhere").status_code == 404
    assert desk("ada").post("/places/nowhere", type="dock").status_code == 404


def test_the_log_shows_its_size_and_each_chain(desk: Open, handheld: Enrol, ledger: Ledger) -> None:
    device = handheld("Pit 1 tablet")
    device.record("access", kind="dice", where="vault", **{"with": {"reason": "check"}}, by=["fay"])
    device.push()
    answer = desk("iris").get("/events")
    assert f"Events {ledger.size()}" in text(answer, ".facts")
    assert "custody/harbor" in text(answer, ".facts")
    assert "Pit 1 tablet 1 1 1" in text(answer, "tbody")


def test_an_event_shows_the_exact_bytes_that_were_signed(
    desk: Open, handheld: Enrol, ledger: Ledger
) -> None:
    device = handheld("Pit 1 tablet")
    device.write(b'{"not": "<an event>"')
    device.push()
    answer = desk("iris").get(f"/events/{ledger.size() - 1}")
    assert page(answer).css_first("pre.bytes").text() == '{"not": "<an event>"'
    assert "could not be read" in text(answer, ".life")


def test_an_event_past_the_end_is_404(desk: Open, ledger: Ledger) -> None:
    assert desk("iris").get(f"/events/{ledger.size()}").status_code == 404
    assert desk("iris").get("/events/minus").status_code == 404
