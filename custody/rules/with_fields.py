"""Small readings of a step's fields and of places that several rules need."""

from .shapes import Any, Json


def part(fields: Json) -> bool:
    """Whether `pieces` names parts of an item; a number is a count and takes nothing apart."""
    return isinstance(fields.get("pieces"), list) and len(fields["pieces"]) > 0


def added(found: Any, one: Any) -> list[Any]:
    """A list (None: empty) with one more at its end; MicroPython does not unpack into a list."""
    longer = list(found or [])
    longer.append(one)
    return longer


def words(value: Any) -> list[Any]:
    """The words of a field: `"micrometer:M-17"` and `{"name": "micrometer", "id": "M-17"}` are
    `micrometer`.
    """
    if isinstance(value, str):
        return [value.split(":")[0]]
    found = []
    for word in value if isinstance(value, list) else [value]:
        if isinstance(word, dict):
            word = word.get("name")
        found.append(word.split(":")[0] if isinstance(word, str) else word)
    return found
