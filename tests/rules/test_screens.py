"""What the handheld's screens are made of: a form, and the steps that fit what was scanned."""

from __future__ import annotations

from typing import Any

from custody.rules import choosing, collecting, core, jobs
from tests.rules.scenes import FOUR, Ledger


def form(ledger: Ledger, *words: Any, present: str = "", **more: Any) -> dict[str, Any]:
    draft = {**ledger.draft(*words, **more), "present": present.split()}
    return dict(core.form(ledger.book, ledger.store, draft))


def options(ledger: Ledger, subject: str, by: str) -> list[dict[str, Any]]:
    return list(core.steps(ledger.book, ledger.store, subject, by.split(), ledger.now))


def allowed(ledger: Ledger, subject: str, by: str) -> list[tuple[str, Any]]:
    found = options(ledger, subject, by)
    return [(o["step"], o["to"] or o["draft"]["with"]) for o in found if o["verdict"] == "ok"]


def at_pit() -> Ledger:
    ledger = Ledger()
    ledger.receive("D5-001..D5-002")
    ledger.step("store", "D5-001..D5-002", "fay sam", to="vault")
    ledger.step("issue", "D5-001..D5-002", "fay sam pam", to="pit1")
    return ledger


def test_a_form_asks_for_what_the_clauses_ask_for_and_leaves_out_what_is_for_other_kinds() -> None:
    ledger = at_pit()
    ledger.step("issue", "D5-001", "fay", to="CR1")
    made = form(ledger, "inspect", "D5-001", "fay", when="before_play", present="fay dee")
    fields = {field["name"]: field for field in made["fields"]}
    assert list(fields) == ["when", "instruments", "result", "findings"]
    assert fields["instruments"]["required"] is True
    assert fields["instruments"]["options"] == FOUR
    assert fields["instruments"]["clause"] == "MD-02.13-F.1.b.i-p2"
    assert fields["findings"]["required"] is False
    signers = [(s["need"], s["filled_by"], s["performs"], s["who"]) for s in made["signers"]]
    assert signers == [
        (["floorperson+"], "fay", True, ["fay"]),
        (["dealers"], None, False, ["dee"]),
    ]
    assert {"line": "inspection.flat_surface", "clause": "MD-02.13-F.1.b.ii-iii"} in made["clauses"]
    assert made["cites"][0] == "MD-02.13-F.1.b.i"


def test_measures_are_in_the_form_where_the_controls_ask_for_them() -> None:
    ledger = Ledger(measures="required")
    ledger.receive("D5-001")
    ledger.step("store", "D5-001", "fay sam", to="vault")
    ledger.step("issue", "D5-001", "fay sam pam", to="pit1")
    ledger.step("issue", "D5-001", "fay", to="CR1")
    made = form(ledger, "inspect", "D5-001", "fay", when="before_play")
    fields = {field["name"]: field["required"] for field in made["fields"]}
    assert fields["measures"] is True


def test_a_purpose_offers_those_that_the_rulebook_knows_for_this_kind() -> None:
    made = form(at_pit(), "pack", "D5-001", "pam")
    purpose = next(field for field in made["fields"] if field["name"] == "purpose")
    assert purpose["options"] == [
        *("used", "tampering", "damaged", "reserve_destroy", "reserve_inspected")
    ]


def test_a_field_that_depends_on_another_is_asked_for_when_that_one_calls_for_it() -> None:
    ledger = Ledger()
    born = {"kind": "dice", "form": "stick", "attributes": {"size": 5}}
    for seals, required in (("intact", False), ("broken", True)):
        made = form(ledger, "receive", "D5-001", "fay sam", to="dock", seals=seals, **born)
        fields = {field["name"]: field["required"] for field in made["fields"]}
        assert (fields["seals"], fields["conform"]) == (True, required)


def test_opening_a_table_is_offered_step_by_step() -> None:
    ledger = at_pit()
    assert ("issue", ["CR1", "CR2"]) in allowed(ledger, "D5-001", "fay")
    ledger.step("issue", "D5-001", "fay", to="CR1")
    assert ("inspect", {"when": "before_play"}) in allowed(ledger, "D5-001", "fay dee")
    play = next(o for o in options(ledger, "D5-001", "fay dee") if o["step"] == "play")
    assert (play["verdict"], play["near"]) == ("refused", True)
    assert play["reasons"][0]["clause"] == "MD-02.13-F.1.b.i"
    look = {"when": "before_play", "instruments": FOUR, "result": "pass"}
    ledger.step("inspect", "D5-001", "fay dee", **look)
    assert allowed(ledger, "D5-001", "fay dee")[0] == ("store", ["pit1"])
    assert ("play", {}) in allowed(ledger, "D5-001", "fay dee")


def test_a_table_stands_for_its_set_and_the_end_of_the_day_is_offered_there() -> None:
    ledger = Ledger()
    ledger.at_table("D5-001")
    found = options(ledger, "CR1", "gus dee")
    look = next(o for o in found if o["draft"]["with"] == {"when": "end_of_day"})
    assert (look["verdict"], look["draft"]["items"], look["needs"]) == ("ok", ["D5-001"], [])
    assert "remove" in [o["step"] for o in found if o["verdict"] == "ok"]
    assert "table" in [o["step"] for o in found if o["verdict"] == "ok"]


def test_a_signature_that_is_missing_is_a_need_with_who_could_give_it() -> None:
    ledger = Ledger()
    ledger.at_table("D5-001")
    found = options(ledger, "D5-001", "fay gus")
    look = next(o for o in found if o["draft"]["with"] == {"when": "end_of_day"})
    assert look["verdict"] == "ok"
    assert [(need["code"], need["who"]) for need in look["needs"]] == [("signer-barred", ["gus"])]


def test_what_must_be_looked_at_first_says_so_beside_the_other_ways() -> None:
    ledger = Ledger()
    ledger.at_table("D5-001")
    ledger.step("remove", "D5-001", "fay dee", reason="end_of_day")
    found = options(ledger, "D5-001", "dee fay")
    used = next(o for o in found if o["draft"]["with"] == {"purpose": "used"})
    assert (used["verdict"], used["near"]) == ("refused", True)
    assert [reason["code"] for reason in used["reasons"]] == ["not-looked-at"]
    ledger.step("inspect", "D5-001", "gus", when="end_of_day", result="pass")
    assert ("pack", {"purpose": "used"}) in allowed(ledger, "D5-001", "dee fay")


def test_a_collection_round_and_the_drill_are_offered_to_security() -> None:
    ledger = Ledger()
    ledger.at_table("D5-001")
    ledger.sealed("D5-001", "EV-1")
    assert allowed(ledger, "EV-1", "sam")[0][0] == "collect"
    ledger.step("collect", "EV-1", "sam")
    assert ("deliver", ["sec"]) in allowed(ledger, "EV-1", "sam")
    ledger.step("deliver", "EV-1", "sam", to="sec")
    ledger.step("open", "EV-1", "sam", seal="S-1", seal_state="intact")
    cancel = next(o for o in options(ledger, "D5-001", "sam sue") if o["step"] == "cancel")
    assert (cancel["verdict"], cancel["draft"]["where"]) == ("ok", "shred")


def test_a_store_is_where_one_enters_and_counts_and_an_unknown_code_offers_nothing() -> None:
    ledger = at_pit()
    steps = [option["step"] for option in options(ledger, "vault", "fay sam")]
    assert "issue" not in steps
    assert "notify" in steps
    assert all(option["verdict"] == "refused" for option in options(ledger, "nothing", "fay"))


def test_an_open_exception_is_offered_for_resolution() -> None:
    ledger = Ledger()
    ledger.receive("D5-001")
    ledger.fact("store", "D5-001", "fay", to="vault", fact={"why": "found", "at": ledger.now})
    exception = ledger.store.open("D5-001")[0][0]
    assert ("resolve", {"exception": exception}) in allowed(ledger, "D5-001", "pam")


def test_a_form_names_who_may_state_that_it_has_happened_already() -> None:
    made = form(at_pit(), "issue", "D5-001", "dee", to="CR1", present="dee fay sam")
    assert made["fact"] == ["fay", "sam"]


def test_the_kinds_of_a_step_are_those_for_which_the_rulebook_has_an_entry() -> None:
    ledger = Ledger()

    def kinds(step: str) -> list[str]:
        return [one["kind"] for one in core.kinds(ledger.book, step, ledger.now)]

    assert kinds("inspect") == ["dice", "cards", "shaker", "shoe", "shuffler", "tiles"]
    assert kinds("rebuild") == ["tiles"]
    assert kinds("table") == kinds("no such step") == []


def test_a_kind_whose_entry_is_not_in_force_yet_is_not_offered() -> None:
    ledger = Ledger()
    for entry in ledger.book["steps"]["rebuild"]:
        entry["since"] = "2027-01-01"
    assert core.kinds(ledger.book, "rebuild", ledger.now) == []


def test_a_kind_serves_the_games_for_which_the_rulebook_has_limits_else_all() -> None:
    ledger = Ledger()
    served = {one["kind"]: one["games"] for one in core.kinds(ledger.book, "receive", ledger.now)}
    assert served["dice"] == ["craps", "mini_craps", "sic_bo", "pai_gow", "pai_gow_poker"]
    assert "blackjack" in served["cards"]


def test_a_set_fits_a_table_by_the_game_that_is_played_there_now() -> None:
    ledger = at_pit()
    assert choosing.fitting(ledger.store, ["D5-002", "D5-404"], "CR1") == ["D5-002"]
    ledger.store.put("place", "CR1", {**ledger.store.get("place", "CR1"), "game": "sic_bo"})
    assert choosing.fitting(ledger.store, ["D5-002"], "CR1") == []
    changed = {"game": "craps", "handled": None, "changes": [{"at": 1, "game": "craps"}]}
    table = {**ledger.store.get("place", "CR1"), "table": changed}
    ledger.store.put("place", "CR1", table)
    assert choosing.fitting(ledger.store, ["D5-002"], "CR1") == ["D5-002"]


def test_a_round_collects_sealed_envelopes_and_forms_that_nobody_carries() -> None:
    ledger = at_pit()
    lying = {"place": "P1", "in": None, "holder": None}
    form = {"kind": "form", "state": "made", "way": [["security"]], **lying}
    envelope = {"kind": "envelope", "state": "sealed", **lying}
    told = {
        "EV-1": envelope,
        "EV-2": {**envelope, "state": "opened"},
        "EV-3": {**envelope, "in": "CT-1"},
        "F/original": {**form, "way": [["pit_stand"], ["security"]]},
        "F/duplicate": form,
        "G/duplicate": {**form, "holder": "sam"},
    }
    for code, value in told.items():
        ledger.store.put("item", code, value)
    codes = [*told, "D5-002", "nothing"]
    assert collecting.waiting(ledger.store, codes) == ["EV-1", "F/duplicate"]


def test_a_rank_is_above_another_only_in_its_own_department() -> None:
    book = Ledger().book
    assert jobs.outranks(book, "pit_manager", "floorperson")
    assert not jobs.outranks(book, "floorperson", "pit_manager")
    assert not jobs.outranks(book, "dealer", "stickperson"), "they rank alike"
    assert not jobs.outranks(book, "security_supervisor", "floorperson")
    assert not jobs.outranks(book, "pit_clerk", "dealer"), "beside the ladder"


def test_what_may_be_said_of_a_fact_is_in_its_form() -> None:
    made = form(at_pit(), "inspect", "D5-001", "fay", when="before_play")
    assert made["why"] == ["found", "late", "paper", "emergency"]


def test_a_line_of_the_checklist_that_nobody_ticked_is_told_of_the_event() -> None:
    """MD-02.13-F.1.b.ii-iii: a flat surface in sight of surveillance, said at each inspection."""
    ledger = at_pit()
    ledger.step("issue", "D5-001", "fay", to="CR1")
    before = ledger.store.get("item", "D5-001")
    asked = [
        line["line"]
        for line in form(ledger, "inspect", "D5-001", "fay", when="before_play")["clauses"]
    ]
    look = ledger.draft("inspect", "D5-001", "fay dee", when="before_play", instruments=FOUR)
    assert asked != []
    assert core.unticked(ledger.book, ledger.store, look, before) == asked
    look["with"]["checked"] = asked[:1]
    assert core.unticked(ledger.book, ledger.store, look, before) == asked[1:]
    nothing = ledger.draft("examine", "D5-001", "sam")
    assert core.unticked(ledger.book, ledger.store, nothing, None) == []


def test_a_form_says_of_what_kinds_it_is() -> None:
    ledger = at_pit()
    assert form(ledger, "inspect", "D5-001", "fay", when="before_play")["about"] == ["dice"]
    assert form(ledger, "count", None, "ann", where="vault", kind="cards")["about"] == ["cards"]
    assert form(ledger, "inspect", "D5-404", "fay")["about"] == []
