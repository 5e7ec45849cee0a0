"""What a count of a place is compared with: the stock that the books have there."""

from . import context, lots, stock
from .shapes import Any, Json


def counted(book: Json, value: Any, kind: str, place: str) -> bool:
    """Whether an item, or a range of serials, is stock of a kind at a place."""
    if value is None or value["kind"] != kind or value["place"] != place:
        return False
    return stock.position(book, value) is not None


def group(value: Json) -> str:
    """Return the code under which it is counted: a lot for its serials, else its own."""
    return str(value["lot"]) if lots.is_range(value) else str(value["code"])


def effective(event: Json) -> int:
    """Return when an event happened (UTC ms): a fact's own time, else that of its record."""
    return context.effective(event)
