"""An EPCISDocument in JSON-LD, written event by event (EPCIS 2.0, its JSON-LD binding)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import IO, Any

from custody.documents.epcis.event import instant
from custody.documents.epcis.names import NAMESPACE, PREFIX, Namer, field

Value = dict[str, Any]
CONTEXT = "https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld"
VERSION = "2.0"
PLACES = "urn:epcglobal:epcis:vtype:BusinessLocation"
TOLD = ("name", "type", "use", "game", "pit")  # of a place


def write(
    out: IO[bytes], site: str, made: int, places: dict[str, Value], events: Iterable[Value]
) -> int:
    """Write a document of a site, made at an instant (UTC ms), to a binary file; return how many
    events it holds.

    The events follow one another, so that memory does not grow with their number.
    """
    head = _head(site, made, places)
    out.write(_json(head)[:-1] + b',"epcisBody":{"eventList":[\n')
    number = 0
    for number, event in enumerate(events, 1):
        out.write((b",\n" if number > 1 else b"") + _json(event))
    out.write(b"\n]}}\n")
    return number


def _head(site: str, made: int, places: dict[str, Value]) -> Value:
    name = Namer(site)
    listed = [_place(name, id_, value) for id_, value in places.items()]
    masters = {"vocabularyList": [{"type": PLACES, "vocabularyElementList": listed}]}
    return {
        "@context": [CONTEXT, {PREFIX: NAMESPACE}],
        "type": "EPCISDocument",
        "schemaVersion": VERSION,
        "creationDate": instant(made, 0),
        "epcisHeader": {"epcisMasterData": masters},
    }


def _place(name: Namer, id_: str, value: Value) -> Value:
    told = {n: value[n] for n in TOLD if isinstance(value.get(n), str)}
    attributes = [{"id": field(n), "attribute": one} for n, one in told.items()]
    return {"id": name.place(id_), "attributes": attributes}


def _json(value: Value) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
