"""What an event is about, as EPCIS has it: things one by one, and quantities of a class.

Codes are things. Pieces out of a case (`CASE-0007*12`), serials by their run
(`MP-000001..MP-000120`) and a design that was counted are quantities of a class, since nobody
scanned each.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from custody.documents.epcis.names import Namer, once
from custody.rules import codes, gs1, serials

Value = dict[str, Any]


class What(NamedTuple):
    """`things` are URIs, `quantities` quantity elements."""

    things: list[str]
    quantities: list[dict[str, object]]

    def lists(self, things: str, quantities: str) -> Value:
        """Return the two as fields of an event, those left out that are empty."""
        told = {things: once(self.things), quantities: self.quantities}
        return {name: value for name, value in told.items() if value}


def of(event: Value, name: Namer) -> What:
    """Return what an event is about; nothing at all where it names no object."""
    given = event.get("with") or {}
    if event["step"] == "count":
        return _counted(event, given.get("found"), name)
    found = What([], [])
    for item in [] if lots(event, name) else event.get("items") or []:
        if _is_case(item):
            found.quantities.append(name.quantity(*codes.expand_case(item)))
        else:
            found.things.extend(name.item(one) for one in _expanded(item))
    for run in _serials(event, name):
        _add(found, run, name)
    other = given.get("from") if event["step"] == "swap" else None  # the deck that gives a card
    if isinstance(other, str):
        found.things.append(name.item(other))
    return found


def lots(event: Value, name: Namer) -> list[str]:
    """Return the lots of which an event names serials: it is about these, not about the lot."""
    runs = _serials(event, name)
    if not runs or event["step"] == "receive":
        return []
    return [one for one in event.get("items") or [] if one not in runs]


def of_codes(given: Any, name: Namer) -> list[str]:
    """Return the URIs of a field's codes and runs."""
    texts = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
    return once(name.item(one) for text in texts for one in _expanded(text))


def _expanded(text: str) -> list[str]:
    try:
        return list(codes.expand(text))
    except codes.CodeError:
        return [text]


def _is_case(text: str) -> bool:
    try:
        codes.expand_case(text)
    except codes.CodeError:
        return False
    return True


def _serials(event: Value, name: Namer) -> list[str]:
    """The serials that a step's fields name, runs as runs; a lot that comes in says its own."""
    given = event.get("with") or {}
    listed = given.get("serials")
    found = [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
    ends = (event.get("attributes") or {}) if event["step"] == "receive" else given
    first, last = ends.get("first"), ends.get("last")
    if isinstance(first, str) and first:
        same = last in (None, first) or not isinstance(last, str)
        found.append(first if same else f"{first}..{last}")
    return [_whole(one, event.get("items") or [], name) for one in found]


def _whole(serial: str, items: list[str], name: Namer) -> str:
    """A seal and a form are lot and number, since lots repeat numbers: `SL-RED/000123`."""
    if len(items) != 1 or items[0] not in name.lots or serials.INSIDE in serial:
        return serial
    return "..".join(items[0] + serials.INSIDE + end for end in serial.split(".."))


def _add(found: What, run: str, name: Namer) -> None:
    if ".." in run:
        found.quantities.append(name.quantity(run, _size(run)))
    else:
        found.things.append(name.item(run))


def _size(run: str) -> int | None:
    try:
        ends = serials.read(run)
    except codes.CodeError:
        return None
    return int(ends["last"]) - int(ends["first"]) + 1


def _counted(event: Value, found: Any, name: Namer) -> What:
    """What a count found; a count that found nothing is a quantity of none of its kind."""
    if not isinstance(found, dict):
        told = What(of_codes(found, name), [])
    else:
        ones = [code for code, number in found.items() if number == 1 and not gs1.gtin14(code)]
        many = {code: number for code, number in found.items() if code not in ones}
        told = What(
            [name.item(code) for code in ones],
            [name.quantity(code, n if isinstance(n, int) else None) for code, n in many.items()],
        )
    if not told.things and not told.quantities and event.get("kind"):
        told.quantities.append(name.none(event["kind"]))
    return told
