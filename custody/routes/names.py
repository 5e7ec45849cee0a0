"""The names behind the ids of people, devices and places."""

from typing import Any

from custody.ledger.core import DESK
from custody.routes import vocabulary
from custody.rules.ends import ENDS

Value = dict[str, Any]


class Names:
    """The names behind the ids of one page: people, devices, places."""

    def __init__(
        self, people: dict[str, Value], devices: dict[str, Value], places: dict[str, Value]
    ) -> None:
        self.people, self.devices, self.places = people, devices, places

    def person(self, id_: str) -> str:
        """Return the name of a person; of one who is not known, the id."""
        return str(self.people.get(id_, {}).get("name") or id_)

    def job(self, id_: str) -> str:
        """Return the word of a person's job in the page's language; "" of one who is not known."""
        return vocabulary.job(str(self.people.get(id_, {}).get("job") or ""))

    def device(self, id_: str) -> str:
        """Return the name of a device, with its site node's where it came through one."""
        if id_ == DESK:
            return vocabulary.word("device", id_)
        value = self.devices.get(id_, {})
        name, node = str(value.get("name") or id_), self.devices.get(value.get("node", ""))
        return f"{name} · {node['name']}" if node else name

    def place(self, id_: str | None) -> str:
        """Return the name of a place; an end (a player, the drop box) has the field's word."""
        known = self.places.get(id_ or "", {}).get("name")
        if known is None and id_ in ENDS:
            return vocabulary.word("place_type", id_)
        return str(known or id_ or "")
