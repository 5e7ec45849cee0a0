"""How long the rules take for one event: judge, fold and branches, on a life of dice in memory.

`python bench/rules.py` prints processor microseconds an event by step; `--filling` those of the
events with which `bench/ingest.py` measures the whole ledger, each event's least of several rounds,
so that what else the machine does counts little; `--micropython` asks the portal in Node. To
compare two versions of the rules, run it with PYTHONPATH at a checkout of the other one.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from custody.rulebooks import loader
from custody.rules import book as rulebook
from custody.rules import branches, core, memory, naming
from custody.rules_host.micropython import Portal
from custody.simulation import house
from custody.simulation.handheld import GROUP, OFFSET, SECOND
from custody.simulation.lives import Step
from custody.simulation.lives import life as filled

SETTING = {
    "regime": "MD",
    "zone": "America/New_York",
    "day_starts": "06:00",
    "controls": {"dice_inspection": "alternative_1"},
}
PEOPLE = {
    "fay": "floorperson",
    "gus": "floorperson",
    "sam": "security_officer",
    "sue": "security_supervisor",
    "pam": "pit_manager",
    "dee": "dealer",
}
PLACES: dict[str, dict[str, Any]] = {
    "dock": {"type": "dock"},
    "vault": {"type": "storage", "use": "primary"},
    "pit1": {"type": "pit_stand"},
    "CR1": {"type": "table", "game": "craps", "pit": "pit1"},
    "sec": {"type": "security"},
    "shred": {"type": "destruction"},
}
FOUR = ["micrometer", "balancing_caliper", "steel_square", "magnet"]
START = 1796040000000
MINUTE = 60_000
DAY = 24 * 60 * MINUTE


def life(number: int) -> list[dict[str, Any]]:
    """Return the events of one stick's life."""
    stick, envelope = f"D5-{number:06d}", f"EV-{number:06d}"
    at = START + number * 1000
    used = {"purpose": "used", "table": "CR1", "seal": f"S-{number:06d}", "label": True}
    made = {"kind": "dice", "form": "stick", "attributes": {"size": 5, "games": ["craps"]}}
    steps: list[tuple[str, str, list[str], dict[str, Any], dict[str, Any]]] = [
        ("receive", stick, ["fay", "sam"], {"seals": "intact"}, {"to": "dock", **made}),
        ("store", stick, ["fay", "sam"], {}, {"to": "vault"}),
        ("issue", stick, ["fay", "sam", "pam"], {}, {"to": "pit1"}),
        ("issue", stick, ["fay"], {}, {"to": "CR1"}),
        (
            "inspect",
            stick,
            ["fay", "dee"],
            {"when": "before_play", "instruments": FOUR, "result": "pass"},
            {},
        ),
        ("play", stick, ["fay", "dee"], {"vessel": "cup"}, {"where": "CR1"}),
        ("remove", stick, ["fay", "dee"], {"reason": "end_of_day"}, {}),
        ("inspect", stick, ["gus"], {"when": "end_of_day", "result": "pass"}, {}),
        ("pack", stick, ["dee", "fay"], used, {"to": "pit1", "into": envelope}),
        ("collect", envelope, ["sam"], {}, {}),
        ("deliver", envelope, ["sam"], {}, {"to": "sec"}),
        ("open", envelope, ["sam"], {"seal": used["seal"], "seal_state": "intact"}, {}),
        (
            "cancel",
            stick,
            ["sam", "sue"],
            {"method": "drilled", "hole": "0.25"},
            {"where": "shred"},
        ),
    ]
    return [
        {"step": step, "items": [item], "by": by, "with": fields, "at": at + n * MINUTE, **rest}
        for n, (step, item, by, fields, rest) in enumerate(steps)
    ]


def ledger() -> tuple[dict[str, Any], Any]:
    """Return the book and an empty ledger with its people and places."""
    book = core.load(loader.rulebook("MD"), loader.site(SETTING))
    store = memory.new(book)
    for person, job in PEOPLE.items():
        store.put("person", person, {"job": job})
    for place, value in PLACES.items():
        store.put("place", place, value)
    return book, store


def cpython(lives: int) -> None:
    book, store = ledger()
    spent: dict[str, list[float]] = {}
    for number in range(lives):
        for n, event in enumerate(life(number)):
            event["saw"] = naming.last_seen(book, store, event)
            started = time.process_time()
            memory.record(book, store, event, f"e{number}-{n}")
            spent.setdefault(event["step"], []).append(time.process_time() - started)
    if store.exceptions:
        raise SystemExit(f"The life is not a clean one: {store.exceptions[0]}")
    every = [second for seconds in spent.values() for second in seconds]
    for step, seconds in spent.items():
        print(f"{step:10} {sum(seconds) / len(seconds) * 1e6:8.1f} us")
    total = sum(every)
    print(f"all        {total / len(every) * 1e6:8.1f} us, {len(every) / total:.0f} events/s")


def recorded(step: Step, at: int, saw: dict[str, str]) -> dict[str, Any]:
    """Return a step as a simulated handheld writes it down, without its chain fields."""
    return {
        **{"at": at, "offset": OFFSET, "day": None, "note": "", "from": None, "to": None},
        **{"into": None, "where": None, "step": step.step, "items": [step.claims[0]]},
        "by": [{"person": person, "how": "badge+pin", "at": at} for person in step.by],
        **step.fields,
        "saw": {code: saw[code] for code in step.claims if code in saw},
    }


def groups(count: int) -> list[tuple[str, dict[str, Any]]]:
    """Return `(id, event)` of groups of sticks, each taken through a step before the next step."""
    events: list[tuple[str, dict[str, Any]]] = []
    for group in range(count):
        saw: dict[str, str] = {}
        numbers = range(group * GROUP + 1, (group + 1) * GROUP + 1)
        for same in zip(*(filled(number) for number in numbers), strict=True):
            for n, step in enumerate(same):
                event = recorded(step, START + group * DAY + step.after + n * SECOND, saw)
                events.append((f"e{len(events):08}", event))
                into = event["into"]
                told = (*step.claims, into) if into else step.claims
                saw.update(dict.fromkeys(told, events[-1][0]))
    return events


def round_of(events: list[tuple[str, dict[str, Any]]]) -> list[float]:
    """Return the seconds of each event in a new ledger of the simulated house."""
    setting = house.setting()
    book = rulebook.load(setting.rulebook, {**setting.site, "controls": setting.controls})
    store = memory.new(book)
    for of, records in (("person", setting.people), ("place", setting.places)):
        for id_, value in records.items():
            store.put(of, id_, value)
    spent = []
    for id_, event in events:
        started = time.perf_counter()
        outcome = branches.take(book, store, event, id_)
        spent.append(time.perf_counter() - started)
        memory.keep(store, id_, outcome)
    if store.exceptions:
        raise SystemExit(f"The filling is not a clean one: {store.exceptions[0]}")
    return spent


def filling(rounds: int) -> None:
    events = groups(2)
    each = [min(spent) for spent in zip(*(round_of(events) for _ in range(rounds)), strict=True)]
    mean = sum(each) / len(each)
    print(f"filling    {mean * 1e6:8.1f} us, {1 / mean:.0f} events/s")


def micropython(calls: int) -> None:
    book, store = ledger()
    events = life(1)
    for n, event in enumerate(events[:4]):
        event["saw"] = naming.last_seen(book, store, event)
        memory.record(book, store, event, f"e{n}")
    keys = [("item", "D5-000001"), ("place", "CR1"), ("person", "fay"), ("person", "dee")]
    facts = {"records": [[of, key, store.get(of, key)] for of, key in keys], "sealed": [], "at": []}
    with Portal() as portal:
        portal.call("load", {"rulebook": loader.rulebook("MD"), "site": loader.site(SETTING)})
        for name, given in (("judge", {"draft": events[4]}), ("form", {"draft": events[4]})):
            given["facts"] = facts
            started = time.perf_counter()
            for _ in range(calls):
                answer = portal.answer(name, given)
            spent = (time.perf_counter() - started) / calls
            print(f"{name:10} {spent * 1000:8.2f} ms, missing {answer['missing']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lives", type=int, default=1000)
    parser.add_argument("--filling", action="store_true")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--micropython", action="store_true")
    options = parser.parse_args()
    if options.micropython:
        micropython(200)
    elif options.filling:
        filling(options.rounds)
    else:
        cpython(options.lives)


if __name__ == "__main__":
    main()
