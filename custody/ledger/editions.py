"""The edition of a regime's rulebook: a ledger keeps the one with which it was founded, whatever a
later version of the program brings, until somebody takes that one.
"""

from __future__ import annotations

from typing import NamedTuple

from custody.ledger import judging
from custody.ledger.cache import Cache, Value
from custody.ledger.core import Ledger
from custody.ledger.errors import LedgerError
from custody.ledger.masterdata import By, Change, administer, digest
from custody.ledger.overlays import OVERLAY, base
from custody.ledger.work import Entry, Work
from custody.rulebooks import loader
from custody.rulebooks.errors import RulebookError
from custody.rulebooks.overlay_merge import merge

RULEBOOK = "rulebook"


class EditionRefused(LedgerError):
    """This version's edition cannot be taken; the text says why and what to do."""


class Standing(NamedTuple):
    """The ids of the edition that a ledger keeps and of that which this version of Custody brings;
    `is_same` says whether their texts are one.
    """

    kept: str
    brought: str
    is_same: bool

    def words(self) -> str:
        """Return what there is to be done; "" where there is nothing."""
        if self.is_same:
            return ""
        return (
            f"this version of Custody brings another edition of the rulebook ({self.brought}) than "
            f"the ledger keeps ({self.kept}). Events are judged by the one that is kept until you "
            "take the other: `custody rulebook update`"
        )


def standing(facts: Cache) -> Standing:
    """Return how the ledger's edition stands to this version's."""
    kept, brought = base(facts), _brought(facts)
    return Standing(str(kept.get("id")), brought["id"], digest(kept) == digest(brought))


def _brought(facts: Cache) -> Value:
    site = facts.get("setting", "site") or {}
    return loader.rulebook(str(site.get("regime")))


def update(ledger: Ledger, by: By) -> Entry:
    """Let events be judged by this version's edition from now on, with the overlays that are loaded
    merged into it; what came before stays as it was judged.

    Raises EditionRefused where the ledger has that edition, or an overlay does not fit it; at a
    site node KeptUpstream. Nothing is changed then.
    """
    return administer(ledger, RULEBOOK, "edition", by, _changes)


def _changes(work: Work) -> list[Change]:
    stands, brought, old = standing(work), _brought(work), judging.rulebook_id(work)
    if stands.is_same:
        raise EditionRefused(f"the ledger has this version's edition, {stands.kept}, already")
    merged = _merged(work, brought)
    made = {brought["id"]: brought, merged["id"]: merged}
    gone = {stands.kept, old} - made.keys()
    site = work.get("setting", "site") or {}
    return [
        *(Change("rulebook", id_, value) for id_, value in made.items()),
        *(Change("rulebook", id_, None) for id_ in sorted(gone)),
        Change("setting", "site", {**site, "rulebook": merged["id"]}),
    ]


def _merged(work: Work, brought: Value) -> Value:
    loaded = [(id_, one["said"]) for id_, one in work.all(OVERLAY)]
    if not loaded:
        return brought
    try:
        return merge(brought, loaded)
    except RulebookError as error:
        told = "an overlay does not fit this version's edition, load a new version of it first"
        raise EditionRefused(f"{told}: {error}") from error
