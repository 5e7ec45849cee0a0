"""The tables that leave the house as files, each defined once: the desk's links and
`custody export` both make them from here, so that nobody gets another table by another way.

They are made in the context of a ledger (`routes.context`), with or without a request.
"""

from custody.routes.tables import coupons, goods, house, log, stock, wrongs
from custody.routes.tables.table import Table as Table
from custody.routes.tables.table import Wrong as Wrong

TABLES: dict[str, Table] = {
    "events": log.EVENTS,
    "items": goods.ITEMS,
    "on-hand": stock.ON_HAND,
    "reconcile": stock.RECONCILE,
    "counts": stock.COUNTS,
    "coupons": coupons.LOTS,
    "coupon-ledger": coupons.LEDGER,
    "envelopes": goods.ENVELOPES,
    "seals": goods.SEALS,
    "exceptions": wrongs.EXCEPTIONS,
    "destruction-log": wrongs.DESTRUCTION,
    "people": house.PEOPLE,
    "devices": house.DEVICES,
    "places": house.PLACES,
    "access": house.ACCESS,
    "changes": house.CHANGES,
}
"""Every table by its name, which is also that of its file."""
