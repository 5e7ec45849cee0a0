"""What a signed gaming day says of what came for it later, on both databases."""

from __future__ import annotations

import pytest

from custody.ledger import desk, judging, signing_off, totals
from custody.ledger.cache import Cache
from custody.ledger.core import Ledger
from custody.ledger.errors import Refused
from custody.ledger.people import save_person
from custody.ledger.reading import signed_off, unsigned
from custody.ledger.rebuilding import digest, rebuild
from custody.rules import days
from tests.support import cast
from tests.support.device import Device

AL = [{"person": "al", "how": "password"}]
TWO_DAYS_MS = 2 * 86_400_000  # a gaming day may have 25 hours


@pytest.fixture
def then(ledger: Ledger) -> int:
    return ledger.clock() - TWO_DAYS_MS


@pytest.fixture
def day(ledger: Ledger, then: int) -> str:
    save_person(ledger, "al", {"job": "accounting_supervisor"}, [])
    with ledger.database.reading() as connection:
        return days.gaming_day(judging.book_of(Cache(connection)), then)


def test_what_comes_for_a_signed_day_is_taken_told_late_and_listed_with_it(
    ledger: Ledger, device: Device, then: int, day: str
) -> None:
    signing_off.sign_off(ledger, day, "", AL)
    with pytest.raises(Refused):
        signing_off.sign_off(ledger, day, "", AL)
    device.record("receive", at=then, **cast.receive("D5-001", "D5-002"))
    device.record("receive", **cast.receive("D5-003"))
    answer = device.push().json
    assert answer["acked"] == 2
    assert [(one["seq"], one["kind"]) for one in answer["exceptions"]] == [(1, "late")]
    found = signed_off.of_day(ledger, day, "dice")
    assert found is not None
    assert (found["late"], found["since"], len(found["entries"])) == (1, 1, 1)
    listed, more = signed_off.open_of_day(ledger, day)
    assert [one["kind"] for one in listed] == ["late"]
    assert not more
    with ledger.database.reading() as connection:
        live = digest(connection)
    assert rebuild(ledger) == live


def test_a_day_with_movement_is_unsigned_from_its_end_until_it_is_signed_off(
    ledger: Ledger, device: Device, then: int, day: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = {"days": [], "n": 0, "more": False}
    device.record("receive", at=then, **cast.receive("D5-001"))
    device.record("receive", **cast.receive("D5-002"))
    device.push()
    assert unsigned.of(ledger) == {"days": [day], "n": 1, "more": False}
    entry = signing_off.sign_off(ledger, day, "", AL)
    assert unsigned.of(ledger) == nothing
    wrong = {"event": entry.id, "reason": "A box was not counted yet."}
    desk.record_at_desk(ledger, {"step": "correct", "with": wrong}, AL)
    monkeypatch.setattr(totals, "STEP", 1)
    with ledger.database.writing() as connection:
        totals.catch_up(connection)
    assert unsigned.of(ledger) == {"days": [day], "n": 1, "more": False}
    with monkeypatch.context() as later:
        later.setattr(ledger, "clock", lambda: then + 2 * TWO_DAYS_MS)
        found = unsigned.of(ledger)
        later.setattr(unsigned, "SHOWN", 1)
        later.setattr(unsigned, "LOOKED_AT", 2)
        assert unsigned.of(ledger) == {"days": found["days"][:1], "n": 2, "more": True}
    assert (found["days"][1], found["n"]) == (day, 2)
