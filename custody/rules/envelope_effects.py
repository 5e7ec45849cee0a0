"""What packing, collecting and opening do to an envelope and to what lies in it."""

from . import parts, preshuffle
from .shapes import Any, Json


def pack(value: Json, event: Json, role: str) -> None:
    fields = event["with"]
    if role == "item" and parts.goes(value, event):
        parts.take(value, event, None)
        return
    if role == "into":
        _pack_into(value, event)
    elif role == "item":
        value["in"] = event["into"]
        value["packed"] = _packed(event)
        ready = fields.get("purpose") == "reserve_inspected" and value.get("inspection")
        value["preinspected"] = {"place": event["to"] or value["place"]} if ready else None
    if event["to"]:
        value["place"] = event["to"]
    elif role == "into" and value["place"] is None:
        value["place"] = event["from_place"]
    value["holder"] = None
    value["state"] = event["packed_state"]


def _packed(event: Json) -> Json:
    fields = event["with"]
    kept: Json = {"into": event["into"], "at": event["at"], "day": event["day"], "by": event["by"]}
    for name in ("purpose", "seal", "table", "pit"):
        kept[name] = fields.get(name)
    return kept


def _pack_into(value: Json, event: Json) -> None:
    fields = event["with"]
    if event["parts"]:
        value["parts"] = event["parts"]
    else:
        value["contents"] = sorted(
            value["contents"] + [c for c in event["codes"] if c not in value["contents"]]
        )
    value["kinds"] = sorted(set(value["kinds"] + event["kinds"]))
    value["pieces"] = len(value["contents"]) or len(event["parts"])
    for name in ("purpose", "seal", "table", "pit"):
        value[name] = fields.get(name)
    value["label"] = fields.get("label") is True
    value["sealed"] = True
    value["packed"] = {"at": event["at"], "day": event["day"], "by": event["by"]}
    if fields.get("seal") and fields["seal"] not in value["seals"]:
        value["seals"] = value["seals"] + [fields["seal"]]


def collect(value: Json, event: Json, role: str) -> None:
    value["collected_from"] = value["place"] or value.get("collected_from")
    value["state"] = "collected"
    value["place"] = event["with"].get("cart")
    value["holder"] = event["by"][0]
    value["preinspected"] = None


def unpack(value: Json, event: Json, role: str) -> None:
    if role == "item":
        value["contents"], value["sealed"], value["pieces"] = [], False, 0
        value["opened"] = {"seal": event["with"].get("seal"), "at": event["at"], "by": event["by"]}
        return
    value["in"] = None
    whole = event["intact"] and not differs((value.get("packed") or {}).get("seal"), event)
    preshuffle.unsealed(value, event, whole)
    if not whole or value["state"] == "reserve":
        value["preinspected"] = None
        if event["place_type"] == "table" or value["state"] == "reserve":
            value["inspection"] = None


def differs(seal: Any, event: Json) -> bool:
    """Whether the seal that was found is another than the one it was closed with, by its number or
    by the word of whoever opened it.
    """
    found = event["with"].get("seal")
    if seal and found and seal != found:
        return True
    return bool(event["with"].get("seal_state") == "different")
