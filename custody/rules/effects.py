"""What each step does to one item: the old value and the event in, the new value out.

An item is touched as `item` (named), `content` (inside of an envelope that is named) or `into` (the
envelope that the others go into). Nothing but the item's own value and the event decides, so that
an item can be folded again alone, from nothing, without an event that was entered wrongly.
"""

from . import (
    after_play,
    births,
    cards,
    cases,
    disposal,
    ends,
    envelope_effects,
    lots,
    papers,
    parts,
    preshuffle,
    sealed_kinds,
    serial_effects,
    telling,
    tiles,
)
from .shapes import Any, Json


def moved(value: Json, event: Json) -> None:
    """Put an item where the event takes it, in the state that things have there."""
    ends.moved(value, event)
    if event["arrival"]:
        value["state"] = event["arrival"]


def _receive(value: Json, event: Json, role: str) -> None:
    moved(value, event)
    value["state"] = "received"
    fields = event["with"]
    if fields.get("seals") == "broken":
        passed = fields.get("conform") is True and fields.get("tampering") is False
        value["doubtful"] = not passed


def _rest(value: Json) -> None:
    """Back in a store or a reserve, an inspection no longer speaks for an item that lies loose."""
    if value["in"] is None:
        value["inspection"] = None
        value["preinspected"] = None
        if value["state"] == "stored":
            value["packed"] = None


def _put_away(value: Json, event: Json, role: str) -> None:
    moved(value, event)
    if role != "content":
        _rest(value)
    else:
        value["preinspected"] = None


def _issue(value: Json, event: Json, role: str) -> None:
    done = value.get("inspection")
    kept = value.get("preinspected")
    if value["state"] == "reserve" and done and not kept and done["day"] != event["day"]:
        value["inspection"] = None
    moved(value, event)
    if event["to_type"] in ("pit_stand", "storage"):
        _put_away(value, event, role)


def _inspect(value: Json, event: Json, role: str) -> None:
    fields = event["with"]
    seen = {
        "day": event["day"],
        "at": event["at"],
        "by": event["by"],
        "result": fields.get("result"),
    }
    if fields.get("when") == "end_of_day":
        value["looked"] = seen
    else:
        value["inspection"] = dict(seen, type=event["where_type"] or event["place_type"])
        before = value.get("inspectors", [])
        value["inspectors"] = before + [p for p in event["by"][:1] if p not in before]
    if fields.get("result") == "fail" and value["kind"] not in sealed_kinds.KINDS:
        value["suspect"] = True


def _play(value: Json, event: Json, role: str) -> None:
    if event["where"]:
        value["place"] = event["where"]
    value["state"] = "in_play"
    value["holder"] = None
    value["vessel"] = event["with"].get("vessel")
    value["game"] = event["game"]
    if value["kind"] == "cards":
        value["handled"] = event["handled"]


def _remove(value: Json, event: Json, role: str) -> None:
    reason = event["with"].get("reason")
    value["state"] = "removed"
    value["removal"] = {
        "reason": reason,
        "at": event["at"],
        "day": event["day"],
        "place": value["place"],
    }
    value["inspection"] = None
    if reason == "tampering":
        value["suspect"] = True
    if reason == "lost_piece":
        _lose(value, event["with"].get("pieces", 1))


def _lose(value: Json, pieces: Any) -> None:
    count = len(pieces) if isinstance(pieces, list) else pieces
    value["pieces"] = max(0, value["pieces"] - count)
    if value["kind"] == "dice":
        value["attributes"] = dict(value["attributes"], dice_left=value["pieces"])


def _report(value: Json, event: Json, role: str) -> None:
    made = {"form": event["with"].get("form"), "event": event["id"], "at": event["at"]}
    reports = list(value.get("reports", []))
    reports.append(made)
    value["reports"] = reports


def _hand_over(value: Json, event: Json, role: str) -> None:
    moved(value, event)
    value["state"] = "with_commission"
    value["hold"] = None


def _hold(value: Json, event: Json, role: str) -> None:
    holder = "commission" if "commission" in event["departments"] else "operator"
    value["hold"] = {
        "by": holder,
        "case": event["with"].get("case"),
        "was": value["hold"]["was"] if value["state"] == "held" else value["state"],
    }
    value["state"] = "held"


def _release(value: Json, event: Json, role: str) -> None:
    hold = value.get("hold")
    value["released_by"] = hold["by"] if hold else "commission"
    if value["released_by"] == "commission":
        value["suspect"] = False
    if hold and event["to"] in (None, value["place"]):
        value["state"] = hold["was"]
    elif event["to"]:
        moved(value, event)
    value["hold"] = None


def _end(state: str) -> Any:
    def ended(value: Json, event: Json, role: str) -> None:
        if parts.goes(value, event):
            parts.ended(value, event)
            return
        if disposal.awaits(event):
            disposal.sent(value, event)
            return
        value["state"] = state
        value["place"] = event["where"] or event["to"] or value["place"]
        value["holder"] = None
        value["in"] = None
        value["ended"] = {
            "method": event["with"].get("method"),
            "at": event["at"],
            "day": event["day"],
        }
        if "contents" in value:
            value["contents"], value["sealed"] = [], False

    return ended


def _adjust(value: Json, event: Json, role: str) -> None:
    if event["to"]:
        moved(value, event)
    else:
        value["state"] = "lost"
        value["in"] = None


def _split(value: Json, event: Json, role: str) -> None:
    if role == "item" and parts.goes(value, event):
        parts.take(value, event, value["times"].get("collect", event["at"]))
        tiles.split(value, event)


def _note(value: Json, event: Json, role: str) -> None:
    """Nothing changes but the item's list of events."""


EFFECTS: Json = {
    "receive": _receive,
    "store": _put_away,
    "return": _put_away,
    "issue": _issue,
    "inspect": _inspect,
    "play": _play,
    "remove": _remove,
    "pack": envelope_effects.pack,
    "collect": envelope_effects.collect,
    "deliver": _put_away,
    "open": envelope_effects.unpack,
    "examine": lambda value, event, role: after_play.inspected(value, event),
    "report": _report,
    "hand_over": _hand_over,
    "hold": _hold,
    "release": _release,
    "cancel": _end("cancelled"),
    "destroy": _end("destroyed"),
    "adjust": _adjust,
    "swap": cards.swapped,
    "preshuffle": lambda value, event, role: preshuffle.shuffled(value, event),
    "repack": lambda value, event, role: after_play.repacked(value, event),
    "split": _split,
    "notify": lambda value, event, role: telling.noted(value, event),
    "mark_void": lambda value, event, role: papers.voided(event, value),
    "rebuild": tiles.rebuilt,
}


def touch(event: Json, value: Any, code: str) -> Any:
    """Return an item's value after an event; the same one where the event does not reach the item.

    `value` is None before the item came into being. The old value is left as it was.
    """
    role = _role(event, value, code)
    if role == "":
        return value
    value = _new(event, code, role) if value is None else dict(value)
    value["times"] = dict(value["times"])
    handed_on = event["step"] == "collect" and value["state"] == "collected"
    kind = value["kind"]
    if lots.is_serial(value):
        serial_effects.touch(event, value)
    elif role == "source" and kind == papers.KIND:
        papers.touch(event, value)
    else:
        EFFECTS.get(event["step"], _note)(value, event, role)
    if cases.is_piece(value):
        cases.touched(value, event)
    if kind in sealed_kinds.KINDS:
        sealed_kinds.follow(value, event, role)
    if role == "item" and kind == papers.KIND:
        papers.arrived(event, value)
    if not handed_on:
        value["times"][event["step"]] = event["at"]
    return value


def _new(event: Json, code: str, role: str) -> Json:
    if role == "into":
        return births.envelope(event, code)
    return papers.created(event, code) if role == "source" else births.created(event, code)


def _role(event: Json, value: Any, code: str) -> str:
    if code == event["into"]:
        return "into"
    if code in event["soft"] and code not in event["named"]:
        return "source" if value is not None or papers.makes(event, code) else ""
    if code in event["named"]:
        return "item" if value is not None or event["creates"] else ""
    return "content" if value is not None and value["in"] is not None else ""
