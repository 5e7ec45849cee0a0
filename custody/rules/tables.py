"""A table as it stands: open or closed, and its game now."""

from .shapes import Json


def game_of(table: Json) -> str:
    """The game of a table: what it was changed to, else what it was set up for."""
    return str((table.get("table") or {}).get("game") or table.get("game"))


def is_open(table: Json) -> bool:
    """Whether a table is open: as its last opening or closing left it, else as it was set up."""
    folded = table.get("table")
    return bool(folded["state"] == "open" if folded else table.get("open", True))
