"""Find a thing by its code, as scanned, typed or in part.

One function cleans every code (`documents.scans`).
"""

from typing import Any

from flask import Response, request, url_for

from custody.documents import scans
from custody.ledger.reading import finding
from custody.routes import context, guard, present, render, rights, sentences, vocabulary
from custody.routes.words import words

blueprint = guard.desk_blueprint("search", __name__, "/find")
SHORTEST = 2


@blueprint.get("")
@guard.require(rights.LOOK)
def show() -> Response:
    """Show what the code names.

    Go there at once where a whole page asked and exactly one thing bears it.
    """
    asked = request.args.get("q", "")
    read = scans.read(asked, {"typed": True})
    one = exact(read)
    if one and not render.wants_part():
        return render.go(href(one))
    found = _found(read, one) if asked.strip() else {"rows": []}
    return render.page("search/show.html", "search/_found.html", q=read["text"], found=found)


def exact(read: dict[str, Any]) -> dict[str, Any] | None:
    """Return what bears the code that was read.

    As it stands, or as caps lock would have made it.
    """
    ledger = context.ledger()
    texts = [read["code"], read["text"], read["caps"]]
    return next((one for text in texts if text and (one := finding.exact(ledger, text))), None)


def _found(read: dict[str, Any], one: dict[str, Any] | None) -> dict[str, Any]:
    part = read["code"] or read["text"]
    if one is not None:
        return {"rows": [row(one)], "cut": False}
    if len(part) < SHORTEST:
        return {"rows": [], "problem": words("search.short"), "problem_text": ""}
    near = finding.containing(context.ledger(), part)
    if not near and read["warnings"]:
        told = " ".join(sentences.warning(warning) for warning in read["warnings"])
        return {"rows": [], "problem": words("search.unknown", code=part), "problem_text": told}
    return {"rows": [row(one) for one in near[: finding.LIMIT]], "cut": len(near) > finding.LIMIT}


def href(one: dict[str, Any]) -> str:
    """Return the address of the page of a thing that was found."""
    if one["of"] == "place":
        return url_for("stock.place", id=one["code"])
    if one["of"] == "seal":
        return url_for("items.show", code=one["value"][0])
    return url_for("items.show", code=one["code"])


def row(one: dict[str, Any]) -> dict[str, Any]:
    """Make one line of the results."""
    shown = {
        "code": one["code"],
        "href": href(one),
        "kind": "",
        "state": "",
        "place": None,
        "disputed": False,
    }
    if one["of"] == "place":
        return {**shown, "kind": present.place_words(one["value"], context.names())}
    if one["of"] == "seal":
        return {**shown, "kind": words("search.seal", code=one["value"][0])}
    item = one["value"]
    state = vocabulary.word("state", item.get("state"))
    told = {"kind": present.kind_words(item), "state": state, "place": item.get("place")}
    return {**shown, **told, "disputed": item.get("disputed", False)}
