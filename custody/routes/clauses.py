"""Clauses: what the rules say in plain words, where they say it.

And the rulebook entry that follows from it.
"""

import json
from typing import Any

from flask import Response, request

from custody.ledger.reading import records
from custody.routes import context, guard, render, rights, vocabulary
from custody.routes.missing import Missing
from custody.routes.words import words
from custody.rulebooks import coverage, coverage_table

blueprint = guard.desk_blueprint("clauses", __name__, "/clauses")


def every() -> dict[str, dict[str, str]]:
    """Return every clause by its id, with the columns of clauses.csv."""
    return coverage.clauses()


@blueprint.get("")
@guard.require(rights.LOOK)
def index() -> Response:
    """Show the clauses of a regime and kind that contain all the words looked for."""
    asked: dict[str, Any] = {
        name: request.args.get(name, "").strip() for name in ("regime", "kind", "find")
    }
    asked["regime"] = asked["regime"] if "regime" in request.args else _regime()
    rows = [coverage.row(id_) for id_, one in every().items() if _fits(one, asked)]
    core = [
        row for row in coverage.rows(coverage.CORE) if asked["regime"] in ("", row.clause["regime"])
    ]
    told: dict[str, Any] = {
        "met": sum(row.status == "met" for row in core),
        "all": len(core),
        "by_way": coverage_table.summary(core),
    }
    return render.page(
        "clauses/index.html", "clauses/_rows.html", rows=rows, **told, **asked, **_choices()
    )


@blueprint.get("/coverage.csv")
@guard.require(rights.LOOK)
def table() -> Response:
    """Hand out every clause with how it is met, where, and what tries it, as `custody clauses`."""
    answer = Response(coverage_table.as_csv(coverage.rows()), mimetype="text/csv")
    answer.headers["Content-Disposition"] = 'attachment; filename="clauses.csv"'
    return answer


@blueprint.get("/<id>")
@guard.require(rights.LOOK)
def show(id: str) -> Response:
    """Show one clause with its citation and the entries of the rulebook in force that name it."""
    clause = every().get(id)
    if clause is None:
        raise Missing(words("clauses.unknown", id=id))
    rulebook = context.site()["rulebook"]
    found = entries(records.known(context.ledger(), "rulebook", rulebook), id)
    told: dict[str, Any] = {"clause": clause, "entries": found, "book_id": rulebook}
    return render.page("clauses/show.html", row=coverage.row(id), **told)


def entries(rulebook: dict[str, Any], clause: str) -> list[dict[str, str]]:
    """Return the entries of a rulebook that name a clause, as it is written.

    `[{"path", "text"}]`.
    """
    found = []
    for part, content in rulebook.items():
        if part != "vocabulary":
            found += [_entry(part, one) for one in _entries(content) if _names(one, clause)]
    return found


def _entries(content: Any) -> list[Any]:
    if isinstance(content, list):
        return content
    return [{name: one} for name, one in content.items()] if isinstance(content, dict) else []


def _names(value: Any, clause: str) -> bool:
    if isinstance(value, dict):
        named = value.get("clause", [])
        here = clause in ([named] if isinstance(named, str) else named)
        return here or any(_names(one, clause) for one in value.values())
    return isinstance(value, list) and any(_names(one, clause) for one in value)


def _entry(part: str, entry: dict[str, Any]) -> dict[str, str]:
    lines = [f"{name} = {_toml(value)}" for name, value in entry.items()]
    return {"path": part, "text": "\n".join(lines)}


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {_toml(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list):
        inner = ", ".join(_toml(one) for one in value)
        long = any(isinstance(one, dict) for one in value)
        return "[\n  " + inner.replace("}, {", "},\n  {") + "\n]" if long else f"[{inner}]"
    return json.dumps(value, ensure_ascii=False)


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


def _choices() -> dict[str, Any]:
    regimes = sorted({row["regime"] for row in every().values()})
    kinds = sorted({kind for row in every().values() for kind in row["kinds"].split(";")} - {"all"})
    return {
        "regimes": [(one, one) for one in regimes],
        "kinds": [(one, vocabulary.word("kind", one)) for one in kinds],
    }
