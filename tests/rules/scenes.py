"""Ledgers in memory for tests of the rules: the people and places of one small casino."""

from __future__ import annotations

from typing import Any

from custody.rulebooks import loader
from custody.rules import core, memory, naming

PEOPLE: dict[str, Any] = {
    "fay": {"job": "floorperson", "supervises": ["craps"]},
    "gus": {"job": "floorperson", "supervises": ["craps"]},
    "pam": {"job": "pit_manager"},
    "ash": {"job": "assistant_shift_manager"},
    "dee": {"job": "dealer"},
    "sam": {"job": "security_officer"},
    "sue": {"job": "security_supervisor"},
    "cora": {"job": "compliance_representative"},
    "amy": {"job": "accounting_supervisor"},
    "ann": {"job": "internal_auditor"},
}
PLACES: dict[str, Any] = {
    "dock": {"type": "dock"},
    "vault": {"type": "storage", "use": "primary"},
    "pit1": {"type": "pit_stand"},
    "CR1": {"type": "table", "game": "craps", "pit": "pit1"},
    "CR2": {"type": "table", "game": "craps", "pit": "pit1"},
    "sec": {"type": "security"},
    "shred": {"type": "destruction"},
    "comm": {"type": "commission"},
}
FOUR = ["micrometer", "balancing_caliper", "steel_square", "magnet"]
START = 1796040000000  # 2026-12-01T08:00 in New York
MINUTE = 60_000


class Ledger:
    """A ledger in memory with the shared cast; `step` records what is allowed, or says why not."""

    def __init__(self, alternative: int = 1, **controls: Any) -> None:
        self.setting = {
            "regime": "MD",
            "zone": "America/New_York",
            "day_starts": "06:00",
            "controls": {"dice_inspection": f"alternative_{alternative}", **controls},
        }
        self.book = core.load(loader.rulebook("MD"), loader.site(self.setting))
        self.store = memory.new(self.book)
        self.now = START
        self.count = 0
        for person, value in PEOPLE.items():
            self.store.put("person", person, value)
        for place, value in PLACES.items():
            self.store.put("place", place, value)

    def draft(self, step: str, items: Any, by: str, **more: Any) -> dict[str, Any]:
        """Return a draft; keys of the event itself are taken out of `more`, the rest are fields."""
        self.now += MINUTE
        named = [items] if isinstance(items, str) else list(items or [])
        made: dict[str, Any] = {"step": step, "items": named, "by": by.split(), "at": self.now}
        born = ("kind", "form", "attributes") if step == "receive" else ("kind",)
        for key in ("to", "from", "into", "where", *born):
            made[key] = more.pop(key, None)
        made["with"] = more
        return made

    def reasons(self, *words: Any, **more: Any) -> list[dict[str, Any]]:
        return list(core.judge(self.book, self.store, self.draft(*words, **more))["reasons"])

    def step(self, *words: Any, **more: Any) -> str:
        """Record a step that must be allowed; return its id."""
        event = self.draft(*words, **more)
        reasons = core.judge(self.book, self.store, event)["reasons"]
        assert reasons == [], reasons
        return self.record(event)

    def fact(self, *words: Any, **more: Any) -> str:
        """Record what has happened, whatever the rules say; return its id."""
        return self.record(self.draft(*words, **more))

    def record(self, event: dict[str, Any]) -> str:
        self.count += 1
        key = f"e{self.count}"
        if "saw" not in event:
            event["saw"] = naming.last_seen(self.book, self.store, event)
        memory.record(self.book, self.store, event, key)
        return key

    def receive(self, items: str, size: int = 5, games: tuple[str, ...] = ("craps",)) -> None:
        attributes = {"size": size, "games": list(games)}
        made = {"kind": "dice", "form": "stick", "attributes": attributes}
        self.step("receive", items, "fay sam", to="dock", seals="intact", **made)

    def at_table(self, items: str, table: str = "CR1") -> None:
        """Receive a stick and bring it into play, by alternative 1."""
        self.receive(items)
        self.step("store", items, "fay sam", to="vault")
        self.step("issue", items, "fay sam pam", to="pit1")
        self.step("issue", items, "fay", to=table)
        self.step("inspect", items, "fay dee", when="before_play", instruments=FOUR, result="pass")
        self.step("play", items, "fay dee", where=table, vessel="cup")

    def at_table_measured(self, items: str) -> None:
        """The same where the controls ask for measures."""
        self.receive(items)
        self.step("store", items, "fay sam", to="vault")
        self.step("issue", items, "fay sam pam", to="pit1")
        self.step("issue", items, "fay", to="CR1")
        look = {"when": "before_play", "instruments": FOUR, "result": "pass"}
        self.step("inspect", items, "fay dee", measures=[["0.75", "0.75", "0.75"]] * 5, **look)

    def sealed(self, item: str, envelope: str, seal: str = "S-1") -> None:
        """Take a stick that is in play out of use and seal it as used."""
        table = self.item(item)["place"]
        self.step("remove", item, "fay dee", reason="rotation")
        self.step("inspect", item, "gus", when="end_of_day", result="pass")
        fields = {"purpose": "used", "table": table, "seal": seal, "label": True}
        self.step("pack", item, "dee fay", to="pit1", into=envelope, **fields)

    def item(self, code: str) -> dict[str, Any]:
        value = self.store.get("item", code)
        assert isinstance(value, dict)
        return value

    def open_kinds(self, code: str) -> list[str]:
        return sorted(kind for _, kind, _ in self.store.open(code))
