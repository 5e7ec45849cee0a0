"""Sets of tiles: what makes one whole, and what becomes of one that lost a tile."""

from . import failing, lots, slips
from .shapes import Any, Json

WHOLE = 32


def whole_set(found: Json, group: Json, need: Json) -> Any:
    """It has `pieces` tiles."""
    failed = failing.codes(group, lambda v: lots.each(v) != need["pieces"])
    return {"items": failed, "count": need["pieces"]} if failed else None


def clean_set(found: Json, group: Json, need: Json) -> Any:
    """The inspection found no worn tile in it: one that has scratches is taken out first."""
    return failing.of(group, lambda v: worn(v.get("examined")))


def worn(examined: Any) -> bool:
    """Whether an inspection's findings are `worn`, or begin with it."""
    findings = (examined or {}).get("findings")
    return isinstance(findings, str) and findings.strip().lower()[:4] == "worn"


def sources(found: Json, group: Json, need: Json) -> Any:
    """Replacement sets are put together: `ask` says what is asked of them.

    `form`: they are replacement sets; `place`: they lie in the store where it is done; `whole`:
    together they have every tile.
    """
    named = found["with"].get("sources") or []
    values = [[code, found["facts"].get("item", code)] for code in named]
    return ASKED[need["ask"]](found, values)


def _forms(found: Json, values: list[Any]) -> Any:
    return failing.items(
        [
            code
            for code, value in values
            if value is None or value["kind"] != "tiles" or value["form"] != "replacement_set"
        ]
    )


def _places(found: Json, values: list[Any]) -> Any:
    here = found["where_id"]
    return failing.items(
        [
            code
            for code, value in values
            if value is None or value["state"] != "stored" or value["place"] != here
        ]
    )


def _whole(found: Json, values: list[Any]) -> Any:
    known = [value for _, value in values if value is not None]
    given = taken([value["code"] for value in known], known)
    count = sum([entry["count"] for entry in given])
    return None if count == WHOLE else {"found": count, "count": WHOLE}


ASKED: Json = {"form": _forms, "place": _places, "whole": _whole}


def taken(codes: list[str], values: list[Any]) -> list[Json]:
    """Return what each set gives, in order: `{"code", "count", "names"}`.

    The first gives all that it has; the tiles that it lacks come from the others, each from the
    first that has it. A tile that every set lacks is given by none.
    """
    if not values:
        return []
    first = values[0]
    lacking = list(first["attributes"].get("missing", []))
    unnamed = max(0, WHOLE - first["pieces"] - len(lacking))
    given: list[Json] = [{"code": codes[0], "count": first["pieces"], "names": []}]
    for number in range(1, len(values)):
        names = [n for n in lacking if n not in values[number]["attributes"].get("missing", [])]
        names = names[: values[number]["pieces"]]
        lacking = [name for name in lacking if name not in names]
        more = min(unnamed, values[number]["pieces"] - len(names))
        unnamed -= more
        given.append({"code": codes[number], "count": len(names) + more, "names": names})
    return given


def where_named(found: Json, group: Json, need: Json) -> Any:
    """The store where it is done is named: a new set lies nowhere before."""
    return None if found["where"] else {}


CHECKS: Json = {
    "where_named": where_named,
    "whole_set": whole_set,
    "clean_set": clean_set,
    "sources": sources,
}

CODES = {
    "where_named": "where-missing",
    "whole_set": "set-not-whole",
    "clean_set": "tile-worn",
    "sources": "sources-unfit",
}


def balance(value: Json) -> str:
    """Which stock a set belongs to: `new`, `used`, `replacement` or `reconstructed`."""
    if value["form"] == "replacement_set":
        return "replacement"
    if value["form"] == "reconstructed_set":
        return "reconstructed"
    return "used" if "first_play" in value["times"] else "new"


def given_by(facts: Any, event: Json) -> Json:
    """Return what each source of a rebuild gives, by code."""
    codes = (event.get("with") or {}).get("sources") or []
    pairs = [[code, facts.get("item", code)] for code in codes]
    known = [pair for pair in pairs if pair[1] is not None]
    given = taken([code for code, _ in known], [value for _, value in known])
    return {entry["code"]: entry for entry in given}


def rebuilt(value: Json, event: Json, role: str) -> None:
    """A reconstructed set comes into being; its sources keep what they did not give."""
    if role == "item":
        value["state"] = "stored"
        value["place"] = event["where"]
        value["wrapped"] = True
        value["made_of"] = list(event["with"].get("sources") or [])
        return
    gave = event["gives"].get(value["code"])
    if gave is not None:
        missing = value["attributes"].get("missing", []) + gave["names"]
        value["attributes"] = dict(value["attributes"], missing=missing)
        value["pieces"] -= gave["count"]
        value["rebuilt"] = value.get("rebuilt", []) + list(event["codes"])


def split(value: Json, event: Json) -> None:
    """Tiles go out of a set; what is left is a replacement set."""
    value["form"] = "replacement_set"
    value["form_number"] = event["with"].get("form_number")
    value["form_event"] = event["id"]
    value["wrapped"] = False


def form(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """The two-part form of a split: the original at security, the duplicate with the set."""
    number = event["with"].get("form_number")
    value = {
        "form": "split",
        "number": number,
        "event": event["id"],
        "items": event["codes"],
        "pieces": event["with"].get("pieces"),
        "at": event["at"],
        "day": event["day"],
        "by": event["by"],
    }
    said = {
        "original": {"state": "at_security", "place": event["from_place"], "holder": None},
        "duplicate": {"state": "with_set", "place": None, "holder": None},
    }
    return [["task", "form:" + event["id"], slips.told(value, event["id"], said)]]
