"""Edges of dice, in inches as strings, against the limits of the rulebook. A refusal names die and
edge.
"""

from . import amounts
from .shapes import Any, Json

EDGES = 3


def measured(found: Json, group: Json, need: Json) -> Any:
    """Every die of every set was measured on three edges, within the limits for its game.

    `limits` of the rulebook: `{"games": [...], "least": "0.750", "most": "0.775", "tolerance":
    "0.005"}`
    in inches. Asked for where the operator's controls say `measures = "required"`.
    """
    if found["book"]["controls"].get("measures") != "required":
        given = found["with"].get("measures")
        return _wrong(found, group, given) if given else None
    given = found["with"].get("measures") or []
    dice = sum(value["pieces"] for _, value, _ in group["items"])
    if len(given) != dice:
        return {"code": "measure-count", "found": len(given), "count": dice}
    return _wrong(found, group, given)


def _wrong(found: Json, group: Json, given: list[Any]) -> Any:
    limit = limit_for(found["book"], group["traits"]["game"])
    for die, edges in enumerate(given):
        if not isinstance(edges, list) or len(edges) != EDGES:
            return {"code": "measure-edges", "die": die + 1}
        for edge, text in enumerate(edges):
            problem = _edge(text, limit)
            if problem:
                return dict(problem, die=die + 1, edge=edge + 1, found=text)
    return None


def limit_for(book: Json, games: list[str]) -> Any:
    """Return the limits on dice of these games, None where the regime has none."""
    for limit in book["limits"].get("dice", []):
        if any(game in limit["games"] for game in games):
            return limit
    return None


def _edge(text: Any, limit: Any) -> Any:
    try:
        size = amounts.micro(text)
    except amounts.AmountError:
        return {"code": "measure-text"}
    if limit is None:
        return None
    slack = amounts.micro(limit.get("tolerance", "0"))
    least, most = amounts.micro(limit["least"]) - slack, amounts.micro(limit["most"]) + slack
    if least <= size <= most:
        return None
    return {"least": limit["least"], "most": limit["most"], "unit": limit["unit"]}
