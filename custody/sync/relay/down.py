"""Take over what the upstream tells: the changes feed, and what goes to nodes beside it."""

from __future__ import annotations

from custody.ledger import append
from custody.ledger.cache import Key, Value, folded
from custody.ledger.core import Ledger
from custody.ledger.masterdata import Change
from custody.ledger.upstream import joining, taking_over
from custody.ledger.upstream.applying import EXCEPTION, ITEM
from custody.ledger.upstream.names import CHAIN, run_id
from custody.ledger.upstream.taking_over import Page, take_over
from custody.ledger.work import Work
from custody.sync.relay import reading
from custody.sync.relay.client import Held, Upstream, UpstreamRefused

ONCE = 200  # records taken over in one event, when everything is compared
FORGOTTEN = (ITEM, "task")  # what a node drops that its upstream does not have


class Down:
    """Pull from the upstream. `differs` is how many records it does not have, once compared."""

    def __init__(self, ledger: Ledger, upstream: Upstream) -> None:
        self._ledger = ledger
        self._upstream = upstream
        self.digest: str | None = None  # the upstream's, as of the last whole pull
        self.differs = 0
        self.lacks_a_node = False  # whether the upstream has lost sight of another node

    def pull(self, relayed: int, heard: Held, *, is_complete: bool) -> bool:
        """Take over what is new; `relayed` as `Up.relay` returned it, `heard` as it heard the
        upstream's log, `is_complete` whether nothing was stuck. Returns whether all was taken.

        Raises UpstreamRefused, Unreachable.
        """
        self._news(relayed, heard)
        if is_complete:
            self._withdraw(relayed)
        return self._changes(relayed)

    def begin_again(self) -> None:
        """Forget how far the upstream's changes were taken over: it is another, or was restored."""
        with self._ledger.database.writing() as connection:
            joined = joining.read(connection)
            assert joined is not None
            size = append.log_size(connection)
            joining.write(connection, joined._replace(cursor="", news=0, seen="", since=size))

    def _joined(self) -> joining.Joined:
        found = joining.joined(self._ledger)
        assert found is not None
        return found

    def _news(self, relayed: int, heard: Held) -> None:
        more = True
        while more:
            joined = self._joined()
            told = self._upstream.news(joined.news, joined.seen, heard)
            self.lacks_a_node = bool(told.get("silent"))  # an older upstream does not say
            changes = [Change(EXCEPTION, one.pop("id"), one) for one in told["exceptions"]]
            then = {"news": told["upto"], "seen": told["seen"]}
            asked = {"news": joined.news, "seen": joined.seen}
            page = Page(changes, told["devices"], relayed, then, asked)
            more = not take_over(self._ledger, page) or told["more"]

    def _withdraw(self, relayed: int) -> None:
        """Close what this node raised and its upstream, knowing more, did not; and what the
        upstream told before it was restored, and knows no more.
        """
        since = self._joined().since
        with self._ledger.database.reading() as connection:
            ours = taking_over.open_exceptions(connection, relayed)
            ours -= taking_over.told_exceptions(connection, ours, since)
        if ours:
            changes = [Change(EXCEPTION, id_, {"resolved": True}) for id_ in sorted(ours)]
            take_over(self._ledger, Page(changes, [], relayed, {}))

    def _changes(self, relayed: int) -> bool:
        while True:
            asked = {"cursor": self._joined().cursor}
            told = self._upstream.changes(asked["cursor"])
            found = {(one["of"], one["id"]): one["value"] for one in told["changes"]}
            page = Page(self._news_of(found), [], relayed, {"cursor": told["cursor"]}, asked)
            if not take_over(self._ledger, page):
                return False
            if not told["more"]:
                self.digest = told["digest"]
                return True

    def _news_of(self, told: dict[Key, Value | None]) -> list[Change]:
        """Return as changes, as a node takes them, the values that are not what it has."""
        with self._ledger.database.reading() as connection:
            work = Work(connection)
            work.fetch(told)
            new = [(of, id_) for of, id_ in told if work.get(of, id_) != told[of, id_]]
        return [self._change(of, id_, told[of, id_]) for of, id_ in new]

    def _change(self, of: str, id_: str, value: Value | None) -> Change:
        return Change(of, id_, self._item(id_, value) if of == ITEM else value)

    def _item(self, code: str, value: Value | None) -> Value:
        """Return `{"value", "tips"}`: asked for where the feed does not tell all of it."""
        if value is None or value.get("disputed"):
            return self._upstream.item(code)
        return {"value": value, "tips": [[value["last"][0], folded(value)]]}

    # --- comparing all of it ---

    def is_in_step(self, relayed: int) -> bool:
        """Say whether this node's records are the upstream's, or cannot be compared just now."""
        with self._ledger.database.reading() as connection:
            if taking_over.pending(connection, relayed):
                return True
            return self._ledger.scope.digest(connection) == self.digest

    def compare(self, relayed: int) -> None:
        """Read the upstream's whole feed, and make this node's records the same."""
        asked = {"cursor": self._joined().cursor}
        theirs, cursor = self._whole()
        with self._ledger.database.reading() as connection:
            mine = taking_over.scope(connection)
        gone = [key for key in mine if key[0] in FORGOTTEN and key not in theirs]
        changes = self._news_of({**theirs, **dict.fromkeys(gone)})
        for start in range(0, len(changes), ONCE):
            some = changes[start : start + ONCE]
            take_over(self._ledger, Page(some, [], relayed, {}, asked))
        take_over(self._ledger, Page([], [], relayed, {"cursor": cursor}, asked))
        self.differs = len(mine.keys() - theirs.keys() - set(gone))

    def _whole(self) -> tuple[dict[Key, Value | None], str]:
        """Return the upstream's whole scope, and the cursor at its end."""
        found: dict[Key, Value | None] = {}
        cursor, more = "", True
        while more:
            told = self._upstream.changes(cursor)
            for one in told["changes"]:
                found[one["of"], one["id"]] = one["value"]
            cursor, more = told["cursor"], told["more"]
        return found, cursor

    # --- roaming devices ---

    def complete(self, device: str, run: int) -> bool:
        """Fetch the events of a device's run that the upstream holds and this node does not.

        Returns whether there were any. Those of a run that forked stand in a branch of their own.
        """
        with self._ledger.database.reading() as connection:
            branches = Work(connection).branches(device, run)
        held: int = branches[0]["seq"] if branches else 0
        after = held
        while (body := self._upstream.chain(device, run, after)) is not None:
            after = self._take_part(device, run, after, body)
        return after > held

    def _take_part(self, device: str, run: int, after: int, body: bytes) -> int:
        """Store what follows event `after` of a run, and return the seq of its last event."""
        batch = reading.chains(body)[0].batch
        if batch is None or (batch.device, batch.run, batch.first) != (device, run, after + 1):
            raise UpstreamRefused(502, {"type": "bad-chain", "detail": "it sent another chain"})
        known = Change(CHAIN, run_id(device, run), {"seq": batch.last})
        take_over(self._ledger, Page([known], [], self._ledger.size(), {}))
        append.push(self._ledger, batch)
        return batch.last
