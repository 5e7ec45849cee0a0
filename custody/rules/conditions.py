"""The closed vocabulary of conditions: what an entry's `needs` may ask for.

Each takes the context, the group and the need, and returns None where it holds, else the values
that its sentence names; `items` among them are the codes that fail. `custody/rulebooks/README.md`
says what each one's arguments are.
"""

from . import (
    access,
    after_play,
    cards,
    conditions_envelope,
    conditions_item,
    conditions_place,
    containers,
    coupons,
    dice_measures,
    disposal,
    independence,
    parts,
    preshuffle,
    samples,
    telling,
    tiles,
)
from .shapes import Json

CODES = {
    "state": "wrong-state",
    "from": "wrong-source",
    "to": "wrong-destination",
    "where": "wrong-place",
    "never": "forbidden",
    "approved": "place-unapproved",
    "design": "design-unapproved",
    "on_site": "off-site",
    "table_open": "table-closed",
    "fits_game": "wrong-game",
    "pieces": "wrong-pieces",
    "inspected": "not-inspected",
    "fresh": "inspection-stale",
    "unused": "already-used",
    "since_open": "used-before-reopening",
    "none_left": "set-left-on-table",
    "clean": "box-doubtful",
    "reported": "not-reported",
    "not_suspect": "suspect",
    "suspect": "not-suspect",
    "looked": "not-looked-at",
    "sealed": "not-sealed",
    "seal_fresh": "seal-used",
    "signed": "collector-unsigned",
    "measured": "measure-wrong",
    "own_hold": "hold-not-yours",
    "either": "field-missing",
    "apart": "stored-with-chips",
    "same_place": "other-place",
    "alone": "one-set-each",
    "empty": "envelope-full",
    "preinspected": "inspection-stale",
    "pit": "wrong-destination",
    "opened": "not-opened",
    "reserve_only": "not-reserve",
    "vessel": "wrong-vessel",
    "exception_open": "exception-unclear",
    "supervisor": "not-supervisor",
}

CHECKS: Json = {
    "state": conditions_item.state,
    "from": conditions_place.source,
    "to": conditions_place.destination,
    "where": conditions_place.place,
    "never": conditions_place.never,
    "approved": conditions_place.approved,
    "design": conditions_place.design,
    "on_site": conditions_place.on_site,
    "table_open": conditions_place.table_open,
    "fits_game": conditions_place.fits_game,
    "pieces": conditions_place.pieces,
    "inspected": conditions_item.inspected,
    "fresh": conditions_item.fresh,
    "unused": conditions_item.unused,
    "since_open": conditions_item.since_open,
    "none_left": conditions_item.none_left,
    "clean": conditions_item.clean,
    "reported": conditions_item.reported,
    "not_suspect": conditions_item.not_suspect,
    "suspect": conditions_item.suspect,
    "looked": conditions_item.looked,
    "sealed": conditions_envelope.sealed,
    "seal_fresh": conditions_envelope.seal_fresh,
    "signed": conditions_envelope.signed,
    "measured": dice_measures.measured,
    "own_hold": conditions_item.own_hold,
    "either": conditions_envelope.either,
    "apart": conditions_place.apart,
    "alone": conditions_envelope.alone,
    "empty": conditions_envelope.empty,
    "preinspected": conditions_item.preinspected,
    "pit": conditions_place.pit,
    "opened": conditions_envelope.opened,
    "reserve_only": conditions_envelope.reserve_only,
    "same_place": conditions_place.same_place,
    "vessel": conditions_place.vessel,
    "exception_open": conditions_item.exception_open,
    "supervisor": conditions_item.supervisor,
}

NOUNS = (coupons, cards, preshuffle, after_play, tiles, parts, disposal)
MORE = (access, containers, independence, samples, telling)
for noun in NOUNS + MORE:
    CHECKS.update(noun.CHECKS)
    CODES.update(noun.CODES)
