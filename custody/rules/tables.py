"""A table as it stands: open or closed, and its game now."""

from .shapes import Any, Json

# Games whose players touch the cards, unless the setting or the table says otherwise.
HANDLED = ("three_card_poker", "poker")


def game_of(table: Json, at: Any = None) -> str:
    """The game of a table, now or at an instant: what it was changed to, else as it was set up."""
    folded = table.get("table")
    return str((folded and _changed(table, at)["game"]) or table.get("game"))


def _changed(table: Json, at: Any) -> Json:
    """Return `{"game", "handled"}` as the last change until then left them, None where none did."""
    changes = (table.get("table") or {}).get("changes", [])
    found: Json = {"game": None, "handled": None}
    for change in changes:
        if at is None or change["at"] <= at:
            found = change
    return found


def changes(before: Any, part: Json) -> list[Json]:
    """Return the changes of a table's game and handling, with what `part` changes."""
    known = list((before or {}).get("changes", []))
    last = known[-1] if known else {"game": None, "handled": None}
    if last["game"] != part["game"] or last["handled"] != part["handled"]:
        known.append({"at": part["at"], "game": part["game"], "handled": part["handled"]})
    return known


def part(place: Json, event: Json) -> Json:
    """Return what a step `table` makes of the table at a place; `event` has `id`, `at`, `with`."""
    before = place.get("table")
    fields = event["with"]
    made: Json = {
        "state": fields.get("state") or ("open" if place.get("open", True) else "closed"),
        "game": fields.get("game") or (before or {}).get("game"),
        "handled": fields.get("handled", (before or {}).get("handled")),
        "at": event["at"],
        "event": event["id"],
        "before": dict(before, before=None) if before else None,
    }
    made["changes"] = changes(before, made)
    return made


def is_open(table: Json) -> bool:
    """Whether a table is open: as its last opening or closing left it, else as it was set up."""
    folded = table.get("table")
    return bool(folded["state"] == "open" if folded else table.get("open", True))


def handled(table: Json, at: Any = None) -> bool:
    """Whether players touch the cards: as the table was opened or set up, else by its game."""
    changed = _changed(table, at)
    if changed["handled"] is not None:
        return bool(changed["handled"])
    same = changed["game"] in (None, table.get("game"))
    if table.get("handled") is not None and same:
        return bool(table["handled"])
    return game_of(table, at) in HANDLED
