"""What may be chosen for a control whose value is no word of a list."""

import pytest

from custody.rulebooks import loader
from custody.rulebooks.choices import ChoiceError, check_choice


def test_a_time_of_day_is_chosen_as_hours_and_minutes() -> None:
    check_choice(loader.rulebook("NY"), "collection_time", "04:30")


@pytest.mark.parametrize("value", ["4:30", "24:00", "04:60", "0430", "", 430, None])
def test_what_is_no_time_of_day_is_refused_with_the_clause(value: object) -> None:
    with pytest.raises(ChoiceError, match=r'"HH:MM".*NY-5322\.13-h'):
        check_choice(loader.rulebook("NY"), "collection_time", value)


def test_a_period_beyond_the_clause_is_refused() -> None:
    check_choice(loader.rulebook("US542"), "destroy_days", 7)
    with pytest.raises(ChoiceError, match="at most 7"):
        check_choice(loader.rulebook("US542"), "destroy_days", 8)
