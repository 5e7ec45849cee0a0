"""Silence is a record too: periods without contact, clocks that jumped, runs that began anew."""

from custody.ledger import devices
from custody.ledger.core import Ledger
from custody.ledger.reading import records, silence
from custody.ledger.reading.keyset import Cut
from custody.routes import versions
from tests.routes import cast
from tests.routes.conftest import Enrol, Open, page, text

HOUR = 3_600_000


def rows(browser: object, address: str, section: str) -> list[str]:
    answer = browser.get(address)  # type: ignore[attr-defined]
    assert answer.status_code == 200
    found = page(answer).css(f"section[aria-labelledby={section}] tbody tr")
    return [" ".join(one.text(separator=" ").split()) for one in found]


def test_a_period_without_contact_is_listed_with_what_came_at_its_end(
    desk: Open, handheld: Enrol, clock: cast.Clock
) -> None:
    device = handheld("Vault reader")
    clock.now += 6 * HOUR
    device.record("inspect", items=["D5-004"], by=["fay"], saw=device.saw("D5-004"))
    assert device.push().status == 200
    browser = desk("sue")
    [told] = rows(browser, "/silence", "h-periods")
    assert told == ("Vault reader 2026-12-02 14:00 -05:00 2026-12-02 20:00 -05:00 6 h 1")
    assert rows(browser, "/silence?hours=12", "h-periods") == []
    assert "No silence of that length" in text(
        browser.get("/silence?hours=12", part=True), "main,*"
    )


def test_a_device_that_is_silent_now_is_said_to_be(
    desk: Open, handheld: Enrol, clock: cast.Clock
) -> None:
    handheld("Vault reader")
    clock.now += 30 * HOUR
    [told] = rows(desk("sue"), "/silence?hours=24", "h-periods")
    assert "still silent 1 d 6 h" in told
    [device] = rows(desk("sue"), "/silence?hours=24", "h-devices")
    assert device.startswith("Vault reader Active")


def test_a_revoked_device_is_not_waited_for(
    ledger: Ledger, handheld: Enrol, clock: cast.Clock
) -> None:
    device = handheld("Vault reader")
    devices.revoke(ledger, device.id, [{"person": "ada", "how": "password"}])
    clock.now += 30 * HOUR
    assert silence.of(ledger, clock.now - 48 * HOUR, HOUR, Cut(9))["periods"] == []


def test_clocks_lines_and_new_runs_are_listed(
    desk: Open, ledger: Ledger, handheld: Enrol, clock: cast.Clock
) -> None:
    device = handheld("Pit 1 tablet")
    ahead = {"at": clock.now + HOUR, "server": clock.now}
    device.record("inspect", items=["D5-004"], by=["fay"], saw=device.saw("D5-004"), **ahead)
    device.write(b"not an event")
    assert device.push().status == 200
    code = devices.new_code(ledger, "ada")
    assert device.enrol(code, "Pit 1 tablet", device=device.id, run=2).status == 201
    told = rows(desk("sue"), "/silence", "h-faults")
    assert [line.split(" Pit 1 tablet")[0].split()[0:2] for line in told]
    joined = " ".join(told)
    assert "New run Run 2 began" in joined
    assert "The clock of Pit 1 tablet was 1 h ahead" in joined
    assert "cannot be read" in joined


def test_what_is_asked_for_and_no_choice_is_the_usual(desk: Open) -> None:
    answer = desk("sue").get("/silence?days=x&hours=999")
    assert answer.status_code == 200
    chosen = [one.attributes["value"] for one in page(answer).css("option[selected]")]
    assert chosen == ["7", "4"]


def test_a_device_that_runs_an_older_version_is_said_to(
    desk: Open, ledger: Ledger, handheld: Enrol, clock: cast.Clock
) -> None:
    device, began = handheld("Vault reader"), clock.now
    book = str(records.known(ledger, "setting", "site")["rulebook"])
    for after, said in ((0, f"0123456789ab {book}"), (HOUR, "0123456789ab; other"), (HOUR, "")):
        clock.now = began + after
        assert device.call("GET", "/sync/v1/changes", **{"Custody-App": said}).status == 200
    for address in ("/silence", "/devices"):
        found = page(desk("ada").get(address)).css_first("td[data-label=Version]")
        told = " ".join(found.text(separator=" ").split())
        since, newest = "2026-12-02 14:00 -05:00", versions.newest()
        assert told == f"0123456789ab Older version since {since} · newest is {newest} {book}"


def test_a_device_that_was_brought_up_to_date_is_said_to_be(
    desk: Open, handheld: Enrol, clock: cast.Clock
) -> None:
    device, began = handheld("Vault reader"), clock.now
    for after, said in ((0, "0123456789ab md@2020.1"), (HOUR, f"{versions.newest()} md@2020.1")):
        clock.now = began + after
        assert device.call("GET", "/sync/v1/changes", **{"Custody-App": said}).status == 200
    found = page(desk("ada").get("/devices")).css_first("td[data-label=Version]")
    told = " ".join(found.text(separator=" ").split())
    assert told.startswith(f"{versions.newest()} since 2026-12-02 15:00 -05:00 md@2020.1 in force")
