"""A gaming day is signed off where it is reconciled; what comes for it later is late, and shown."""

import pytest

from custody.ledger import desk as signing
from custody.ledger import signing_off
from custody.ledger.core import Ledger
from custody.ledger.errors import Refused
from custody.ledger.reading import entries, exceptions
from custody.ledger.rebuilding import digest, rebuild
from tests.routes import cast
from tests.routes.conftest import Enrol, Open, page, text

DAY = "2026-12-01"
PAGE = f"/reconcile?day={DAY}&kind=dice"
SIGN = f"/reconcile/sign-off?day={DAY}&kind=dice"
BEA = [{"person": "bea", "how": "password"}]


def late(ledger: Ledger) -> list[dict[str, object]]:
    return exceptions.listed(ledger, exceptions.ALL, "late")


def step_at(ledger: Ledger, position: int) -> str:
    return str(entries.one(ledger, position)["event"]["step"])


def fact(ledger: Ledger, code: str, at: str) -> None:
    """Take down at the desk that a stick went from the vault to the pit at a time."""
    told = {"why": "found", "at": cast.instant(at)}
    draft = {"step": "issue", "items": [code], "to": "pit1", "with": {"fact": told}}
    signing.record_at_desk(ledger, draft, [{"person": "sue"}, {"person": "fay"}, {"person": "pam"}])


def test_accounting_signs_off_a_day_that_is_over_and_the_figures_are_hashed(
    desk: Open, ledger: Ledger
) -> None:
    browser = desk("bea")
    before = browser.get(PAGE)
    assert "Open" in text(before, "#signoff .pill")
    assert page(before).css_first("#signoff form") is not None
    assert browser.post(SIGN, note="").status_code == 303
    event = entries.one(ledger, ledger.size() - 1)["event"]
    assert (event["step"], event["by"][0]["person"]) == ("administer", "bea")
    assert (event["with"]["what"], event["with"]["subject"]) == ("day", DAY)
    assert len(event["with"]["after"]) == 64
    after = browser.get(PAGE)
    assert "Bea Long" in text(after, "#signoff")
    assert "Nothing came for this day since" in text(after, "#signoff")
    assert page(after).css_first("#signoff form") is None


def test_today_and_the_reconciliation_list_the_days_that_nobody_signed_off(
    desk: Open, ledger: Ledger, clock: cast.Clock
) -> None:
    fay = page(desk("fay").get("/"))
    assert fay.css_first("#today") is not None
    assert fay.css_first("#unsigned") is None
    browser = desk("bea")
    for address, link in (("/", f"/reconcile?day={DAY}"), (PAGE, PAGE)):
        told = browser.get(address)
        assert [a.attributes["href"] for a in page(told).css("#unsigned a")] == [link]
        assert text(told, "#unsigned .pill") == "1"
    browser.post(SIGN, note="")
    assert "Every day is signed off" in text(browser.get(PAGE), "#unsigned")
    clock.now = cast.instant("2026-12-03T06:00")
    assert text(desk("bea").get("/"), "#unsigned li") == "2026-12-02"


def test_the_open_exceptions_of_the_day_stand_beside_its_sign_off(desk: Open) -> None:
    browser = desk("bea")
    assert "No open exception of this day" in text(browser.get(PAGE), "#signoff")
    told = browser.get("/reconcile?day=2026-12-02&kind=dice")
    assert "2 open exceptions of this day" in text(told, "#signoff")
    assert len(page(told).css("#signoff a[href^='/exceptions/x']")) == 2


@pytest.mark.parametrize("person", ["pam", "ash", "sue"])
def test_who_may_not_is_told_who_does_and_is_refused(
    desk: Open, ledger: Ledger, person: str
) -> None:
    browser, size = desk(person), ledger.size()
    shown = browser.get(PAGE)
    assert page(shown).css_first("#signoff form") is None
    assert "MD-03.11-M.3" in text(shown, "#signoff")
    refused = browser.post(SIGN, note="")
    assert refused.status_code == 422
    assert "MD-03.11-M.3" in text(refused, "#signoff [role=alert]")
    assert ledger.size() == size


@pytest.mark.parametrize(("person", "status"), [("cora", 403), ("fay", 403), ("ada", 403)])
def test_who_signs_nothing_at_a_desk_or_sees_no_stock_may_not_ask(
    desk: Open, person: str, status: int
) -> None:
    assert desk(person).post(SIGN, note="").status_code == status


def test_a_day_is_over_when_the_next_begins_and_is_signed_off_once(
    desk: Open, ledger: Ledger, clock: cast.Clock
) -> None:
    clock.now = cast.instant("2026-12-03T05:59")
    browser, size = desk("bea"), ledger.size()
    address = "/reconcile/sign-off?day=2026-12-02&kind=dice"
    early = browser.post(address, note="")
    assert (early.status_code, ledger.size()) == (422, size)
    assert "not over yet" in text(early, "#signoff [role=alert]")
    clock.now = cast.instant("2026-12-03T06:00")
    assert browser.post(address, note="").status_code == 303
    again = browser.post(address, note="")
    assert again.status_code == 422
    assert "was signed off already by Bea Long" in text(again, "#signoff [role=alert]")
    assert browser.post("/reconcile/sign-off?day=soon&kind=dice").status_code == 422


def test_a_remainder_is_explained_in_the_note_before_the_day_is_signed_off(
    desk: Open, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = signing_off.reconciling.of_all_kinds

    def short(*given: object) -> dict[str, object]:
        found = whole(*given)  # type: ignore[arg-type]
        found["dice"]["remainder"] = {"sticks": 1, "dice": 5}
        return found

    monkeypatch.setattr(signing_off.reconciling, "of_all_kinds", short)
    browser = desk("bea")
    refused = browser.post(SIGN, note=" ")
    assert refused.status_code == 422
    told = text(refused, "#signoff [role=alert]")
    assert "Sticks 1, Dice 5" in told
    assert "MD-02.13-M.2" in told
    assert browser.post(SIGN, note="One stick lies at the maker's.").status_code == 303
    assert "at the maker's" in text(browser.get(PAGE), "#signoff")


def test_what_a_handheld_brings_later_is_taken_and_told_as_late(
    desk: Open, ledger: Ledger, handheld: Enrol, clock: cast.Clock
) -> None:
    device = handheld("Vault reader")
    signing_off.sign_off(ledger, DAY, "", BEA)
    then, clock.now = clock.now, cast.instant("2026-12-02T05:59")
    who = ["fay", "sam", "pam"]
    device.record("issue", items=["D5-005"], to="pit1", by=who, saw=device.saw("D5-005"))
    clock.now = cast.instant("2026-12-02T06:00")
    device.record("issue", items=["D5-006"], to="pit1", by=who, saw=device.saw("D5-006"))
    clock.now = then
    answer = device.push()
    assert answer.status == 200
    assert answer.json["acked"] == 2
    told = [(one["seq"], one["kind"], one["items"]) for one in answer.json["exceptions"]]
    assert told == [(1, "late", ["D5-005"])]
    assert answer.json["exceptions"][0]["text"].endswith(DAY)
    shown = desk("bea").get(PAGE)
    assert "1 event came late for this day" in text(shown, "#signoff")
    assert "signed: 3" in text(shown, "tbody tr")
    [one] = late(ledger)
    assert f"/events/{one['position']}" in str(page(shown).css_first("#signoff ul a").attributes)
    why = text(desk("sue").get(f"/exceptions/{one['id']}"))
    assert "2026-12-01, which Bea Long had signed off" in why
    leads = [
        a.attributes["href"] for a in page(desk("sue").get(f"/exceptions/{one['id']}")).css("a")
    ]
    assert f"/reconcile?day={DAY}" in leads
    sent = desk("sue").post(f"/exceptions/{one['id']}/resolve", outcome="Looked at again.")
    assert (sent.status_code, late(ledger)[0]["resolved"]) == (303, ledger.size() - 1)


def test_no_replica_grows_by_the_days_that_are_signed_off(ledger: Ledger, handheld: Enrol) -> None:
    device = handheld("Vault reader")
    before = device.pull()
    signing_off.sign_off(ledger, DAY, "", BEA)
    assert device.pull() == before


def test_a_fact_taken_down_at_the_desk_is_late_by_when_it_happened(
    ledger: Ledger, clock: cast.Clock
) -> None:
    fact(ledger, "D5-005", "2026-12-02T05:30")
    assert late(ledger) == []
    signing_off.sign_off(ledger, DAY, "", BEA)
    fact(ledger, "D5-006", "2026-12-02T05:59")
    fact(ledger, "D5-007", "2026-12-02T06:00")
    assert [one["items"] for one in late(ledger)] == [["D5-006"]]


def test_a_concurrent_claim_of_a_day_that_was_signed_off_raises_nothing_besides(
    ledger: Ledger, handheld: Enrol, clock: cast.Clock
) -> None:
    device = handheld("Vault reader")
    saw = device.saw("D5-005")
    fact(ledger, "D5-005", "2026-12-02T05:30")
    signing_off.sign_off(ledger, DAY, "", BEA)
    then, clock.now = clock.now, cast.instant("2026-12-02T05:40")
    device.record("issue", items=["D5-005"], to="pit1", by=["fay", "sam", "pam"], saw=saw)
    clock.now = then
    kinds = [one["kind"] for one in device.push().json["exceptions"]]
    assert kinds == ["concurrent-claim"]


def test_correcting_the_sign_off_opens_the_day_for_another(desk: Open, ledger: Ledger) -> None:
    entry = signing_off.sign_off(ledger, DAY, "", BEA)
    first = desk("bea")
    offered = page(first.get(PAGE)).css_first("#signoff a[href*='correct']")
    form = page(first.get(str(offered.attributes["href"])))
    assert form.css_first("[name='with.event']").attributes["value"] == entry.id
    wrong = {"with.event": entry.id, "with.reason": "A box was not counted yet."}
    assert first.post("/steps/correct", **wrong).status_code == 303
    fact(ledger, "D5-005", "2026-12-02T05:30")
    assert late(ledger) == []
    browser = desk("carl")
    assert "Open" in text(browser.get(PAGE), "#signoff .pill")
    assert browser.post(SIGN, note="").status_code == 303
    assert "Carl Ash" in text(browser.get(PAGE), "#signoff")


def test_a_correction_of_what_was_signed_is_shown_with_the_figures_it_changed(
    desk: Open, ledger: Ledger
) -> None:
    entry = signing_off.sign_off(ledger, DAY, "", BEA)
    first = next(n for n in range(entry.position) if step_at(ledger, n) == "issue")
    wrong = {"event": entries.one(ledger, first)["id"], "reason": "They stayed in the vault."}
    draft = {"step": "correct", "items": ["D5-001"], "with": wrong}
    signing.record_at_desk(ledger, draft, [{"person": "sue"}])
    shown = desk("bea").get(PAGE)
    assert "1 later event changed the figures" in text(shown, "#signoff")
    assert "signed: 3" in text(shown, "tbody tr")
    assert late(ledger) == []


def test_a_rebuild_gives_the_days_and_what_was_late_again(
    ledger: Ledger, desk: Open, clock: cast.Clock
) -> None:
    signing_off.sign_off(ledger, DAY, "", BEA)
    fact(ledger, "D5-005", "2026-12-02T05:30")
    with ledger.database.reading() as connection:
        before = digest(connection)
    raised = late(ledger)
    assert rebuild(ledger) == before
    assert late(ledger) == raised != []
    with pytest.raises(Refused):
        signing_off.sign_off(ledger, DAY, "", BEA)


def test_a_handheld_signs_off_no_day(ledger: Ledger, handheld: Enrol) -> None:
    device = handheld("Vault reader")
    device.record("administer", **{"with": {"what": "day", "subject": DAY}}, by=["bea"])
    [told] = device.push().json["exceptions"]
    assert told["kind"] == "rule-broken"
    assert signing_off.sign_off(ledger, DAY, "", BEA).event is not None
