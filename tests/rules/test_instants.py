"""Which fields hold instants: the vocabulary's types say it, for the desk and the handheld."""

import json
from typing import Any

from custody.rulebooks import loader
from custody.rules import core, instants, portal

SITE = {"regime": "MD", "zone": [[0, -300]], "day_starts": "06:00", "controls": {}}
EVERYWHERE = {"fact": "at"}


def of(step: str, rulebook: Any = None) -> dict[str, str]:
    return instants.of(core.load(rulebook or loader.rulebook("MD"), SITE), step)


def test_a_field_of_type_time_is_an_instant_and_some_types_have_one_in_a_part() -> None:
    assert of("report") == {**EVERYWHERE, "discovered_at": ""}
    assert of("swap") == {**EVERYWHERE, "surveillance_told": "at"}
    assert of("store") == of("no-step") == EVERYWHERE


def test_a_field_that_an_operator_adds_is_one_by_its_type() -> None:
    rulebook = json.loads(json.dumps(loader.rulebook("MD")))
    rulebook["vocabulary"]["steps"]["store"]["fields"]["unlocked"] = {"type": "time"}
    assert of("store", rulebook) == {**EVERYWHERE, "unlocked": ""}


def test_the_handheld_asks_the_same_through_the_portal() -> None:
    portal.call("load", json.dumps({"rulebook": loader.rulebook("MD"), "site": SITE}))
    answer = json.loads(portal.call("instants", json.dumps({"step": "report"})))
    assert answer["result"] == of("report")
