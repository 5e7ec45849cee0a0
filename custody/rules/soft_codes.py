"""Items that a step changes without claiming them."""

from .shapes import Json


def of(event: Json) -> list[str]:
    """Return the codes that an event changes without claiming them: it is never concurrent about
    them, and goes on from the first branch. The sets of a rebuild, the deck that gives a card.
    """
    step = event["step"]
    if step not in ("rebuild", "swap"):
        return []
    fields = event.get("with") or {}
    if step == "rebuild":
        return [code for code in fields.get("sources") or [] if isinstance(code, str)]
    return [fields["from"]] if isinstance(fields.get("from"), str) else []
