"""The coverage of the clauses as a table: Markdown, CSV, JSON."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from typing import Any

from custody.rulebooks.coverage import ADJACENT, CORE, OUT, Row

COLUMNS = ("clause", "regime", "cite", "kinds", "check", "scope", "status", "met by", "entries",
           "tests", "scenarios")  # fmt: skip
HEAD = """\
# Clauses

Made by `python -m custody.rulebooks.coverage` from the rulebooks, the tests and the scenarios;
not edited by hand. A clause is met by a *gate* (the step is refused, or recorded as an exception),
a *role* (who signs), *evidence* (what is recorded), a *clock*, a *count*, a *report*, a *setting*
(what the regulator approves), or a *checklist* line that a person ticks.

"""


def record(row: Row) -> dict[str, Any]:
    """Return a clause as one flat record, lists as lists."""
    return {
        "clause": row.clause["id"],
        **{name: row.clause[name] for name in ("regime", "cite", "kinds", "check", "scope")},
        "status": row.status,
        "met by": row.ways if row.entries else [],
        "entries": [f"{one.file}: {one.heading}" for one in row.entries],
        "tests": row.tests,
        "scenarios": row.scenarios,
    }


def as_json(rows: list[Row]) -> str:
    return json.dumps([record(row) for row in rows], indent=1, ensure_ascii=False)


def as_csv(rows: list[Row]) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in rows:
        told = record(row)
        writer.writerow({k: "; ".join(v) if isinstance(v, list) else v for k, v in told.items()})
    return out.getvalue()


def as_table(rows: list[Row]) -> str:
    """Return lines for a terminal: clause, status, how it is met, its first entry, how many."""
    lines = []
    for row in rows:
        first = f"{row.entries[0].file}:{row.entries[0].line}" if row.entries else "-"
        met = ",".join(row.ways) if row.entries else "-"
        tried = f"{len(row.tests)} tests, {len(row.scenarios)} scenarios"
        lines.append(f"{row.clause['id']:<24} {row.status:<8} {met:<38} {first:<34} {tried}")
    return "\n".join(lines)


def summary(rows: list[Row]) -> dict[str, int]:
    """Return how many of these clauses are met in each way; one met in two ways counts in both."""
    return dict(sorted(Counter(way for row in rows if row.entries for way in row.ways).items()))


def by_person(rows: list[Row]) -> list[Row]:
    """Return the clauses that nothing meets but a line that a person ticks: a surface, a mark."""
    return [row for row in rows if row.ways == ["checklist"]]


def markdown(rows: list[Row]) -> str:
    """Return docs/clauses.md."""
    core = [row for row in rows if row.clause["scope"] == CORE]
    met = sum(row.status == "met" for row in core)
    by_way = ", ".join(f"{way} {count}" for way, count in summary(core).items())
    parts = [
        HEAD,
        f"{met} of {len(core)} core clauses have an entry and are tried. By way (a clause that is "
        f"met in two ways counts in both): {by_way}. How what is unclear is read: "
        "[readings.md](readings.md).\n",
    ]
    parts += [_listed("Only a person can check", by_person(core))]
    parts += [_section("Core", core)]
    beside = [row for row in rows if row.clause["scope"] == ADJACENT]
    parts += [_section("Adjacent, with an entry", [row for row in beside if row.entries])]
    parts += [_listed("Not covered yet", [row for row in beside if not row.entries])]
    parts += [_listed("Out of scope", [row for row in rows if row.clause["scope"] == OUT])]
    return "".join(parts)


def _section(title: str, rows: list[Row]) -> str:
    lines = [f"\n## {title} ({len(rows)})\n", "| Clause | Says | Met by | Entry | Tried by |",
             "|---|---|---|---|---|"]  # fmt: skip
    return "\n".join([*lines, *(_line(row) for row in rows)]) + "\n"


def _line(row: Row) -> str:
    entries = "<br>".join(f"`{one.file}` {_plain(one.heading)}" for one in row.entries)
    tried = "<br>".join(
        [*(f"`{one}`" for one in row.scenarios), *(f"`{one}`" for one in row.tests)]
    )
    met = ", ".join(row.ways) if row.entries else "**nothing**"
    says = _plain(row.clause["requirement"])
    cells = (
        f"{row.clause['id']}<br>{row.clause['cite']}",
        says,
        met,
        entries,
        tried or "**nothing**",
    )
    return f"| {' | '.join(cells)} |"


def _listed(title: str, rows: list[Row]) -> str:
    lines = [f"\n## {title} ({len(rows)})\n", "| Clause | Kinds | Says |", "|---|---|---|"]
    for row in rows:
        one = row.clause
        lines.append(f"| {one['id']} | {one['kinds']} | {_plain(one['requirement'])} |")
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("[[", "\\[\\[")
