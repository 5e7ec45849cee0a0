"""The page that checks a receipt, filled in for an event, and the receipt as a file."""

import json

import pytest

from custody.ledger.core import Ledger
from custody.ledger.log.errors import Stopped
from tests.routes.conftest import Open, page, text


def test_the_page_is_filled_in_with_an_events_receipt_and_line(desk: Open, ledger: Ledger) -> None:
    answer = desk("cora").get("/receipts?event=3")
    tree = page(answer)
    receipt = tree.css_first("#f-receipt").text()
    assert receipt.startswith("c2sp.org/tlog-proof@v1")
    assert json.loads(tree.css_first("#f-line").text())["step"]
    assert ledger.log.verifiers()[0] in tree.css_first("#f-keys").text()
    assert tree.css_first(".title a[download]").attributes["href"] == "/receipts/3.txt"


def test_a_receipt_is_saved_as_a_file(desk: Open) -> None:
    answer = desk("cora").get("/receipts/3.txt")
    assert answer.text.startswith("c2sp.org/tlog-proof@v1\n")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="receipt-3.txt"'
    assert answer.mimetype == "text/plain"


def test_the_empty_page_asks_for_a_receipt_and_carries_its_words(desk: Open) -> None:
    tree = page(desk("sam").get("/receipts"))
    assert tree.css_first("#f-receipt").text() == ""
    said = json.loads(str(tree.css_first("form[data-receipt]").attributes["data-said"]))
    assert (
        said["place"]
        == "The event is number {position} of the log {origin}, which had {size} events."
    )


@pytest.mark.parametrize("address", ["/receipts?event=9999", "/receipts/9999.txt"])
def test_an_event_that_is_not_there_is_404(desk: Open, address: str) -> None:
    assert desk("cora").get(address).status_code == 404


def test_a_log_that_stopped_gives_no_receipt_and_says_so(
    desk: Open, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(_id: str) -> None:
        raise Stopped("the log has stopped: a device saw another one")

    monkeypatch.setattr(ledger.log, "receipt", stopped)
    browser = desk("cora")
    assert "a device saw another one" in text(browser.get("/receipts?event=3"), ".note.warn")
    assert browser.get("/receipts/3.txt").status_code == 404


def test_an_event_leads_to_its_receipt(desk: Open) -> None:
    links = [a.attributes["href"] for a in page(desk("cora").get("/events/3")).css(".title a")]
    assert links == ["/receipts?event=3"]
