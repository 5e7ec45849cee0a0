"""Deadlines. Plain functions: they run under both interpreters."""

from custody.rules import clocks, facts
from custody.rules.entries import entry_of

HOUR = 3600000
MINUTE = 60000
DAY = 24 * HOUR
START = 1796040000000


def book(*entries, **more):
    made = {"zone": [[0, 0]], "day_starts": 360, "starts": {}, "today": [0, 0, ""]}
    made.update({"in_force": "2026-01-01", "needs": {}, "controls": {}})
    made["words"] = {"steps": {}}
    made.update(more)
    made["clocks"] = [entry_of(made, entry) for entry in entries]
    return made


def item(state="in_play", times=None, **more):
    value = {"code": "X", "kind": "dice", "form": "stick", "state": state, "place": None}
    value.update({"times": times or {"play": START}, "attributes": {}, "in": None, "holder": None})
    value.update(more)
    return value


def ask(here, value, now):
    known = facts.Book([])
    known.put("item", "X", value)
    return clocks.due(here, known, ["X"], now)


ROTATION = {"clause": ["O"], "start": ["play"], "period": {"hours": 24}}
ROTATION["when"] = {"state": "in_play"}


def test_a_deadline_runs_is_soon_in_its_last_tenth_and_is_due_once_it_has_passed():
    here = book(ROTATION)
    for now, status in (
        (START, "running"),
        (START + DAY - 145 * MINUTE, "running"),
        (START + DAY - 143 * MINUTE, "soon"),
        (START + DAY, "soon"),
        (START + DAY + 1, "due"),
    ):
        assert ask(here, item(), now)[0]["status"] == status, now


def test_a_short_period_warns_fifteen_minutes_before():
    here = book({"clause": ["O"], "start": ["play"], "period": {"hours": 1}})
    assert ask(here, item(), START + 44 * MINUTE)[0]["status"] == "running"
    assert ask(here, item(), START + 46 * MINUTE)[0]["status"] == "soon"


def test_a_clock_counts_from_the_latest_of_its_steps():
    here = book({"clause": ["N"], "start": ["collect", "release"], "period": {"days": 7}})
    value = item("at_security", {"collect": START, "release": START + 9 * DAY})
    assert ask(here, value, START)[0]["at"] == START + 16 * DAY


def test_a_clock_of_another_state_does_not_run():
    assert ask(book(ROTATION), item("removed"), START + 5 * DAY) == []


def test_only_the_holds_that_a_clause_names_stop_its_clock():
    entry = {
        "clause": ["R"],
        "start": ["play"],
        "period": {"days": 7},
        "stopped_by": ["commission"],
    }
    here = book(entry)
    house = item("held", hold={"by": "operator"})
    commission = item("held", hold={"by": "commission"})
    assert len(ask(here, house, START)) == 1
    assert ask(here, commission, START) == []


def test_an_operators_limit_may_be_shorter_and_never_longer():
    entry = {"clause": ["f.3"], "start": ["play"], "period": {"days": 7}}
    entry["control_period"] = {"name": "destroy_days", "unit": "days"}
    for chosen, days in ((5, 5), (9, 7), (None, 7)):
        here = book(entry, controls={"destroy_days": chosen})
        assert ask(here, item(), START)[0]["at"] == START + days * DAY


LOOK = {"clause": ["H"], "every": "gaming_day", "start": ["play"]}


def test_each_gaming_day_of_use_needs_a_look_and_the_oldest_one_counts():
    here = book(LOOK)
    first = clocks.gaming_day(here, START)
    running = ask(here, item(), START)[0]
    assert running["status"] == "running"
    assert ask(here, item(), running["at"] + 1)[0]["status"] == "due"
    looked = item(looked={"day": first, "at": START + HOUR})
    assert ask(here, looked, running["at"] + 1)[0]["at"] == running["at"] + DAY
    out = item("sealed", {"play": START, "remove": START + 2 * HOUR})
    out["looked"] = {"day": first, "at": START + 3 * HOUR}
    assert ask(here, out, START + 9 * DAY) == []
