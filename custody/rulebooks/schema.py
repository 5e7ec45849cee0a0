"""The words that a rulebook may use.

A mistake names file, line and what is allowed; nothing half-loads. README.md explains each word.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from custody.rulebooks import words
from custody.rulebooks.errors import RulebookError
from custody.rulebooks.lines import Lines

__all__ = ["RulebookError", "check"]

Book = dict[str, Any]
LINE_LENGTH = 200


@cache
def clause_ids() -> frozenset[str]:
    """Return the ids of every clause of clauses.csv."""
    text = files("custody.rulebooks").joinpath("clauses.csv").read_text("utf-8")
    return frozenset(row["id"] for row in csv.DictReader(text.splitlines()))


def check(name: str, text: str, book: Book, vocabulary: Book, own_words: bool = False) -> None:
    """Raise RulebookError for the first word of a rulebook that is not allowed where it stands.

    With `own_words` a line of a checklist may say itself what it asks, in the operator's language.
    """
    _Checker(name, text, book, vocabulary, own_words).run()


class _Checker:
    def __init__(self, name: str, text: str, book: Book, vocabulary: Book, own_words: bool) -> None:
        self.own_words = own_words
        self.lines = Lines(name, text)
        self.book = book
        self.vocabulary = vocabulary
        self.jobs = words.jobs(vocabulary)
        self.traits = words.traits(vocabulary)

    def run(self) -> None:
        self.known(None, "the rulebook", self.book, words.TOP)
        for name, control in self.book.get("control", {}).items():
            self.known(("control", name), f"control {name}", control, words.CONTROL)
            self.clauses(("control", name), control)
        for part, allowed in words.PARTS.items():
            for index, entry in enumerate(self.book.get(part, [])):
                self.known((part, index), f"a {part}", entry, allowed)
                self.clauses((part, index), entry)
                getattr(self, f"_{part}")((part, index), entry)
        self.known(None, "fact", self.book.get("fact", {}), words.FACT)
        self.one_of(None, "need", self.book.get("fact", {}).get("need", []), self.jobs)
        self._limits()
        self._twins()

    def _step(self, where: Any, entry: Book) -> None:
        steps = _list(entry.get("step"))
        self.one_of(where, "step", steps, self.vocabulary["steps"])
        self.when(where, entry.get("when", {}))
        for slot in entry.get("signers", []):
            self.signer(where, slot)
        for need in entry.get("needs", []):
            self.need(where, need)
        for field in entry.get("fields", []):
            self.field(where, steps, field)
        for line in entry.get("checklist", []):
            self.known(where, "a checklist line", line, words.LINE)
            self.clauses(where, line)
            self.when(where, line.get("when", {}))
            self.line(where, line.get("line"))

    _rule = _step

    def _clock(self, where: Any, entry: Book) -> None:
        self.when(where, entry.get("when", {}), words.CLOCK_TRAITS)
        starts = [*self.vocabulary["steps"], *words.STARTS]
        self.one_of(where, "start", entry.get("start", []), starts)
        self.one_of(where, "ended_by", entry.get("ended_by", []), starts)
        self.known(where, "a period", entry.get("period", {}), words.PERIOD)
        self.one_of(where, "ends", entry.get("ends", []), words.ENDS)
        lengths = [
            "period" in entry or "control_period" in entry,
            "every" in entry,
            "ends" in entry,
        ]
        if lengths.count(True) != 1:
            problem = "a clock has a period, or every = 'gaming_day', or ends"
            raise self.lines.error(where, problem, "clock")

    def _count(self, where: Any, entry: Book) -> None:
        self.one_of(where, "kinds", entry.get("kinds", []), self.vocabulary["kinds"])
        self.known(where, "a period", entry.get("period", {}), words.PERIOD)
        self.clauses(where, {"clause": entry.get("variance", [])})
        self.one_of(where, "also", entry.get("also", []), self.vocabulary["places"]["types"])

    def _family(self, where: Any, entry: Book) -> None:
        self.one_of(where, "games", entry.get("games", []), self.vocabulary["games"]["words"])

    def _approval(self, where: Any, entry: Book) -> None:
        self.one_of(where, "of", entry.get("of", ""), words.APPROVED)
        self.one_of(where, "kinds", entry.get("kinds", []), self.vocabulary["kinds"])
        self.sentence(where, f"approval.{entry.get('name')}")

    def _record(self, where: Any, entry: Book) -> None:
        self.one_of(where, "name", entry.get("name", ""), words.RECORDS)
        self.one_of(where, "kinds", entry.get("kinds", []), self.vocabulary["kinds"])
        self.one_of(where, "every", entry.get("every", []), words.EVERY)

    def _paper(self, where: Any, entry: Book) -> None:
        """Check a form: `original` and `duplicate` are types of place in the order of their way."""
        steps = [*self.vocabulary["steps"], words.ANY_STEP]
        self.one_of(where, "step", entry.get("step", ""), steps)
        self.when(where, entry.get("when", {}), words.PAPER_TRAITS)
        if "original" not in entry:
            raise self.lines.error(where, "a paper says where its original goes", "paper")
        for part in ("original", "duplicate"):
            for types in entry.get(part, []):
                self.one_of(where, part, types, self.vocabulary["places"]["types"])

    def _limits(self) -> None:
        for kind, limits in self.book.get("limits", {}).items():
            self.one_of(None, "limits", [kind], self.vocabulary["kinds"])
            for index, limit in enumerate(limits):
                where = (f"limits.{kind}", index)
                self.known(where, "a limit", limit, words.LIMIT)
                self.clauses(where, limit)
                self._family(where, limit)

    def _twins(self) -> None:
        """Two entries of one step that ask for the same would leave it to chance which one
        speaks.
        """
        seen: dict[str, int] = {}
        for index, entry in enumerate(self.book.get("step", [])):
            for step in _list(entry["step"]):
                key = f"{step} {_key(entry.get('when', {}))}"
                if key in seen:
                    first = self.lines.of(("step", seen[key]), "step")
                    problem = f"this says when to apply just as the entry of line {first} does"
                    raise self.lines.error(("step", index), problem, "step")
                seen[key] = index

    def known(self, where: Any, what: str, table: Book, allowed: Iterable[str]) -> None:
        for key in table:
            if key not in allowed:
                raise self.lines.unknown(where, f"{what} has no '{key}'", key, allowed)

    def one_of(self, where: Any, key: str, values: Any, allowed: Iterable[str]) -> None:
        for value in _list(values):
            if value not in allowed:
                raise self.lines.unknown(where, f"{key} cannot be '{value}'", str(value), allowed)

    def clauses(self, where: Any, entry: Book) -> None:
        for clause in _list(entry.get("clause", [])):
            if clause not in clause_ids():
                problem = f"there is no clause '{clause}' in clauses.csv"
                raise self.lines.error(where, problem, clause)

    def when(self, where: Any, when: Book, more: Iterable[str] = ()) -> None:
        for word, wanted in when.items():
            if word == "control":
                self.control(where, wanted)
                continue
            trait = word.removeprefix("not_")
            if trait not in self.traits or (more and trait not in more):
                known = more or self.traits
                raise self.lines.unknown(where, f"when has no '{trait}'", trait, known)
            allowed = self.traits[trait]
            if allowed is not None:
                allowed = [*allowed, "none"]
                self.one_of(where, f"when.{trait}", wanted, allowed)

    def control(self, where: Any, wanted: Book) -> None:
        controls = self.book.get("control", {})
        self.known(where, "when.control", wanted, controls)
        for name, value in wanted.items():
            self.one_of(where, f"control {name}", value, controls[name].get("words", [value]))

    def signer(self, where: Any, slot: Book) -> None:
        self.known(where, "a signer", slot, words.SIGNER)
        self.one_of(where, "need", slot.get("need", []), self.jobs)
        self.clauses(where, slot)
        self.when(where, slot.get("when", {}))
        for key in ("bar", "among"):
            self.one_of(where, key, slot.get(key, []), words.RELATIONS)

    def need(self, where: Any, need: Book) -> None:
        self.one_of(where, "is", need.get("is", ""), words.NEEDS)
        allowed = [*words.NEED, *words.NEEDS[need["is"]]]
        self.known(where, f"the condition {need['is']}", need, allowed)
        self.clauses(where, need)
        self.when(where, need.get("when", {}))
        for key, values in (
            ("any", words.names(self.vocabulary["states"])),
            ("types", self.vocabulary["places"]["types"]),
            ("uses", self.vocabulary["places"]["uses"]),
            ("raises", self.vocabulary["exceptions"]["words"]),
        ):
            self.one_of(where, key, need.get(key, []), values)
        if "code" in need:
            self.sentence(where, need["code"])

    def field(self, where: Any, steps: list[str], field: Book) -> None:
        self.known(where, "a field", field, words.FIELD)
        self.clauses(where, field)
        for step in steps:
            known = self.vocabulary["steps"][step]["fields"]
            self.one_of(where, f"a field of {step}", field.get("name", ""), known)
            allowed = known[field["name"]].get("words")
            for key in ("words", "all"):
                self.one_of(where, key, field.get(key, []), allowed or field.get(key, []))
        for name, value in field.get("if", {}).items():
            if name == "control":
                self.control(where, value)

    def line(self, where: Any, line: Any) -> None:
        if not self.own_words:
            self.sentence(where, f"line.{line}")
        elif not isinstance(line, str) or not 0 < len(line.strip()) <= LINE_LENGTH:
            problem = f"a checklist line is a text of at most {LINE_LENGTH} characters"
            raise self.lines.error(where, problem, "checklist")

    def sentence(self, where: Any, code: str) -> None:
        if code not in words.sentences():
            problem = f"sentences.toml has no '{code}'"
            raise self.lines.error(where, problem, code.rpartition(".")[2])


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _key(when: Book) -> str:
    pairs = {
        trait: _key(value) if trait == "control" else sorted(map(str, _list(value)))
        for trait, value in when.items()
    }
    return str(sorted(pairs.items()))
