"""The demonstration's last days, as told before they are recorded."""

import datetime
from collections import Counter

import pytest

from custody.demo import cast, story
from custody.demo.casino import Seen

NOON = datetime.datetime(2026, 12, 1, 17, tzinfo=datetime.UTC)
# Just after the gaming day began, deep in its night, and the nights of the clock changes.
MOMENTS = [
    datetime.datetime(2026, 12, 1, 11, 1, tzinfo=datetime.UTC),
    datetime.datetime(2026, 12, 2, 10, 59, tzinfo=datetime.UTC),
    datetime.datetime(2026, 11, 1, 5, 30, tzinfo=datetime.UTC),
    datetime.datetime(2026, 11, 1, 6, 30, tzinfo=datetime.UTC),
    datetime.datetime(2026, 3, 8, 7, 30, tzinfo=datetime.UTC),
    NOON,
]


@pytest.mark.parametrize("now", MOMENTS, ids=str)
def test_everything_told_has_happened_and_in_order(now: datetime.datetime) -> None:
    steps = story.tell(now)
    times = [step.at for step in steps]
    assert times == sorted(times)
    assert times[-1] < now
    assert now - times[-1] < datetime.timedelta(hours=8)


@pytest.mark.parametrize("now", MOMENTS, ids=str)
def test_the_same_things_have_happened_at_every_hour(now: datetime.datetime) -> None:
    usual = Counter(step.step for step in story.tell(NOON))
    assert Counter(step.step for step in story.tell(now)) == usual


def test_only_people_and_places_of_the_cast_appear() -> None:
    for step in story.tell(NOON):
        assert set(step.by) <= cast.PERSON_IDS.keys()
        for name in ("to", "where"):
            assert step.fields.get(name, "vault") in {*cast.PLACE_IDS, "player", "drop"}


def test_last_nights_envelopes_are_still_in_the_pits() -> None:
    steps = story.tell(NOON)
    packed = {step.fields["into"] for step in steps if step.step == "pack"}
    collected = {c for step in steps if step.step == "collect" for c in step.fields["items"]}
    assert len(packed - collected) == 3


def test_one_envelope_is_past_its_seven_days_and_one_has_hours_left() -> None:
    steps = story.tell(NOON)
    collected = {c: s.at for s in steps if s.step == "collect" for c in s.fields["items"]}
    opened = {code for step in steps if step.step == "open" for code in step.fields["items"]}
    limit = {c: at + datetime.timedelta(days=7) for c, at in collected.items() if c not in opened}
    assert [at < NOON for at in limit.values()].count(True) == 1
    today = [at for at in limit.values() if NOON < at < NOON + datetime.timedelta(hours=24)]
    assert len(today) == 1


def test_the_set_looked_at_by_night_was_inspected_by_somebody_else() -> None:
    first = {}
    for step in story.tell(NOON):
        if step.step != "inspect" or len(step.fields["items"]) > 1:
            continue
        (stick,) = step.fields["items"]
        if step.fields["with"]["when"] == "before_play":
            first[stick] = step.by[0]
        else:
            assert step.by[0] != first[stick]


def test_a_step_names_what_it_saw_of_everything_inside_an_envelope() -> None:
    seen = Seen()
    seen.note({"step": "issue", "items": ["DS-1"]}, "one")
    seen.note({"step": "pack", "items": ["DS-1"], "into": "EV-1"}, "two")
    assert seen.of({"step": "collect", "items": ["EV-1"]}) == {"EV-1": "two", "DS-1": "two"}
    seen.note({"step": "collect", "items": ["EV-1"]}, "three")
    seen.note({"step": "open", "items": ["EV-1"]}, "four")
    assert seen.of({"step": "cancel", "items": ["DS-1"]}) == {"DS-1": "four"}
    assert seen.of({"step": "destroy", "items": ["EV-1"]}) == {"EV-1": "four"}
