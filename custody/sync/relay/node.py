"""A site node at work: relay, then pull, again and again, through every outage of the upstream."""

from __future__ import annotations

import logging
import threading
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from custody.ledger import desk
from custody.ledger.chain import Batch, BatchRefused
from custody.ledger.core import Ledger
from custody.ledger.errors import LedgerError
from custody.ledger.upstream import blocks, joining, recovering
from custody.ledger.upstream.joining import Joined
from custody.ledger.work import Work
from custody.sync.relay.client import Upstream, UpstreamRefused
from custody.sync.relay.down import Down
from custody.sync.relay.http import Http, Unreachable
from custody.sync.relay.pictures import Pictures
from custody.sync.relay.up import Up
from custody.sync.relay.watching import Watch

COMPARE_MS = 600_000  # at most so often is everything compared
ASK_AGAIN_MS = 3_600_000  # after so long the upstream is asked again how far it is
LONGEST_S = 15.0  # between two tries while it is not
ROAM_WAIT_S = 10.0  # how long a push waits for a round that is under way
MOST_ASKED = 10  # rounds a second for devices that are not known here
EXPECTED = (UpstreamRefused, Unreachable, LedgerError, BatchRefused, SQLAlchemyError, OSError)

told_log = logging.getLogger("custody.relay")


class Node:
    """One ledger's way to its upstream. `once` does a round; `status` says how it stands."""

    def __init__(self, ledger: Ledger, http: Http, joined: Joined) -> None:
        key = joining.signer(ledger, joined).key
        upstream = Upstream(http, joined.device, key, lambda: ledger.clock())
        self.ledger = ledger
        self.url = joined.url
        self._upstream = upstream
        self._up, self._down = Up(ledger, upstream), Down(ledger, upstream)
        self._pictures = Pictures(ledger, upstream)
        self._alone = threading.RLock()
        self._asked = ledger.clock()
        self._compared = 0
        self._size = -1  # of this ledger after the last round
        self._asked_at: list[int] = []  # when rounds began for devices that waited
        self._begun = 0  # rounds
        self._heard = 0  # the last of them after which this node knew what its upstream did
        self._contact: int | None = None
        self._error: str | None = None
        self._failed = 0  # when a round failed last
        self._no_codes = ""
        self._log = Watch(ledger, upstream, joined.checkpoint)

    def once(self) -> bool:
        """Relay and pull once. Returns whether there is more to do at once.

        Raises one of EXPECTED, which `status` tells from then on.
        """
        with self._alone:
            self._begun += 1
            try:
                more = self._round()
            except EXPECTED as error:
                self._fail(error)
                raise
            self._note_round(knows_all=not more)
            return more

    def catch_up(self) -> bool:
        """Relay and pull for a device that waits, unless that was begun and done since it came.
        Returns whether this node knows now what its upstream does; False, too, where that cannot
        be asked, or was too often just now: who asks in anybody's name is not to keep it busy.

        Any process of a node may: the one that relays does the rest, by and by.
        """
        begun = self._begun
        if self._is_cut_off() or not self._alone.acquire(timeout=ROAM_WAIT_S):
            return False
        try:
            if self._heard > begun:
                return True  # all that came meanwhile wait for one and the same round
            return not self._is_cut_off() and self._may_ask() and self._caught_up()
        except EXPECTED as error:
            self._fail(error)
            return False
        finally:
            self._alone.release()

    def _may_ask(self) -> bool:
        now = self.ledger.clock()
        self._asked_at = [at for at in self._asked_at if 0 <= now - at < 1000]
        if len(self._asked_at) >= MOST_ASKED:
            return False
        self._asked_at.append(now)
        return True

    def _caught_up(self) -> bool:
        self._begun += 1
        relayed = self._up.relay()
        if not relayed or not self._pull(relayed):
            return False
        self._note_round(knows_all=True)
        return True

    def _note_round(self, *, knows_all: bool) -> None:
        self._contact, self._error = self.ledger.clock(), None
        if knows_all:
            self._heard = self._begun

    def _is_cut_off(self) -> bool:
        """Say whether the upstream could not be asked just now, so that nobody waits for it."""
        waited = self.ledger.clock() - self._failed
        return self._error is not None and waited < LONGEST_S * 1000

    def _fail(self, error: Exception) -> None:
        """Note why a round failed. After any of it the upstream may be another than it was."""
        self._error, self._failed = str(error), self.ledger.clock()
        self._up.forget()
        if isinstance(error, UpstreamRefused):
            self._log.hear(error)

    def _round(self) -> bool:
        if self.ledger.clock() - self._asked > ASK_AGAIN_MS:
            self._up.forget()
            self._asked = self.ledger.clock()
        relayed = self._up.relay()
        self._recover()
        if not relayed:
            return True
        self._stock_up()
        whole = self._pull(relayed)
        if whole and self._is_quiet() and not self._down.is_in_step(relayed):
            self._compare(relayed)
        self._pictures.send()
        self._log.look()
        return not whole

    def _recover(self) -> None:
        """Let the desk go on under a new run where the upstream holds other events of its last."""
        with self.ledger.database.reading() as connection:
            run = desk.run_of(connection)
        if self._up.desk_parted == run:
            recovering.go_on(self.ledger)

    def _stock_up(self) -> None:
        """Ask for blocks of label codes, so that an outage finds enough of them here."""
        for prefix, word in blocks.wanted(self.ledger).items():
            try:
                block = self._upstream.codes(prefix, word)
            except UpstreamRefused as refused:
                if refused.type not in ("no-codes", "not-found"):
                    raise
                self._tell_of_codes(f"{prefix}: {refused}")
                return
            blocks.keep(self.ledger, prefix, word, block)
        self._tell_of_codes("")

    def _tell_of_codes(self, why: str) -> None:
        """Log once why the upstream gives no codes."""
        if why and why != self._no_codes:
            told_log.warning("codes of %s", why)
        self._no_codes = why

    def _pull(self, relayed: int) -> bool:
        """Pull; where the upstream was restored since, begin again in the next round."""
        try:
            return self._down.pull(relayed, self._up.heard, is_complete=not self._up.stuck)
        except UpstreamRefused as refused:
            if refused.type != "reset":
                raise
        self._up.forget()
        self._down.begin_again()
        return False

    def _is_quiet(self) -> bool:
        """Say whether nothing was recorded since the last round: only then is all compared."""
        before, self._size = self._size, self.ledger.size()
        return before == self._size

    def _compare(self, relayed: int) -> None:
        if self.ledger.clock() - self._compared > COMPARE_MS:
            self._compared = self.ledger.clock()
            self._down.compare(relayed)

    def before_push(self, batch: Batch) -> None:
        """Fetch what the upstream holds of a device's run and this node does not, where it can be
        asked: what a roaming device pushed elsewhere, or what this node lost.
        """
        with self.ledger.database.reading() as connection:
            branches = Work(connection).branches(batch.device, batch.run)
        held = branches[0]["seq"] if branches else 0
        follows = held and batch.first <= held + 1 and not self._up.holds_more(batch, held)
        if follows or self._is_cut_off():
            return
        if not self._alone.acquire(timeout=ROAM_WAIT_S):
            return
        try:
            if self._down.complete(batch.device, batch.run):
                self._caught_up()
        except BatchRefused as refused:  # the histories parted: so says what takes the push
            told_log.warning(
                "%s, run %s, is another upstream: %s", batch.device, batch.run, refused
            )
        except EXPECTED as error:
            self._fail(error)  # the device is asked for what is missing
        finally:
            self._alone.release()

    def lacks_a_node(self) -> bool:
        """Say whether the upstream, when it was asked last, had lost sight of another node."""
        return self._down.lacks_a_node

    def fetch_picture(self, name: str) -> bool:
        """Fetch a picture that came elsewhere; False where it cannot be had now."""
        try:
            return not self._is_cut_off() and self._pictures.fetch(name)
        except EXPECTED as error:
            told_log.warning("picture %s: %s", name, error)
            return False

    def history(self, code: str) -> list[dict[str, Any]]:
        """Return an item's events as its upstream has them. Raises UpstreamRefused, Unreachable."""
        return self._upstream.history(code)

    def status(self) -> dict[str, Any]:
        """Return how the node stands, for /health and the desk: `state` is `in-step`, `behind`,
        `stuck` or `cut-off`; `lag` counts events that the upstream does not hold yet.
        """
        lag = self._up.lag()
        stuck = list(self._up.reasons())
        state = "cut-off" if self._error or self._contact is None else "in-step"
        if state == "in-step" and (lag or stuck):
            state = "stuck" if stuck else "behind"
        return {
            "url": self.url,
            "state": state,
            "lag": lag,
            "last_contact": self._contact,
            "error": self._error,
            "stuck": stuck,
            "log": self._log.alarm,
            "differs": self._down.differs,
        }
