"""What no database keeps alike is refused before either is asked."""

import pytest

from custody.ledger.core import Ledger
from tests.routes.conftest import Open


@pytest.mark.parametrize("address", ["/items/D5%00", "/search?q=D5%00", "/exceptions?%00=1"])
def test_an_address_with_a_nul_is_refused(desk: Open, address: str) -> None:
    assert desk("sue").get(address).status_code == 400


def test_a_form_with_a_nul_is_refused_and_nothing_is_stored(desk: Open, ledger: Ledger) -> None:
    browser, size = desk("sue"), ledger.size()
    assert browser.post("/steps/notify", items="D5-001", note="a\0b").status_code == 400
    assert ledger.size() == size


def test_the_protocol_refuses_an_address_with_a_nul(desk: Open) -> None:
    answer = desk().get("/sync/v1/receipts/%00")
    assert (answer.status_code, answer.content_type) == (400, "application/problem+json")
