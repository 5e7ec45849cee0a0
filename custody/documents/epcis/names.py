"""The URIs by which an EPCIS document names things (CBV 2.0, user vocabularies; GS1 Digital Link).

A GS1 key is named by its Digital Link URI. What has a code of the house or of a maker gets a URN of
the site's own (CBV 2.0: private identifiers): `urn:custody:<site>:obj:<code>`,
and so `class`, `loc`, `party`, `bt` and `event`. docs/exports.md tells them to whoever reads.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from urllib.parse import quote

from custody.rules import codes, gs1

RESOLVER = "https://id.gs1.org"
PREFIX = "custody"
NAMESPACE = "urn:custody:epcis:"  # of the fields that EPCIS lacks; ends so that JSON-LD may join


def field(name: object) -> str:
    """Return a field of ours as an EPCIS document has it: `custody:step`."""
    return f"{PREFIX}:{quote(str(name), safe='')}"


class Namer:
    """Names the things of one site: `people` may stand in the place of a place, and `lots` are
    those whose serials are named with their lot, as seals are.
    """

    def __init__(self, site: str, people: Container[str] = (), lots: Container[str] = ()) -> None:
        self.base = f"urn:custody:{quote(site, safe='')}"
        self.people, self.lots = people, lots

    def own(self, sort: str, id_: str) -> str:
        return f"{self.base}:{sort}:{quote(id_, safe='')}"

    def item(self, code: str) -> str:
        """Return the URI of one thing: `(01)00012345678905(21)S1` is a GS1 key, `D5-001` is not."""
        return _linked(code) or self.own("obj", code)

    def quantity(self, name: str, number: int | None) -> dict[str, object]:
        """Return a quantity element: of a design (a GTIN), a case, a lot, or a run of serials."""
        gtin = gs1.gtin14(name)
        about = f"{RESOLVER}/01/{gtin}" if gtin else self.own("class", name)
        told: dict[str, object] = {"epcClass": about}
        return told if number is None else {**told, "quantity": number}

    def none(self, kind: str) -> dict[str, object]:
        """Return the quantity element of a count that found nothing of a kind."""
        return {"epcClass": self.own("kind", kind), "quantity": 0}

    def place(self, id_: str) -> str:
        return self.own("loc", id_)

    def party(self, person: str) -> str:
        return self.own("party", person)


def _linked(code: str) -> str:
    """Return the Digital Link URI of a GS1 key as labels print it; "" for any other code."""
    if not code.startswith("("):
        return ""
    try:
        elements = gs1.split(gs1.from_printed(code))
    except gs1.Gs1Error:
        return ""
    if codes.parse(code)["code"] != code:
        return ""
    return RESOLVER + "".join(f"/{ai}/{quote(value, safe='')}" for ai, value in elements)


def once(names: Iterable[str]) -> list[str]:
    """Return the names in their order, each once, as an epcList has them."""
    return list(dict.fromkeys(names))
