"""An item's life: every event with who, when, where, what and under which clause.

An envelope with its contents.
"""

from typing import Any

from flask import Response, url_for
from markupsafe import Markup

from custody.ledger.errors import NotKnown
from custody.ledger.reading import life
from custody.routes import (
    context,
    guard,
    item_moments,
    moments,
    pages,
    paging,
    present,
    render,
    rights,
    sentences,
    times,
    vocabulary,
)
from custody.routes.names import Names
from custody.routes.words import words

blueprint = guard.desk_blueprint("items", __name__, "/items")
Value = dict[str, Any]
ENVELOPE = "envelope"


@blueprint.get("/<path:code>")
@guard.require(rights.LOOK)
def show(code: str) -> Response:
    """Show an item's life, or say plainly that no event names the code."""
    try:
        found = life.of_item(context.ledger(), code)
    except NotKnown:
        return render.page("items/unknown.html", status=404, code=code)
    asked = moments.asked()
    if asked.at is not None:
        return item_moments.page(code, asked, found)
    return _now_page(found, asked)


def _now_page(found: Value, asked: moments.Asked) -> Response:
    names = context.names()
    newest = list(reversed(found["entries"]))
    entries, events = paging.listed(newest, lambda entry: (-entry["position"],))
    shown = [_event(entry, found, names) for entry in entries]
    told: dict[str, Any] = {
        "exceptions": _open(found, names),
        "due": _due(found),
        "branches": branches(found, names),
        "moment": moments.form(asked),
        "paging": events,
        "seals": seals(found),
        "pieces": [_part(value) for value in found["parts"]],
    }
    return render.page(
        "items/show.html", status=asked.status, item=item(found, names), events=shown, **told
    )


def _part(value: Value) -> Value:
    """One line of a case's pieces: the codes, how many they are, their state and place."""
    return {**value, "state_word": vocabulary.word("state", value["state"])}


def _event(entry: Value, found: Value, names: Names) -> Value:
    return present.event(entry, names, found["exceptions"], entry["clauses"])


def item(found: Value, names: Names) -> Value:
    """Make the item's present state: words, and the facts worth a line of their own."""
    value = found["item"] or {}
    told: dict[str, Any] = {
        **value,
        "code": found["code"],
        "words": present.kind_words(value) if value else words("items.doubtful"),
        "state_word": vocabulary.word("state", value.get("state")) or words("items.no_state"),
        "now": _now(value, names),
    }
    if value.get("kind") == ENVELOPE:
        told["label_facts"] = _label(value, names)
    return told


def _now(value: Value, names: Names) -> list[Value]:
    """What an item is now, as `shared/_facts.html` shows it.

    Place, holder, envelope, attributes.
    """
    place, inside = value.get("place"), value.get("in")
    facts = [(words("words.state"), vocabulary.word("state", value.get("state")))]
    facts.append(
        (
            words("words.place"),
            _link(url_for("stock.place", id=place), names.place(place)) if place else "",
        )
    )
    if value.get("holder"):
        facts.append((words("items.holder"), names.person(str(value["holder"]))))
    if inside:
        facts.append((words("items.inside"), _link(url_for("items.show", code=inside), inside)))
    counted = {"pieces": value.get("pieces"), **(value.get("attributes") or {})}
    facts += present.fields(counted, names)
    return [{"label": label, "value": shown} for label, shown in facts if shown]


def _link(address: str, text: str) -> Markup:
    return Markup('<a href="{}">{}</a>').format(address, text)


def _label(value: Value, names: Names) -> list[tuple[str, Any]]:
    """What an envelope's label says: purpose, table or pit, date and time, and who signed it."""
    packed = value.get("packed") or {}
    shown = present.fields(
        {name: value.get(name) for name in ("purpose", "table", "pit", "label")}, names
    )
    if packed.get("at"):
        shown.append((words("envelopes.packed"), pages.when(packed["at"])))
    if packed.get("by"):
        shown.append((words("envelopes.signed"), ", ".join(map(names.person, packed["by"]))))
    return shown


def _open(found: Value, names: Names) -> list[Value]:
    shown = [
        present.exception(one, names) for one in found["exceptions"] if one["resolved"] is None
    ]
    return [{**one, "text": sentences.exception(one)} for one in shown]


def _due(found: Value) -> list[Value]:
    now = context.ledger().clock()
    return [
        {**one, "text": _deadline(one, now)} for one in found["due"] if one["status"] != "running"
    ]


def _deadline(one: Value, now: int) -> str:
    key = "due.left" if one["at"] > now else "due.over"
    return f"{sentences.clause_name(one['clause'])}: {words(key, span=times.span(one['at'] - now))}"


def branches(found: Value, names: Names) -> list[Value]:
    """Make the sides of a dispute, the first logged first.

    Each with its own state and the events only it has.
    """
    if len(found["tips"]) < 2:
        return []
    lines = [_line(found, tip["event"]) for tip in found["tips"]]
    shared = set(lines[0]).intersection(*lines[1:])
    return [
        _branch(found, tip, line, shared, n, names)
        for n, (tip, line) in enumerate(zip(found["tips"], lines, strict=True))
    ]


def _line(found: Value, tip: str) -> list[str]:
    """The ids of the events from a tip back to the first."""
    parents = {entry["id"]: entry["parent"] for entry in found["entries"]}
    line = []
    here: str | None = tip
    while here is not None and here in parents and here not in line:
        line.append(here)
        here = parents[here]
    return line


def _branch(
    found: Value, tip: Value, line: list[str], shared: set[str], n: int, names: Names
) -> Value:
    own = [entry for entry in found["entries"] if entry["id"] in line and entry["id"] not in shared]
    value = tip["value"] or {}
    return {
        "first": n == 0,
        "tip": tip["event"],
        "state_word": vocabulary.word("state", value.get("state")) or words("items.no_state"),
        "place": value.get("place"),
        "events": [{**present.event(entry, names), "knew": _knew(entry, found)} for entry in own],
    }


def _knew(entry: Value, found: Value) -> str:
    known = [one for one in found["entries"] if one["id"] == entry["parent"]]
    if not known:
        return words("items.knew_nothing")
    step = vocabulary.word("step", (known[0]["event"] or {}).get("step"))
    return words("items.knew", knew=f"{step} ({known[0]['position']})")


def seals(found: Value) -> list[Value]:
    """Make an envelope's seal history: what was applied, what was found, and what did not fit."""
    rows = []
    for entry in found["entries"]:
        line = entry["event"] or {}
        fields = line.get("with") or {}
        if fields.get("seal") and line.get("step") in SEALING:
            wrong = [
                one
                for one in found["exceptions"]
                if one["position"] == entry["position"] and one["kind"].startswith("seal")
            ]
            rows.append(_seal(line, fields, wrong))
    return rows


SEALING = {"pack": "sealed", "repack": "resealed", "preshuffle": "sealed", "open": "opened"}


def _seal(line: Value, fields: Value, wrong: list[Value]) -> Value:
    told = words(f"envelopes.{SEALING[line['step']]}")
    state = vocabulary.word("value", fields.get("seal_state")).lower()
    return {
        "seal": fields["seal"],
        "words": f"{told}: {state}" if state else told,
        "at": line["at"],
        "offset": line["offset"],
        "wrong": vocabulary.word("exception", wrong[0]["kind"]) if wrong else "",
    }
