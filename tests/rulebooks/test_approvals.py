"""The register of approvals: what was approved, from when, until when, and what runs without it."""

from __future__ import annotations

from typing import Any

import pytest

from custody.ledger import approvals, places
from custody.ledger.approvals import ApprovalError
from custody.ledger.cache import Cache
from custody.ledger.core import Ledger
from custody.ledger.judging import reasons_against
from custody.ledger.reading import approving
from tests.routes import cast

BY = [{"person": "ada", "how": "password"}]
DOCUMENT = "a" * 64


def entry(**changes: Any) -> dict[str, Any]:
    return {
        "of": "control",
        "subject": "dice_inspection",
        "value": "alternative_2",
        "reference": "IC-2026-014",
        "approved_on": "2026-11-01",
        "in_force": "2026-12-01",
        "document": DOCUMENT,
        **changes,
    }


def place(subject: str, **changes: Any) -> dict[str, Any]:
    return entry(of="place", subject=subject, value=None, **changes)


def running(ledger: Ledger, subject: str) -> dict[str, Any]:
    told = approving.standing(ledger)
    rows = [*told["controls"], *told["places"], *told["rules"]]
    return next(row for row in rows if row["subject"] == subject)


def on(ledger: Ledger, clock: cast.Clock, day: str) -> None:
    clock.now = cast.instant(f"{day}T14:00")


def test_a_choice_of_the_setting_holds_as_given_until_the_register_says_something(
    ledger: Ledger,
) -> None:
    row = running(ledger, "dice_inspection")
    assert (row["runs"], row["basis"], row["clauses"]) == ("alternative_1", "given", ["MD-02.13-F"])


def test_without_any_choice_the_strictest_reading_runs_and_says_so(ledger: Ledger) -> None:
    row = running(ledger, "collector_signature")
    assert (row["runs"], row["basis"]) == ("required", "text")
    assert row["clauses"] == ["MD-02.13-K.2", "MD-02.16-M.2"]


def test_an_approval_runs_from_its_first_gaming_day_to_its_last(
    ledger: Ledger, clock: cast.Clock
) -> None:
    approvals.enter(
        ledger,
        entry(
            subject="collector_signature",
            value="waived",
            in_force="2026-12-05",
            expires="2026-12-10",
        ),
        BY,
    )
    found = []
    for day in ("2026-12-04", "2026-12-05", "2026-12-10", "2026-12-11"):
        on(ledger, clock, day)
        row = running(ledger, "collector_signature")
        found.append((row["runs"], row["basis"]))
    assert found == [
        ("required", "text"),
        ("waived", "approved"),
        ("waived", "approved"),
        ("required", "lapsed"),
    ]


def test_an_event_is_judged_by_what_was_approved_on_its_own_day(ledger: Ledger) -> None:
    approvals.enter(ledger, entry(in_force="2026-12-05"), BY)
    draft = {
        "step": "inspect",
        "items": ["D5-003"],
        "from": None,
        "to": None,
        "into": None,
        "where": "pit1",
        "with": cast.BEFORE,
        "by": ["fay", "gus"],
    }
    with ledger.database.reading() as connection:
        before, after = (
            reasons_against(Cache(connection), {**draft, "at": cast.instant(f"{day}T12:00")})
            for day in ("2026-12-02", "2026-12-05")
        )
    assert {reason["clause"][:12] for reason in before} == {"MD-02.13-F.1"}
    assert {reason["clause"][:12] for reason in after} == {"MD-02.13-F.2"}


def test_a_place_whose_approval_has_run_out_takes_nothing_in(
    ledger: Ledger, clock: cast.Clock
) -> None:
    """MD-03.16-D, MD-02.13-A.3: no storage or destruction area before, or after, its approval."""
    approvals.enter(ledger, place("vault", expires="2026-12-03"), BY)
    draft = {
        "step": "return",
        "items": ["D5-003"],
        "from": None,
        "to": "vault",
        "into": None,
        "where": None,
        "with": {},
        "by": ["fay", "sam"],
    }
    told = []
    for day in ("2026-12-03", "2026-12-04"):
        with ledger.database.reading() as connection:
            at = cast.instant(f"{day}T12:00")
            told.append(reasons_against(Cache(connection), {**draft, "at": at}))
    codes = [{reason["code"] for reason in some} for some in told]
    assert "place-unapproved" not in codes[0]
    assert "place-unapproved" in codes[1]
    on(ledger, clock, "2026-12-04")
    assert running(ledger, "vault")["basis"] == "lapsed"
    assert not running(ledger, "vault")["runs"]


def test_changing_a_place_at_the_desk_keeps_its_approvals(
    ledger: Ledger, clock: cast.Clock
) -> None:
    approvals.enter(ledger, place("shred", expires="2026-12-03"), BY)
    places.save_place(ledger, "shred", {"type": "destruction", "name": "Shredder"}, BY)
    on(ledger, clock, "2026-12-04")
    assert not running(ledger, "shred")["runs"]


def test_designs_that_were_approved_are_pending_once_that_has_run_out(
    ledger: Ledger, clock: cast.Clock
) -> None:
    """MD-02.12-D: no dice enter use while their schematic is not approved."""
    approvals.enter(ledger, entry(subject="designs", value="approved", expires="2026-12-03"), BY)
    on(ledger, clock, "2026-12-04")
    row = running(ledger, "designs")
    assert (row["runs"], row["basis"]) == ("pending", "lapsed")


def test_an_entry_that_is_ended_runs_to_the_day_it_was_ended_with(
    ledger: Ledger, clock: cast.Clock
) -> None:
    approvals.enter(ledger, entry(), BY)
    approvals.end(ledger, "control:dice_inspection:1", "2026-12-01", BY)
    row = running(ledger, "dice_inspection")
    assert (row["runs"], row["basis"]) == ("alternative_1", "lapsed")
    with pytest.raises(ApprovalError, match="ends on 2026-12-01 already"):
        approvals.end(ledger, "control:dice_inspection:1", "2026-12-31", BY)


@pytest.mark.parametrize(
    ("name", "clause"),
    [
        ("envelopes", "MD-02.13-E.3"),
        ("envelopes", "MD-02.16-H.3"),
        ("envelopes", "MD-02.19-E.3"),
        ("schematics", "MD-03.16-A-C"),
        ("card_composition", "MD-02.15-A"),
        ("backings", "MD-02.15-G"),
        ("collection_times", "MD-03.16-E.4"),
        ("collection_times", "MD-02.19-K"),
        ("dice_inventory", "MD-02.13-M"),
        ("card_inventory", "MD-02.16-O"),
        ("tile_inventory", "MD-02.19-Q"),
    ],
)
def test_what_else_is_approved_shows_its_entry_under_its_clause(
    ledger: Ledger, name: str, clause: str
) -> None:
    before = running(ledger, name)
    assert clause in before["clauses"]
    assert before["basis"] == "text"
    approvals.enter(ledger, entry(of="rule", subject=name, value=None, clause=clause), BY)
    after = running(ledger, name)
    assert after["basis"] == "approved"
    assert after["entry"]["clause"] == clause
    assert after["entry"]["document"] == DOCUMENT


@pytest.mark.parametrize(
    ("changes", "field", "told"),
    [
        ({"subject": "dice_inspektion"}, "subject", "known are .*dice_inspection"),
        ({"value": "alternative_3"}, "value", "alternative_1, alternative_2"),
        ({"reference": ""}, "reference", "needs it"),
        ({"document": "letter.pdf"}, "document", "SHA-256"),
        ({"approved_on": "1 November"}, "approved_on", "write one such as 2026-12-01"),
        ({"in_force": "2026-10-31"}, "in_force", "before it was approved"),
        ({"expires": "2026-11-30"}, "expires", "before it is in force"),
        ({"clause": "MD-02.13-O.1"}, "clause", "known are MD-02.13-F"),
        ({"of": "place", "subject": "attic", "value": None}, "subject", "no place 'attic'"),
        ({"of": "place", "subject": "vault"}, "value", "only a control has a value"),
        ({"subject": "sampling", "value": ["craps"]}, "value", "may stand there is blackjack"),
        ({"colour": "red"}, "the entry", "'colour' is not known"),
    ],
)
def test_an_entry_that_cannot_be_is_refused_and_nothing_is_recorded(
    ledger: Ledger, changes: dict[str, Any], field: str, told: str
) -> None:
    size = ledger.size()
    with pytest.raises(ApprovalError, match=told) as error:
        approvals.enter(ledger, entry(**changes), BY)
    assert error.value.field == field
    assert ledger.size() == size


def test_what_is_taken_as_approved_until_the_register_speaks_does_not_claim_to_be_strict(
    ledger: Ledger,
) -> None:
    """MD-03.11-B.2, MD-03.11-R: controls of coupons, and of the software that keeps them."""
    row = running(ledger, "coupon_controls")
    assert (row["runs"], row["basis"]) == ("approved", "given")
    assert row["clauses"] == ["MD-03.11-B.2", "MD-03.11-R"]


def test_only_the_areas_that_a_clause_has_approved_cite_it(ledger: Ledger) -> None:
    approvals.enter(ledger, place("vault"), BY)
    approvals.enter(ledger, place("CR1"), BY)
    with ledger.database.reading() as connection:
        entered = [value for _, value in Cache(connection).all("approval")]
    told = {one["subject"]: one["clause"] for one in entered}
    assert told["vault"] is not None
    assert told["CR1"] is None, "a table is no storage area"
