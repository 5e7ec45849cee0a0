"""What an operator may choose where a clause leaves a choice: the words of a control."""

from __future__ import annotations

from typing import Any

from custody.rulebooks.schema import Book


class ChoiceError(ValueError):
    """A control cannot be chosen so. Attributes: `name`, `value` (the wrong word), `clause`."""

    def __init__(self, name: str, value: Any, problem: str, clause: str | None = None) -> None:
        super().__init__(f"{problem} ({clause})" if clause else problem)
        self.name, self.value, self.clause = name, value, clause


def check_choice(rulebook: Book, name: str, value: Any) -> None:
    """Raise ChoiceError where a rulebook's control `name` does not leave the choice of `value`."""
    control = rulebook["control"][name]
    clause = next(iter(control.get("clause", [])), None)
    if "words" in control:
        _known(name, value, control["words"], clause)
    elif isinstance(control.get("absent"), list):
        if not isinstance(value, list):
            raise ChoiceError(name, value, f"{name} is a list, not {value!r}", clause)
        if control["absent"] and not value:
            raise ChoiceError(name, value, f"{name} names nobody", clause)
        for one in value:
            _known(name, one, open_words(rulebook, name), clause)
    elif control.get("type") == "text":
        _time_of_day(name, value, clause)
    elif type(value) is not int or value < 1:
        problem = f"{name} is a whole number from 1, not {value!r}"
        raise ChoiceError(name, value, problem, clause)
    elif value > control.get("most", value):
        problem = f"{name} is at most {control['most']}; {value} would loosen it"
        raise ChoiceError(name, value, problem, clause)


def _time_of_day(name: str, value: Any, clause: str | None) -> None:
    hours, colon, minutes = value.partition(":") if isinstance(value, str) else ("", "", "")
    digits = len(hours) == len(minutes) == 2 and hours.isdecimal() and minutes.isdecimal()
    if not (digits and colon and int(hours) < 24 and int(minutes) < 60):
        raise ChoiceError(name, value, f'{name} is a time of day, "HH:MM", not {value!r}', clause)


def open_words(rulebook: Book, name: str) -> list[str]:
    """Return the words that a list control leaves open: games, and kinds of items."""
    control, vocabulary = rulebook["control"][name], rulebook["vocabulary"]
    return list(control.get("only") or [*vocabulary["games"]["words"], *vocabulary["kinds"]])


def _known(name: str, word: Any, allowed: list[str], clause: str | None) -> None:
    if word not in allowed:
        problem = f"{name} cannot be {word!r}; what may stand there is {', '.join(allowed)}"
        raise ChoiceError(name, word, problem, clause)
