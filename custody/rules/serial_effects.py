"""What each step does to a range of serials: coupons and numbered seals."""

from . import codes_range, ends, numbered, papers, serials
from .shapes import Any, Json


def created(event: Json, code: str) -> Json:
    """Return the value of a range that comes into being with its lot."""
    run = serials.read(code)
    return {
        "code": code,
        "kind": event["kind"],
        "form": event["form"],
        "lot": event["lot"],
        "span": [run["first"], run["last"]],
        "attributes": _kept(event["attributes"]),
        "state": None,
        "place": None,
        "in": None,
        "holder": None,
        "pieces": serials.size(run),
        "times": {},
        "own": None,
        "trail": [],
    }


def _kept(attributes: Json) -> Json:
    """What of a lot's attributes its ranges know; restrictions to some games are a list of them."""
    found = {name: attributes[name] for name in _KEPT if name in attributes}
    if isinstance(attributes.get("restrictions"), list):
        found["games"] = attributes["restrictions"]
    return found


# What of a lot's attributes its ranges must know themselves.
_KEPT = (
    "type",
    "denomination",
    "expires",
    "mailed",
    "printed_in_house",
    "design",
    "games",
    "colour",
)


def _moved(value: Json, event: Json) -> None:
    ends.moved(value, dict(event, to=event["to"] or value["place"]))


def _receive(value: Json, event: Json) -> None:
    _moved(value, event)
    value["state"] = "received"
    if event["to_type"] == "player":
        value["state"] = "distributed"


def _store(value: Json, event: Json) -> None:
    _moved(value, event)
    if value["state"] in ("received", "issued", "reserve", "stored"):
        value["state"] = "stored"


def _issue(value: Json, event: Json) -> None:
    _moved(value, event)
    value["state"] = event["arrival"] or "issued"
    value["until"] = event["until"]
    value["issue"] = event["id"]
    value["keeper"] = event["with"].get("holder")


def _return(value: Json, event: Json) -> None:
    _moved(value, event)
    if value["state"] != "voided":
        value["state"] = "returned"  # a used seal too, for its reconciliation
    value["until"] = None
    value["missed"] = None


def _distribute(value: Json, event: Json) -> None:
    value["state"] = "distributed"
    value["place"] = event["to"] or "player"
    value["holder"] = None


def _redeem(value: Json, event: Json) -> None:
    if value.get("redeemed"):
        return
    fields = event["with"]
    table = fields.get("table")
    if table is None and event["where_type"] == "table":
        table = event["where"]
    value["state"] = "redeemed"
    value["place"] = event["to"] or (event["where"] if event["counted_in"] else None) or "drop"
    value["holder"] = None
    value["redeemed"] = {"table": table, "at": event["at"], "day": event["day"]}


def _void(value: Json, event: Json) -> None:
    value["state"] = "voided"
    value["missed"] = None
    value["void"] = {"reason": event["with"].get("reason"), "at": event["at"]}


def _ended(state: str) -> Any:
    def end(value: Json, event: Json) -> None:
        value["state"] = state
        value["missed"] = None
        value["place"] = event["where"] or event["to"] or value["place"]
        value["holder"] = None

    return end


def _deliver(value: Json, event: Json) -> None:
    """What is redeemed or void stays so wherever it is taken."""
    _moved(value, event)


def _pack(value: Json, event: Json) -> None:
    """A seal closes an envelope; those before it are passed over."""
    if not numbered.applied(value, event["with"].get("seal")):
        value["missed"] = event["id"]
        return
    value["state"] = "sealed"
    value["missed"] = None
    value["on"] = event["into"] or event["id"]
    value["place"] = event["to"] or event["where"] or value["place"]


def _report(value: Json, event: Json) -> None:
    """The last report on each form is kept."""
    form = event["with"].get("form")
    kept = [made for made in value.get("reports", []) if made["form"] != form]
    kept.append({"form": form, "event": event["id"], "at": event["at"]})
    value["reports"] = kept


def _adjust(value: Json, event: Json) -> None:
    if event["to"]:
        _moved(value, event)
        value["state"] = event["arrival"] or value["state"]
    else:
        value["state"] = "lost"
        value["missed"] = None


EFFECTS: Json = {
    "receive": _receive,
    "store": _store,
    "issue": _issue,
    "return": _return,
    "distribute": _distribute,
    "redeem": _redeem,
    "mark_void": _void,
    "cancel": _ended("cancelled"),
    "destroy": _ended("destroyed"),
    "deliver": _deliver,
    "pack": _pack,
    "repack": _pack,
    "report": _report,
    "adjust": _adjust,
}


def touch(event: Json, value: Json) -> None:
    """Change a range's value as an event does."""
    change = EFFECTS.get(event["step"])
    if value["kind"] == papers.KIND and papers.number(event) is not None:
        papers.written(event, value)
    elif change is not None:
        change(value, event)
    if value.get("missed") == event["id"]:
        return  # nobody named it: who has seen it as it was goes on with it
    if not codes_range.covered(event["whole"], value["lot"]):
        value["own"] = event["id"]


# The flow of the stock ledger that each step posts when it changes the state.
FLOWS: Json = {
    "distribute": "distributed",
    "redeem": "redeemed",
    "mark_void": "voided",
    "return": "returned",
}


def flows(old: Any, new: Json, was: Any, now: Any, event: Json) -> list[list[Any]]:
    """Return `[term, place]` of the day's flows when a range goes from one state to another."""
    if old is None:
        received = [["received", new["place"]]] if new["state"] == "received" else []
        if new["state"] == "distributed":
            return [["received", new["place"]], ["distributed", new["place"]]]
        return received
    if new.get("on") and not old.get("on"):
        return [["used", old["place"]]]
    if old["state"] == new["state"]:
        return []
    if new["state"] in ("cancelled", "destroyed"):
        return [["destroyed", was[1]]] if was else []
    if new["state"] == "lost":
        return [["lost", was[1]]] if was else []
    if event["step"] == "issue":
        return [["issued", old["place"]]]
    if event["step"] == "return":
        back = new["state"] == "returned" and not new.get("on")
        return [["returned", new["place"]]] if back else []
    if event["step"] == "redeem":
        return [["redeemed", new["redeemed"]["table"] or new["place"]]]
    term = FLOWS.get(event["step"])
    return [[term, old["place"]]] if term else []
