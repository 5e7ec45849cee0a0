"""Which fields of a step hold instants (UTC ms): the type that the vocabulary, or an operator's
overlay, gives a field decides, never how large its number is.
"""

from .shapes import Any, Json

TIME = "time"
WITHIN: Json = {"fact": "at", "told": "at"}
"""The part that is an instant, of the types of fields that have one."""


def of(book: Json, step: Any) -> Json:
    """Return each field of a step that holds an instant: "" where the field is one, else the name
    of its part that is. Of a step that is not known, those that any step may carry.
    """
    words = book["words"]
    fields = words["steps"].get(step, {}).get("fields", {})
    found = {}
    for specs in (words["everywhere"], fields):
        for name in specs:
            kind = specs[name]["type"]
            if kind == TIME or kind in WITHIN:
                found[name] = WITHIN.get(kind, "")
    return found
