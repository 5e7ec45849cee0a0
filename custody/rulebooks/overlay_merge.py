"""Put overlays onto a rulebook: what results is a rulebook again, every entry with its days."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

from custody.rulebooks.schema import Book

FOREVER = "9999-12-31"


def merge(rulebook: Book, overlays: Iterable[tuple[str, Book]]) -> Book:
    """Return a rulebook with overlays (`id`, what it says) put on it, without changing it.

    Each overlay is in force from its own day to that of the next, or to the end of its `expires`.
    The result is named after the last one: `md@2026.1+harbor@3`.
    """
    ordered = sorted(overlays, key=lambda one: one[1]["in_force"])
    merged = {**rulebook, "plan": []}
    ends = [one["in_force"] for _, one in ordered[1:]] + [FOREVER]
    for (id_, said), end in zip(ordered, ends, strict=True):
        span = (said["in_force"], min(end, _after(said.get("expires"))))
        merged = _put_on(merged, said, span)
        merged["id"] = f"{rulebook['id']}+{id_}"
    return merged


def _after(last: str | None) -> str:
    if last is None:
        return FOREVER
    return (datetime.date.fromisoformat(last) + datetime.timedelta(days=1)).isoformat()


def _put_on(book: Book, said: Book, span: tuple[str, str]) -> Book:
    dated = {"in_force": span[0], "until": span[1]}
    return {
        **book,
        "vocabulary": fields_added(jobs_added(book["vocabulary"], said), said),
        "rule": [*book.get("rule", []), *({**rule, **dated} for rule in said.get("rule", []))],
        "plan": [*book["plan"], *({**plan, **dated} for plan in said.get("plan", []))],
        **{part: _shortened(book, said, part, span) for part in ("clock", "count")},
    }


def _shortened(book: Book, said: Book, part: str, span: tuple[str, str]) -> list[Book]:
    """Return the clocks or counts, those that an overlay shortens cut at its first and last day."""
    found: list[Book] = []
    for entry in book.get(part, []):
        named = [one for one in said.get(part, []) if one["clause"] in entry.get("clause", [])]
        if not named or "period" not in entry:
            found.append(entry)
            continue
        first, last = entry.get("in_force", book["in_force"]), entry.get("until", FOREVER)
        start, end = max(first, span[0]), min(last, span[1])
        if start >= end:
            found.append(entry)
            continue
        cuts = [(first, start, {}), (start, end, {"period": named[-1]["period"]}), (end, last, {})]
        found += [{**entry, **change, "in_force": a, "until": b} for a, b, change in cuts if a < b]
    return found


def jobs_added(vocabulary: Book, said: Book) -> Book:
    """Return a vocabulary with an overlay's jobs on their ladders; those that are there stay.

    `like` says of each such job beside which one, or next above which one, it ranks.
    """
    departments = [dict(one) for one in vocabulary["departments"]]
    like = dict(vocabulary.get("like", {}))
    for job in said.get("job", []):
        ladder = next(one for one in departments if one["name"] == job["department"])
        if not any(job["name"] in rank for rank in ladder["ranks"]):
            ladder["ranks"] = _ranked(ladder["ranks"], job)
            like[job["name"]] = job.get("with") or job["above"]
    return {**vocabulary, "departments": departments, "like": like}


def fields_added(vocabulary: Book, said: Book) -> Book:
    """Return a vocabulary with an overlay's own fields, optional, after those of their steps."""
    steps = dict(vocabulary["steps"])
    for field in said.get("field", []):
        spec = {key: field[key] for key in ("type", "words", "label") if key in field}
        for step in field["step"] if isinstance(field["step"], list) else [field["step"]]:
            fields = {**steps[step]["fields"], field["name"]: spec}
            steps[step] = {**steps[step], "fields": fields, "order": list(fields)}
    return {**vocabulary, "steps": steps}


def _ranked(ranks: list[list[str]], job: Book) -> list[list[str]]:
    beside = job.get("with") or job["above"]
    level = next(n for n, rank in enumerate(ranks) if beside in rank)
    if "with" in job:
        return [[*rank, job["name"]] if n == level else rank for n, rank in enumerate(ranks)]
    return [*ranks[: level + 1], [job["name"]], *ranks[level + 1 :]]


def choices(said: Book) -> dict[str, Any]:
    """Return the controls that an overlay chooses; its sampling plans name games of `sampling`."""
    chosen = dict(said.get("control", {}))
    games = [game for plan in said.get("plan", []) for game in plan["games"]]
    if games:
        chosen["sampling"] = sorted({*chosen.get("sampling", []), *games})
    return chosen
