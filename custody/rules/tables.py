"""A table as it stands: open or closed, and its game now."""

from .shapes import Any, Json

# Games whose players touch the cards, unless the setting or the table says otherwise.
HANDLED = ("three_card_poker", "poker")


def game_of(table: Json) -> str:
    """The game of a table: what it was changed to, else what it was set up for."""
    return str((table.get("table") or {}).get("game") or table.get("game"))


def is_open(table: Json) -> bool:
    """Whether a table is open: as its last opening or closing left it, else as it was set up."""
    folded = table.get("table")
    return bool(folded["state"] == "open" if folded else table.get("open", True))


def handled(table: Any) -> bool:
    """Whether players touch the cards: as the table was opened or set up, else by its game."""
    folded = table.get("table") or {}
    if folded.get("handled") is not None:
        return bool(folded["handled"])
    changed = folded.get("game") not in (None, table.get("game"))
    if table.get("handled") is not None and not changed:
        return bool(table["handled"])
    return game_of(table) in HANDLED
