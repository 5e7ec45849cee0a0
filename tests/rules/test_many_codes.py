"""What an event costs grows with the codes that it names, and not with their square."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from custody.rules import claiming, plausible, preparing, reasons
from tests.rules.scenes import Ledger

Play = Callable[[Ledger, str], Any]


def stored(ledger: Ledger, run: str) -> str:
    ledger.receive(run)
    return ledger.step("store", run, "fay sam", to="vault")


def correct(ledger: Ledger, run: str) -> None:
    ledger.step("correct", None, "pam", event=stored(ledger, run), reason="another place")


def claimed(ledger: Ledger, run: str) -> str:
    """Two handhelds move the same run; return the event that the second one knew."""
    stored(ledger, run)
    seen = f"e{ledger.count - 1}"
    event = ledger.draft("issue", run, "fay sam pam", to="pit1")
    ledger.record({**event, "saw": {run: seen}})
    return seen


def settle(ledger: Ledger, run: str) -> None:
    claimed(ledger, run)
    second = f"e{ledger.count}"
    fields = {"exception": "concurrent-claim", "outcome": "moved", "stands": second}
    ledger.step("resolve", run, "pam", **fields)
    assert ledger.item(run.partition("..")[0])["place"] == "pit1"


@pytest.mark.parametrize("play", [correct, claimed, settle])
def test_an_event_is_made_ready_as_often_for_many_codes_as_for_a_few(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []
    real = preparing.prepare

    def prepare(*given: Any, **more: Any) -> Any:
        counted[-1] += 1
        return real(*given, **more)

    monkeypatch.setattr(preparing, "prepare", prepare)
    for last in ("003", "040"):
        counted.append(0)
        play(Ledger(), f"D5-001..D5-{last}")
    assert counted[0] == counted[1] > 0


class Code(str):
    """A code that counts how often it is compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Code.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_what_is_said_of_many_codes_is_gathered_without_comparing_each_with_each() -> None:
    codes: list[str] = [Code(f"D5-{n:03}") for n in range(200)]
    book = {"words": {"kinds": {"dice": {"forms": ["stick"]}}}}
    draft = {"kind": "dice", "form": "stick"}
    found: dict[str, Any] = {
        **{"reasons": [], "into": None, "codes": codes, "book": book, "draft": draft},
        **{"items": [[str(code), {}, None] for code in codes]},
    }
    plausible._codes(found, {"creates": True})
    reasons.add(found, "code-taken", None, {}, [str(code) for code in codes[100:]])
    assert found["reasons"][0]["items"] == codes
    facts = type("Facts", (), {"get": lambda self, of, code: {"contents": codes}})()
    event = {"step": "store", "into": None}
    told = claiming.broken(facts, event, {"codes": ["EV-1"]}, {**found["reasons"][0], "values": {}})
    assert told["items"] == [*codes, "EV-1"]
    assert Code.compared < 20 * len(codes)
