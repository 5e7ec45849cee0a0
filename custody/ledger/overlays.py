"""Load an operator's overlay into a ledger: one administrative event, in force from its own day.

The rulebook with every overlay on it becomes a record of its own, `md@2026.1+harbor@3`, by which
events are judged from that position on; entries, choices and places bear the days on which they
are in force, so that an event of another day is judged by what was in force then.
"""

from __future__ import annotations

from custody.ledger import approvals, judging
from custody.ledger.approvals import ApprovalError
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.errors import LedgerError, SettingError
from custody.ledger.masterdata import By, Change, administer
from custody.ledger.places import place_value
from custody.ledger.work import Entry, Work
from custody.rulebooks import overlay as overlays
from custody.rulebooks.errors import RulebookError
from custody.rulebooks.overlay_merge import choices, merge
from custody.rules import days, gs1

OVERLAY = "overlay"
NOTE = "overlay "


class OverlayRefused(LedgerError):
    """An overlay with a mistake; its text names file, line, key and what may stand there."""


def load(ledger: Ledger, name: str, text: str, by: By) -> Entry:
    """Put an overlay on the site's rulebook. Raises OverlayRefused, with nothing changed."""

    def make(work: Work) -> list[Change]:
        try:
            read = overlays.read(name, text, base(work))
            return _changes(work, read)
        except RulebookError as error:
            raise OverlayRefused(str(error)) from error
        except ApprovalError as error:
            raise OverlayRefused(f"{name}: {error}") from error

    return administer(ledger, OVERLAY, name, by, make)


def base(facts: Cache) -> Value:
    """Return the regime's own rulebook, without overlays."""
    own = judging.rulebook_id(facts).partition("+")[0]
    return facts.get("rulebook", own) or {}


def check(read: overlays.Overlay) -> None:
    """Check what an overlay adds to a site beside rules: its places and the numbers of its designs.
    Raises RulebookError.
    """
    for id_ in read.said.get("place", {}):
        _described(read, id_)
    for gtin in read.said.get("design", {}):
        whole = gs1.gtin14(gtin)
        if whole != gtin:
            told = f"write {whole}" if whole else "its check digit does not fit, or it is too short"
            problem = f"a design is named by a GTIN of 14 digits, not '{gtin}': {told}"
            raise read.lines.error(("design", gtin), problem, gtin)


def _described(read: overlays.Overlay, id_: str) -> Value:
    try:
        return place_value(id_, read.said["place"][id_])
    except SettingError as error:
        raise read.lines.error(("place", id_), str(error).rstrip(".?"), id_) from error


def _changes(work: Work, read: overlays.Overlay) -> list[Change]:
    check(read)
    if work.get(OVERLAY, read.id) is not None:
        problem = f"{read.id} is loaded already; give the new text another version"
        raise read.lines.error(None, problem, "version")
    loaded = [*work.all(OVERLAY), (read.id, {"said": read.said})]
    merged = merge(base(work), [(id_, one["said"]) for id_, one in loaded])
    value = {"text": read.text, "said": read.said, "document": read.document}
    register = _register(work, read)
    old = judging.rulebook_id(work)
    site = next((c.value for c in register if c.of == "setting"), work.get("setting", "site")) or {}
    return [
        Change(OVERLAY, read.id, value),
        Change("rulebook", merged["id"], merged),
        *([Change("rulebook", old, None)] if "+" in old and old != merged["id"] else []),
        *(change for change in register if change.of != "setting"),
        Change("setting", "site", {**site, "rulebook": merged["id"]}),
        *(Change("place", id_, _place(work, read, id_)) for id_ in read.said.get("place", {})),
        *(Change("design", gtin, one) for gtin, one in read.said.get("design", {}).items()),
    ]


def _register(work: Work, read: overlays.Overlay) -> list[Change]:
    """Return the changes of the register: the overlay's choices begin, those of others end."""
    said = read.said
    paper = {"reference": said["reference"], "document": read.document, "note": NOTE + read.id}
    paper |= {key: said.get(key) for key in ("approved_on", "in_force", "expires")}
    given = [
        {**paper, "of": approvals.CONTROL, "subject": name, "value": value}
        for name, value in choices(said).items()
    ]
    before = days.name(days.number(said["in_force"]) - 1)
    ended = {
        id_: {**one, "expires": before}
        for id_, one in work.all("approval")
        if (one.get("note") or "").startswith(NOTE)
        and one["in_force"] <= before
        and (one["expires"] or before) >= before
    }
    return approvals.entering(work, given, ended)


def _place(work: Work, read: overlays.Overlay, id_: str) -> Value:
    value = _described(read, id_)
    pit = value.get("pit")
    if (
        pit
        and (work.get("place", pit) or read.said["place"].get(pit) or {}).get("type") != "pit_stand"
    ):
        raise read.lines.error(("place", id_), f"its pit '{pit}' is no pit stand", "pit")
    register = (work.get("place", id_) or {}).get("register")
    return value if register is None else {**value, "register": register}
