"""Batches that are inspected and shuffled before they go to a table, and their two-part form."""

from . import cards, failing, slips, tables
from .shapes import Any, Json

HOUR = 3600000


def notice(found: Json, group: Json, need: Json) -> Any:
    """The schedule was given at least `hours` before."""
    given = found["with"].get(need["field"])
    if not isinstance(given, int) or found["at"] - given >= need["hours"] * HOUR:
        return None
    return {"hours": need["hours"]}


def batch_size(found: Json, group: Json, need: Json) -> Any:
    """The batch has as many decks as the form says and as the table's game needs."""
    real = cards.decks([value for _, value, _ in found["items"]])
    named = found["with"].get("decks")
    wanted = (found["where"] or {}).get("decks")
    if named not in (None, real):
        return {"found": real, "count": named}
    return {"found": real, "count": wanted} if wanted not in (None, real) else None


def preshuffled(found: Json, group: Json, need: Json) -> Any:
    """It went through inspection and shuffle, and was not played or sealed away since."""
    return failing.of(group, lambda v: not v.get("preshuffled") or v["preshuffled"]["unsealed"])


def one_batch(found: Json, group: Json, need: Json) -> Any:
    """What goes into the container is one whole batch, no more and no less."""
    named = sorted(found["codes"])
    wrong = failing.codes(group, lambda v: (v.get("preshuffled") or {}).get("codes") != named)
    return failing.items(wrong)


def batch_seal(found: Json, group: Json, need: Json) -> Any:
    """The label is the one that the batch's form names."""
    seal = found["with"].get("seal")
    named = [(v.get("preshuffled") or {}).get("seal") for _, v, _ in group["items"]]
    other = [one for one in named if one not in (None, seal)]
    return {"seal": seal, "must": other[0]} if other else None


CHECKS: Json = {
    "notice": notice,
    "batch_size": batch_size,
    "preshuffled": preshuffled,
    "one_batch": one_batch,
    "batch_seal": batch_seal,
}

CODES = {
    "notice": "notice-short",
    "batch_size": "batch-size-wrong",
    "preshuffled": "not-preshuffled",
    "one_batch": "batch-not-whole",
    "batch_seal": "seal-other",
}


def busy(facts: Any, person: Json) -> list[str]:
    """Return the open tables that a person is assigned to: `supervises` names tables or games."""
    assigned = person.get("supervises", [])
    if not assigned:
        return []
    known = [[code, facts.get("place", code)] for code in facts.places("table")]
    return [code for code, table in known if tables.is_open(table) and _of(assigned, code, table)]


def _of(assigned: list[str], code: str, table: Json) -> bool:
    return code in assigned or tables.game_of(table) in assigned


def shuffled(value: Json, event: Json) -> None:
    """The batch is ready for its container."""
    value["preshuffled"] = {
        "event": event["id"],
        "at": event["at"],
        "codes": sorted(event["codes"]),
        "seal": event["with"].get("seal"),
        "unsealed": False,
    }
    value["wrapped"] = False


def unsealed(value: Json, event: Json, whole: bool) -> None:
    """The container was opened: at a table and with a whole seal, the batch needs no inspection."""
    done = value.get("preshuffled")
    if done:
        at_table = event["place_type"] == "table"
        value["preshuffled"] = dict(done, unsealed=True) if whole and at_table else None


def made(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """The form comes into being with the batch; its last section waits for the delivery."""
    part = {"state": "with_batch", "place": event["where"], "holder": None}
    form = {
        "form": "preshuffle",
        "event": event["id"],
        "items": event["codes"],
        "decks": event["with"].get("decks"),
        "seal": event["with"].get("seal"),
        "recording": event["with"].get("recording"),
        "at": event["at"],
        "day": event["day"],
        "by": event["by"],
    }
    for name in ("machine", "receipt"):
        form[name] = event["with"].get(name)
    second = NONE if stays(book) else part
    said = {"delivered": None, "original": part, "duplicate": second}
    return [["task", "form:" + event["id"], slips.told(form, event["id"], said)]]


NONE: Json = {"state": "none", "place": None, "holder": None}


def stays(book: Json) -> bool:
    """Whether the paper is one receipt that stays with its batch, not a form of two parts."""
    return bool(book["controls"].get("preshuffle_paper") == "stays")


def completed(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """At delivery: the original goes into the pit's locked box, the copy to security; a receipt
    stays at the table.
    """
    changed: Json = {}
    for code in event["codes"]:
        for inner in (facts.get("item", code) or {}).get("contents", []):
            batch = (facts.get("item", inner) or {}).get("preshuffled") or {}
            key = "form:" + str(batch.get("event"))
            form = facts.get("task", key) if batch else None
            if form is not None and event["place_type"] == "table":
                delivered = {"at": event["at"], "table": event["from_place"], "by": event["by"]}
                said = {} if "papers" in form else _parted(book, facts, event)
                said["delivered"] = delivered
                changed[key] = slips.told(form, event["id"], said)
    return [["task", key, changed[key]] for key in sorted(changed)]


def _parted(book: Json, facts: Any, event: Json) -> Json:
    """Where the parts of a batch's form go at its delivery."""
    if stays(book):
        here = {"state": "at_table", "place": event["from_place"], "holder": None}
        return {"original": here, "duplicate": NONE}
    table = facts.get("place", event["from_place"]) or {}
    return {
        "original": {"state": "in_box", "place": table.get("pit"), "holder": None},
        "duplicate": {"state": "to_security", "place": None, "holder": event["by"][0]},
    }


def put_back(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """A receipt goes back into the container with its cards."""
    changed: Json = {}
    for code in event["codes"] if stays(book) else []:
        batch = (facts.get("item", code) or {}).get("preshuffled") or {}
        form = facts.get("task", "form:" + str(batch.get("event"))) if batch else None
        if form is not None and "papers" not in form:
            inside = {"state": "with_batch", "place": event["into"], "holder": None}
            said = {"original": inside}
            changed["form:" + batch["event"]] = slips.told(form, event["id"], said)
    return [["task", key, changed[key]] for key in sorted(changed)]
