"""Cut long lists into pages, with links that keep what was asked for."""

from typing import NamedTuple

from flask import request, url_for

SIZE = 100


class Paging(NamedTuple):
    """One page of a list: rows `first` to `last` of `total`, counted from 1."""

    number: int
    total: int

    @property
    def offset(self) -> int:
        return (self.number - 1) * SIZE

    @property
    def first(self) -> int:
        return min(self.offset + 1, self.total)

    @property
    def last(self) -> int:
        return min(self.offset + SIZE, self.total)

    @property
    def back(self) -> str:
        return _address(self.number - 1) if self.number > 1 else ""

    @property
    def onward(self) -> str:
        return _address(self.number + 1) if self.last < self.total else ""


def of(total: int) -> Paging:
    """Return the page that was asked for by `page`; what is no page of the list is its nearest."""
    asked = request.args.get("page", "1")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else 1
    return Paging(max(1, min(number, -(-total // SIZE))), total)


def _address(number: int) -> str:
    asked = {name: value for name, value in request.args.items() if value and name != "page"}
    endpoint = request.endpoint or ""
    return url_for(endpoint, **{**(request.view_args or {}), **asked, "page": number})
