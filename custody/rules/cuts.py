"""A store that shows ranges of serials as an event cuts them, and what a replica writes of it."""

from . import lots
from .shapes import Any, Json


class Cut:
    """A store in which ranges are cut: `spans` is code to `[the range it is cut from, first,
    last]`.
    """

    def __init__(self, store: Any, spans: Json) -> None:
        self.store = store
        self.spans = spans

    def get(self, of: str, key: str) -> Any:
        if of != "item" or key not in self.spans:
            return self.store.get(of, key)
        origin, first, last = self.spans[key]
        return lots.sliced(self.store.get(of, origin), key, first, last) if origin else None

    def tips(self, code: str) -> list[list[Any]]:
        if code not in self.spans:
            return list(self.store.tips(code))
        origin, first, last = self.spans[code]
        tips = self.store.tips(origin) if origin else self.store.tips(code)
        return [[event_id, lots.sliced(value, code, first, last)] for event_id, value in tips]

    def names(self, code: str) -> list[str]:
        """The codes under which events were noted for these serials, before they were cut out."""
        found = [code]
        for _, value in self._tips_of(code):
            found.extend([name for name in (value or {}).get("trail", []) if name not in found])
        return found

    def _tips_of(self, code: str) -> list[list[Any]]:
        """The tips of a range, or of the range of its first serial where it was cut since."""
        tips = self.tips(code)
        if tips or self.store.get("item", code) is not None:
            return tips
        holding = lots.find(self.store, code.partition("..")[0]) if ".." in code else []
        return self.tips(holding[0]) if holding else []

    def parent(self, code: str, event_id: str) -> Any:
        for name in self.names(code):
            known = self.store.parent(name, event_id)
            if known is not None:
                return known
        return None

    def open(self, code: str) -> list[list[str]]:
        found: list[list[str]] = []
        for name in self.names(code):
            found.extend([entry for entry in self.store.open(name) if entry not in found])
        return found

    def claims(self, event_id: str) -> list[str]:
        return list(self.store.claims(event_id))

    def at(self, place: str) -> list[str]:
        return list(self.store.at(place))

    def sealed(self, seal: str) -> list[str]:
        return list(self.store.sealed(seal))

    def places(self, kind: str) -> list[str]:
        return list(self.store.places(kind))


def records(facts: Any, named: Json) -> list[list[Any]]:
    """Return `["item", code, value]` of the ranges that are cut, and of what is left of them."""
    records: list[list[Any]] = []
    for origin, pieces in named["cuts"]:
        value = facts.get("item", origin)
        records.append(["item", origin, None])
        for code, first, last in pieces:
            if code not in named["spans"]:
                records.append(["item", code, lots.sliced(value, code, first, last)])
    return records


def seen(named: Json) -> Json:
    """Return the last event of each range that is claimed, as its record has it."""
    found: Json = {}
    for code in named["spans"]:
        last = (named["facts"].get("item", code) or {}).get("last")
        if last:
            found[code] = last[0]
    return found
