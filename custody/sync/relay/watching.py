"""Watch the upstream's log, as a handheld watches its server's: that it only grows."""

from __future__ import annotations

from custody.ledger.core import Ledger
from custody.ledger.upstream import joining
from custody.sync.relay.client import Upstream, UpstreamRefused

WATCH_MS = 30_000  # between two looks at the upstream's log


class Watch:
    """The last checkpoint that a node saw, which goes along with its requests; `alarm` says in
    words what is wrong with the log, None while nothing is.
    """

    def __init__(self, ledger: Ledger, upstream: Upstream, seen: str) -> None:
        self._ledger = ledger
        self._upstream = upstream
        self._seen = upstream.checkpoint = seen
        self._looked = 0
        self._rewritten: str | None = None
        self._stopped: str | None = None

    @property
    def alarm(self) -> str | None:
        return self._rewritten or self._stopped

    def hear(self, refused: UpstreamRefused) -> None:
        """Note what a request was refused for, where it is for the checkpoint that it brought.

        As a handheld, the node hands its events on all the same.
        """
        if refused.type == "log-rewritten":
            self._rewritten = str(refused)
        if refused.type in ("log-rewritten", "bad-checkpoint"):
            self._upstream.checkpoint = ""

    def look(self) -> None:
        """Take and keep the upstream's last checkpoint, now and then.

        After one that its log contradicts, only a log that was resumed since is watched again.
        """
        if self._ledger.clock() - self._looked < WATCH_MS:
            return
        self._looked = self._ledger.clock()
        try:
            note = self._upstream.latest_checkpoint()
        except UpstreamRefused as refused:
            self._stopped = str(refused)
            return
        self._stopped = None
        if self._rewritten is None or origin(note) != origin(self._seen):
            self._rewritten, self._seen = None, note
            self._upstream.checkpoint = note
            joining.keep_checkpoint(self._ledger, note)


def origin(note: str) -> str:
    """Return which log a signed note is of."""
    return note.partition("\n")[0]
