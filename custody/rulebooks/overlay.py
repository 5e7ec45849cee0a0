"""An operator's overlay: its approved internal controls on top of a regime's rulebook.

`operator.toml` may choose where a clause leaves a choice, add rules, shorten periods, and add jobs,
places, designs and sampling plans. It never takes anything away: what would loosen a rule is
refused with its clause. A file with a mistake is refused as a whole, with file, line, key and what
may stand there. custody/rulebooks/README.md explains the words.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, NamedTuple

from custody.rulebooks import periods, words
from custody.rulebooks.choices import ChoiceError, check_choice, open_words
from custody.rulebooks.errors import RulebookError
from custody.rulebooks.lines import Lines
from custody.rulebooks.loader import REGIMES, parse
from custody.rulebooks.overlay_merge import fields_added, jobs_added
from custody.rulebooks.schema import Book, check

TOP = (
    *("id", "title", "regime", "version", "in_force", "expires"),
    *("reference", "approved_on", "document"),
    *("control", "job", "field", "rule", "clock", "count", "plan", "place", "design"),
)
NEEDED = ("id", "regime", "version", "in_force", "reference", "approved_on")
JOB = ("name", "department", "with", "above")
FIELD = ("step", "name", "type", "words", "label")
FIELD_TYPES = ("text", "word", "words", "bool", "int", "inches", "time", "person", "place", "code")
LENGTH = ("clause", "period")
PLAN = ("id", "games", "share")
DESIGN = ("kind", "form", "attributes", "maker")
NAME = re.compile(r"[a-z][a-z0-9_]*")
FIXED = ("commission", "administration")  # departments that are not the operator's to fill
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Overlay(NamedTuple):
    """A checked overlay: `id` is `harbor@3`, `text` the file's, `said` what it says as JSON."""

    id: str
    text: str
    said: Book
    lines: Lines

    @property
    def document(self) -> str:
        """The SHA-256 of the paper that was approved; of the file itself where none is named."""
        return str(self.said.get("document") or hashlib.sha256(self.text.encode()).hexdigest())


def read(name: str, text: str, rulebook: Book) -> Overlay:
    """Return an overlay, checked against the regime's own rulebook. Raises RulebookError."""
    said = parse(name, text)
    checker = _Checker(name, text, said, rulebook)
    checker.run()
    return Overlay(f"{said['id']}@{said['version']}", text, said, checker.lines)


class _Checker:
    def __init__(self, name: str, text: str, said: Book, rulebook: Book) -> None:
        self.name, self.text, self.said, self.rulebook = name, text, said, rulebook
        self.lines = Lines(name, text)
        self.seen: set[str] = set()

    def run(self) -> None:
        self.known(None, "an overlay", self.said, TOP)
        for key in NEEDED:
            if not self.said.get(key):
                raise RulebookError(self.name, 0, f"An overlay needs '{key}'.")
        self.one_of(None, "regime", self.said["regime"], REGIMES)
        self._frame()
        for index, job in enumerate(self.said.get("job", [])):
            self.job(("job", index), job)
        for index, field in enumerate(self.said.get("field", [])):
            self.field(("field", index), field)
        self.choices()
        for part in ("clock", "count"):
            for index, one in enumerate(self.said.get(part, [])):
                self.period(part, (part, index), one)
        for index, plan in enumerate(self.said.get("plan", [])):
            self.plan(("plan", index), plan)
        for gtin, design in self.said.get("design", {}).items():
            self.design(("design", gtin), design)
        self.rules()

    def _frame(self) -> None:
        mine = self.rulebook["regime"]
        if self.said["regime"] != mine:
            raise self.lines.error(None, f"regime is '{self.said['regime']}', the site's is {mine}",
                                   "regime")  # fmt: skip
        for key in ("in_force", "expires", "approved_on"):
            if key in self.said and not DAY.fullmatch(str(self.said[key])):
                problem = f"{key} is {self.said[key]!r}; write a date such as 2026-12-01"
                raise self.lines.error(None, problem, key)
        first = self.rulebook["in_force"]
        if self.said["in_force"] < first:
            problem = f"in_force lies before {first}, when {self.rulebook['id']} came into force"
            raise self.lines.error(None, problem, "in_force")
        if self.said["in_force"] < self.said["approved_on"]:
            raise self.lines.error(None, "in_force lies before approved_on", "in_force")

    def job(self, where: Any, job: Book) -> None:
        self.known(where, "a job", job, JOB)
        vocabulary = self.rulebook["vocabulary"]
        name, department = str(job.get("name", "")), job.get("department")
        if not NAME.fullmatch(name):
            raise self.lines.error(where, f"a job's name is like night_floorperson, not '{name}'",
                                   "name")  # fmt: skip
        if name in words.jobs(vocabulary):
            problem = f"'{name}' is a job of the rulebook, and its rank is not an overlay's to move"
            raise self.lines.error(where, problem, name)
        known = [one["name"] for one in vocabulary["departments"] if one["name"] not in FIXED]
        self.one_of(where, "department", department, known)
        ranks = next(d["ranks"] for d in vocabulary["departments"] if d["name"] == department)
        for key in ("with", "above"):
            self.one_of(where, key, job.get(key, []), [one for rank in ranks for one in rank])
        self.once(where, f"job '{name}'", "name")
        if ("with" in job) == ("above" in job):
            problem = f"'{name}' ranks with a job or above one: give 'with' or 'above', one of them"
            raise self.lines.error(where, problem, name)

    def field(self, where: Any, field: Book) -> None:
        """Check a field of the operator's own: a new one, whose label says what it is."""
        self.known(where, "a field", field, FIELD)
        steps, name = self.rulebook["vocabulary"]["steps"], str(field.get("name", ""))
        self.one_of(where, "step", field.get("step", ""), steps)
        self.one_of(where, "type", field.get("type", ""), FIELD_TYPES)
        if not NAME.fullmatch(name):
            problem = f"a field's name is like lamp_used, not '{name}'"
            raise self.lines.error(where, problem, "name")
        everywhere = self.rulebook["vocabulary"]["everywhere"]
        for step in field["step"] if isinstance(field["step"], list) else [field["step"]]:
            if name in steps[step]["fields"] or name in everywhere:
                problem = f"{step} has the field '{name}' already; a rule can require it"
                raise self.lines.error(where, problem, name)
            self.once(where, f"field '{name}' of {step}", "name")
        if field["type"] in ("word", "words") and not field.get("words"):
            raise self.lines.error(where, f"'{name}' needs its words", "type")
        label = field.get("label")
        if not isinstance(label, dict) or set(label) != {"en", "es"}:
            raise self.lines.error(where, f"'{name}' needs a label, en and es", "name")

    def choices(self) -> None:
        chosen, controls = self.said.get("control", {}), self.rulebook.get("control", {})
        for name, value in chosen.items():
            if name not in controls:
                raise self.lines.unknown(("control", ""), f"there is no control '{name}'", name,
                                         controls)  # fmt: skip
            try:
                check_choice(self.rulebook, name, value)
            except ChoiceError as error:
                raise self.lines.error(("control", ""), str(error), name) from error

    def period(self, part: str, where: Any, one: Book) -> None:
        """Refuse a period that is longer than the clause's, or for which there is no clock."""
        self.known(where, f"a {part}", one, LENGTH)
        own = [e for e in self.rulebook.get(part, []) if "period" in e]
        cited = sorted({clause for entry in own for clause in entry["clause"]})
        self.one_of(where, "clause", one.get("clause", ""), cited)
        self.once(where, f"{part} of {one['clause']}", "clause")
        self.known(where, "a period", one.get("period", {}), words.PERIOD)
        if len(one.get("period", {})) != 1 or not all(_whole(n) for n in one["period"].values()):
            problem = "a period is one whole number of hours, days or months"
            raise self.lines.error(where, problem, "period")
        for entry in own:
            if one["clause"] in entry["clause"] and not periods.within(
                one["period"], entry["period"]
            ):
                mine, law = periods.said(one["period"]), periods.said(entry["period"])
                problem = f"{mine} would loosen {one['clause']}, which allows {law}"
                raise self.lines.error(where, problem, "period")

    def plan(self, where: Any, plan: Book) -> None:
        self.known(where, "a plan", plan, PLAN)
        if "sampling" not in self.rulebook.get("control", {}):
            problem = f"{self.rulebook['id']} leaves no room for samples"
            raise self.lines.error(where, problem, "plan")
        for key in PLAN:
            if not plan.get(key):
                raise self.lines.error(where, f"a plan needs '{key}'", "plan")
        self.once(where, f"plan '{plan['id']}'", "id")
        self.one_of(where, "games", plan["games"], open_words(self.rulebook, "sampling"))

    def design(self, where: Any, design: Book) -> None:
        self.known(where, "a design", design, DESIGN)
        kinds = self.rulebook["vocabulary"]["kinds"]
        self.one_of(where, "kind", design.get("kind", ""), kinds)
        self.one_of(where, "form", design.get("form", []), kinds[design["kind"]]["forms"])

    def rules(self) -> None:
        """Check added rules as those of a rulebook are; all rules hold, so that they only add."""
        vocabulary = fields_added(jobs_added(self.rulebook["vocabulary"], self.said), self.said)
        book = {"rule": self.said.get("rule", []), "control": self.rulebook.get("control", {})}
        check(self.name, self.text, book, vocabulary, own_words=True)
        for index, rule in enumerate(book["rule"]):
            if not rule.get("clause") and not rule.get("house"):
                problem = "a rule names its clause, or says in 'house' what the operator wants"
                raise self.lines.error(("rule", index), problem, "rule")

    def once(self, where: Any, what: str, word: str) -> None:
        if what in self.seen:
            raise self.lines.error(where, f"the {what} is here already; say it once", word)
        self.seen.add(what)

    def known(self, where: Any, what: str, table: Any, allowed: Any) -> None:
        if not isinstance(table, dict):
            raise self.lines.error(where, f"{what} is a table of keys, not {table!r}", what)
        for key in table:
            if key not in allowed:
                named = next((block for block in self.lines.blocks if block[0] == key), None)
                where = where or named
                raise self.lines.unknown(where, f"{what} has no '{key}'", key, allowed)

    def one_of(self, where: Any, key: str, values: Any, allowed: Any) -> None:
        for value in values if isinstance(values, list) else [values]:
            if value not in allowed:
                raise self.lines.unknown(where, f"{key} cannot be '{value}'", str(value or key),
                                         allowed)  # fmt: skip


def _whole(number: Any) -> bool:
    return type(number) is int and number > 0
