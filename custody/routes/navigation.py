"""The desk's navigation.

One list of pages with the right each needs, shown to those who have it.
"""

from typing import NamedTuple

from flask import request, url_for

from custody.routes import context, rights


class Page(NamedTuple):
    """One page of the navigation: its endpoint, the word of its title, its icon and its right."""

    endpoint: str
    word: str
    icon: str
    right: str


GROUPS: list[tuple[str, list[Page]]] = [
    (
        "",
        [
            Page("today.show", "today.title", "today", rights.LOOK),
            Page("exceptions.index", "exceptions.title", "exceptions", rights.LOOK),
            Page("search.show", "search.title", "search", rights.LOOK),
        ],
    ),
    (
        "app.stock",
        [
            Page("stock.index", "stock.title", "stock", rights.STOCK),
            Page("envelopes.index", "envelopes.title", "envelopes", rights.LOOK),
            Page("reconcile.show", "reconcile.title", "reconcile", rights.STOCK),
            Page("counts.index", "counts.title", "counts", rights.STOCK),
            Page("coupons.index", "coupons.title", "coupons", rights.STOCK),
            Page("seals.index", "seals.title", "seals", rights.LOOK),
            Page("destruction.index", "destruction.title", "destruction", rights.LOOK),
        ],
    ),
    (
        "app.work",
        [
            Page("steps.index", "steps.title", "steps", rights.RECORD),
            Page("labels.show", "labels.title", "labels", rights.LABELS),
            Page("photos.show", "photos.title", "photos", rights.LOOK),
            Page("clauses.index", "clauses.title", "clauses", rights.LOOK),
            Page("approvals.index", "approvals.title", "approvals", rights.LOOK),
            Page("receipts.show", "receipts.title", "receipts", rights.LOOK),
            Page("records.index", "records.title", "records", rights.RECORDS),
        ],
    ),
    (
        "app.house",
        [
            Page("people.index", "people.title", "people", rights.PEOPLE),
            Page("devices.index", "devices.title", "devices", rights.DEVICES),
            Page("silence.show", "silence.title", "silence", rights.LOG),
            Page("places.index", "places.title", "places", rights.PLACES),
            Page("log.show", "log.title", "log", rights.LOG),
            Page("upstream.show", "upstream.title", "log", rights.LOG),
        ],
    ),
]


class Link(NamedTuple):
    """A page of the navigation as it is shown: `here` on the pages of the same noun."""

    href: str
    word: str
    icon: str
    here: bool


def navigation() -> list[tuple[str, list[Link]]]:
    """Return the groups of links that the person signed in may follow.

    Groups without any are left out.
    """
    groups = [(word, [_link(p) for p in pages if context.may(p.right)]) for word, pages in GROUPS]
    return [(word, links) for word, links in groups if links]


def _link(page: Page) -> Link:
    here = page.endpoint.split(".")[0] == request.blueprint
    return Link(url_for(page.endpoint), page.word, page.icon, here)
