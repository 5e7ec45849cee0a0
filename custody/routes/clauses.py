"""Clauses: what the rules say in plain words, where they say it.

And the rulebook entry that follows from it.
"""

import csv
import json
from functools import cache
from importlib.resources import files
from typing import Any

from flask import Response, request

from custody.ledger.errors import NotKnown
from custody.routes import context, guard, render, rights, vocabulary
from custody.routes.words import words

blueprint = guard.desk_blueprint("clauses", __name__, "/clauses")
NOT_ENTRIES = frozenset({"book", "words", "needs"})


@cache
def every() -> dict[str, dict[str, str]]:
    """Return every clause by its id, with the columns of clauses.csv."""
    text = files("custody.rulebooks").joinpath("clauses.csv").read_text("utf-8")
    return {row["id"]: row for row in csv.DictReader(text.splitlines())}


@blueprint.get("")
@guard.require(rights.LOOK)
def index() -> Response:
    """Show the clauses of a regime and kind that contain all the words looked for."""
    asked = {name: request.args.get(name, "").strip() for name in ("regime", "kind", "find")}
    asked["regime"] = asked["regime"] if "regime" in request.args else _regime()
    rows = [row for row in every().values() if _fits(row, asked)]
    return render.page("clauses/index.html", "clauses/_rows.html", rows=rows, **asked, **_choices())


@blueprint.get("/<id>")
@guard.require(rights.LOOK)
def show(id: str) -> Response:
    """Show one clause with its citation and the entries of the rulebook in force that name it."""
    clause = every().get(id)
    if clause is None:
        raise NotKnown(words("clauses.unknown", id=id))
    found = entries(context.site()["book"], id)
    return render.page(
        "clauses/show.html", clause=clause, entries=found, book_id=context.site()["rulebook"]
    )


def entries(book: Any, clause: str, path: str = "") -> list[dict[str, str]]:
    """Return the parts of a rulebook that name a clause, the smallest ones.

    `[{"path", "text"}]`.
    """
    inner: list[dict[str, str]] = []
    steps = (
        book.items()
        if isinstance(book, dict)
        else enumerate(book)
        if isinstance(book, list)
        else ()
    )
    for name, part in steps:
        inner += entries(part, clause, f"{path}.{name}" if path else str(name))
    named = isinstance(book, dict) and clause in _clauses(book)
    if named and not inner:
        inner = [
            {"path": path, "text": json.dumps(book, indent=2, ensure_ascii=False, sort_keys=True)}
        ]
    return inner


def _clauses(entry: dict[str, Any]) -> list[str]:
    found = entry.get("clause", entry.get("clauses", []))
    return [found] if isinstance(found, str) else list(found or [])


def _regime() -> str:
    return str(context.site()["setting"].get("regime", ""))


def _fits(row: dict[str, str], asked: dict[str, str]) -> bool:
    text = " ".join(row.values()).lower()
    kinds = row["kinds"].split(";")
    return (
        asked["regime"] in ("", row["regime"])
        and (not asked["kind"] or asked["kind"] in kinds or "all" in kinds)
        and all(word in text for word in asked["find"].lower().split())
    )


def _choices() -> dict[str, list[tuple[str, str]]]:
    regimes = sorted({row["regime"] for row in every().values()})
    kinds = sorted({kind for row in every().values() for kind in row["kinds"].split(";")} - {"all"})
    return {
        "regimes": [(one, one) for one in regimes],
        "kinds": [(one, vocabulary.word("kind", one)) for one in kinds],
    }
