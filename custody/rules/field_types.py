"""The forms that the fields of a step have, and values that no rule can read.

A value of a wrong form is refused (`field-type`), or is a fact with an exception. One that is of no
form at all, such as an object where a word belongs, would stop the rules wherever they look at it
later: such an event says nothing, and leaves everything as it was.
"""

from .shapes import Any, Json

PLAIN = (
    "word",
    "text",
    "code",
    "place",
    "person",
    "event",
    "inches",
    "number",
    "int",
    "time",
    "bool",
)
TEXTS = PLAIN[:8]
LISTS = ("words", "codes", "serials", "measures")


class IllegibleError(ValueError):
    """A field of an event is of no form that a rule can read. Attributes: `field`, `kind`."""

    def __init__(self, field: str, kind: str) -> None:
        super().__init__("'" + field + "' is no " + kind)
        self.field = field
        self.kind = kind


def well_typed(kind: str, value: Any) -> bool:
    """Whether a value is what a field of this type holds."""
    if kind in TEXTS:
        return isinstance(value, str)
    if kind == "bool":
        return value is True or value is False
    if kind in ("int", "time"):
        return _whole(value)
    if kind in LISTS:
        return isinstance(value, list)
    if kind == "found":
        return _found(value) and not any(number < 0 for number in _numbers(value))
    return True


def of(book: Json, event: Json) -> Json:
    """Return the fields of an event's step, `{name: {"type"}}`; {} for an unknown step."""
    step = book["words"]["steps"].get(event["step"])
    return step["fields"] if step else {}


def illegible(specs: Json, fields: Json) -> Any:
    """Return the name and type of the first field that no rule can read, None where there is none.

    `specs` are those of the step's fields, `{"type"}` each; a field without one is not read at all.
    """
    for name in fields:
        spec = specs.get(name)
        if spec is not None and not _legible(spec["type"], fields[name]):
            return [name, spec["type"]]
    return None


def _legible(kind: str, value: Any) -> bool:
    if value is None or (isinstance(value, str) and kind != "found"):
        return True
    if kind in PLAIN:
        return not isinstance(value, (list, dict))
    if kind in LISTS:
        return isinstance(value, list) and _members(kind, value)
    if kind == "found":
        return _found(value)
    if kind == "pieces":
        return not isinstance(value, dict) and _members(kind, value)
    return not isinstance(value, list)


def _members(kind: str, value: Any) -> bool:
    """Whether a list has what the rules look for: of codes and pieces texts, and no list of words;
    of measures lists.
    """
    members = value if isinstance(value, list) else []
    if kind == "words":
        return not any(isinstance(one, list) for one in members)
    return all(isinstance(one, list if kind == "measures" else str) for one in members)


def _found(value: Any) -> bool:
    """A list of codes, or an object that says how many of each."""
    told = isinstance(value, (list, dict)) and all(isinstance(one, str) for one in value)
    return told and all(_whole(number) for number in _numbers(value))


def _numbers(value: Any) -> list[Any]:
    """How many of each were found, where it is said; nothing said means as many as there are."""
    numbers = [value[name] for name in value] if isinstance(value, dict) else []
    return [number for number in numbers if number is not None]


def _whole(value: Any) -> bool:
    return isinstance(value, int) and value is not True and value is not False
