"""What is known, in memory: the facts that `judge`, `fold` and `branches` ask for.

Values are never changed in place, so that a copy of a Book is a copy of its tables.
"""

from .shapes import Any, Json, Table


class Book:
    """Records by `(of, id)`, tips, links, event bodies, postings and exceptions of one ledger.

    `missing` is what it was asked for and does not hold, when made with `noting=True`: the handheld
    fetches that and calls again. `gone` are the states in which an item is at no place any more.
    """

    def __init__(self, gone: list[str], noting: bool = False) -> None:
        self.gone = gone
        self.noting = noting
        self.missing: list[list[str]] = []
        self.records: Table = {}
        self.here: Json = {}
        self.seals: Json = {}
        self.types: Json = {}
        self.branches: Json = {}
        self.links: Table = {}
        self.claimed: Json = {}
        self.opened: Json = {}
        self.exceptions: list[Json] = []
        self.postings: list[Json] = []

    def copy(self) -> "Book":
        """Return a Book that goes its own way from here on."""
        other = Book(self.gone, self.noting)
        for name in ("records", "branches", "links", "claimed"):
            getattr(other, name).update(getattr(self, name))
        for name in ("here", "seals", "types"):
            for key, members in getattr(self, name).items():
                getattr(other, name)[key] = dict(members)
        other.exceptions = [dict(entry) for entry in self.exceptions]
        other.postings = list(self.postings)
        return other

    def get(self, of: str, key: str) -> Any:
        """Return the value of a record, None where there is none."""
        if of == "exception":
            return self._exception(key)
        if of == "then":
            return None  # master data is kept as it is now, without its versions
        value = self.records.get((of, key))
        if value is not None:
            return value
        if self.noting and (of, key) not in self.records:
            self._note(["get", of, key])
        return None

    def _exception(self, key: str) -> Any:
        for entry in self.exceptions:
            if entry["id"] == key:
                return {"kind": entry["kind"], "open": not entry["closed"]}
        return None

    def at(self, place: str) -> list[str]:
        """Return the codes of the items at a place that are still in custody, sorted."""
        if self.noting and place not in self.here:
            self._note(["at", place])
        return sorted(self.here.get(place, {}))

    def sealed(self, seal: str) -> list[str]:
        """Return the codes of the envelopes that carry or carried a seal, sorted."""
        if self.noting and seal not in self.seals:
            self._note(["sealed", seal])
        return sorted(self.seals.get(seal, {}))

    def places(self, kind: str) -> list[str]:
        """Return the ids of the places of a type, sorted."""
        if self.noting and kind not in self.types:
            self._note(["places", kind])
        return sorted(self.types.get(kind, {}))

    def open(self, code: str) -> list[list[str]]:
        """Return `[exception id, kind, event id]` of each open exception that names a code."""
        if self.noting and code not in self.opened:
            self._note(["open", code])
        return list(self.opened.get(code, [])) + [
            [entry["id"], entry["kind"], entry["event"]]
            for entry in self.exceptions
            if not entry["closed"] and code in entry["items"]
        ]

    def raised(self, event_id: str) -> list[list[Any]]:
        """Return `[exception id, kind, reason]` of each open exception that an event raised."""
        return [
            [entry["id"], entry["kind"], (entry.get("values") or {}).get("reason")]
            for entry in self.exceptions
            if entry["event"] == event_id and not entry["closed"]
        ]

    def ended(self, event_id: str) -> list[list[Any]]:
        """Return `[exception id, kind]` of each exception that an event closed."""
        return [[e["id"], e["kind"]] for e in self.exceptions if e["closed"] == event_id]

    def tips(self, code: str) -> list[list[Any]]:
        """Return `[event id, value]` of each branch of an item, the canonical one first."""
        return list(self.branches.get(code, []))

    def parent(self, code: str, event_id: str) -> Any:
        """Return the id of the event that this one continued for a code, None for the first."""
        return self.links.get((code, event_id))

    def claims(self, event_id: str) -> list[str]:
        """Return the codes that an event claimed, sorted."""
        return list(self.claimed.get(event_id, []))

    def put(self, of: str, key: str, value: Any) -> None:
        """Set a record, and what is found by it: the items at a place, a seal's envelopes, places
        by type.
        """
        old = self.records.get((of, key))
        self.records[(of, key)] = value
        if of == "item":
            self._move(key, old, value)
            for seal in (old or {}).get("seals", []):
                self.seals[seal].pop(key, None)
            for seal in (value or {}).get("seals", []):
                self.seals.setdefault(seal, {})[key] = True
        if of == "place" and value is not None:
            self.types.setdefault(value["type"], {})[key] = True

    def _move(self, code: str, old: Any, new: Any) -> None:
        was, now = self._place(old), self._place(new)
        if was == now:
            return
        if was is not None:
            self.here[was].pop(code, None)
        if now is not None:
            self.here.setdefault(now, {})[code] = True

    def _place(self, value: Any) -> Any:
        return None if value is None or value["state"] in self.gone else value["place"]

    def _note(self, question: list[str]) -> None:
        if question not in self.missing:
            self.missing.append(question)


class Seen:
    """The facts of a store, with some items as a branch knows them."""

    def __init__(self, store: Any, values: Json) -> None:
        self.store = store
        self.values = values

    def get(self, of: str, key: str) -> Any:
        if of == "item" and key in self.values:
            return self.values[key]
        return self.store.get(of, key)

    def at(self, place: str) -> list[str]:
        return list(self.store.at(place))

    def sealed(self, seal: str) -> list[str]:
        return list(self.store.sealed(seal))

    def places(self, kind: str) -> list[str]:
        return list(self.store.places(kind))

    def open(self, code: str) -> list[list[str]]:
        return list(self.store.open(code))
