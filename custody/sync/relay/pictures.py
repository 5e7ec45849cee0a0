"""Hand pictures on after the events that name them."""

from __future__ import annotations

from custody.ledger import blobs
from custody.ledger.core import Ledger
from custody.ledger.upstream.names import NODE
from custody.sync.relay.client import Upstream, UpstreamRefused

A_ROUND = 20  # pictures; events go first, again and again


class Pictures:
    """What a node has yet to hand on of the pictures that came to it."""

    def __init__(self, ledger: Ledger, upstream: Upstream) -> None:
        self._ledger = ledger
        self._upstream = upstream

    def send(self) -> None:
        """Send some pictures that the upstream has not. Raises UpstreamRefused, Unreachable."""
        for name in blobs.unrelayed(self._ledger, A_ROUND):
            if not self._upstream.has_picture(name):
                self._put(name)
            blobs.note_relayed(self._ledger, name)

    def fetch(self, name: str) -> bool:
        """Fetch and keep a picture. Returns whether it is here."""
        content = self._upstream.picture(name)
        return blobs.keep(self._ledger, NODE, name, content, relayed=True).state == blobs.HERE

    def _put(self, name: str) -> None:
        try:
            self._upstream.put_picture(name, blobs.original(self._ledger, name))
        except UpstreamRefused as refused:
            if refused.status not in (413, 422):
                raise  # a limit, or no right: later; what it never takes is left here
