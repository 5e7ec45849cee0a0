"""Hand a node's chains on: what the upstream does not hold yet, exactly as it was signed.

What waits is never kept apart from the ledger, so nothing of it can be lost. How far the upstream
is, it says itself: a node that starts, or that was cut off, asks for every chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Connection

from custody.ledger import append
from custody.ledger.chain import MOST_EVENTS, Batch
from custody.ledger.core import DESK, Ledger
from custody.ledger.devices import REVOKED
from custody.ledger.upstream import outgoing
from custody.ledger.upstream.introducing import event_id
from custody.ledger.upstream.outgoing import ChainHead, Part
from custody.ledger.work import Work
from custody.sync.relay.client import Upstream, UpstreamRefused

MOST_BYTES = 1 << 20  # of lines in one relay, as in one push
MOST_TOLD = 200  # chains in one relay that only says that they are there
LISTEN_MS = 60_000  # between two looks at who was in touch with this node
ONE_ROUND = 200  # relays in a row before the changes feed gets its turn
Key = tuple[str, int, int]


def _is_parted(answer: dict[str, Any]) -> bool:
    """Say whether an answer tells that the upstream holds another event before the part's first."""
    return answer.get("type") == "bad-chain" and answer.get("field") == "prev"


def key_of(chain: ChainHead) -> Key:
    return chain.device, chain.run, chain.branch


class Up:
    """How far the upstream holds each chain. `stuck` says why it does not take one."""

    def __init__(self, ledger: Ledger, upstream: Upstream) -> None:
        self._ledger = ledger
        self._upstream = upstream
        self.heard = (0, "")  # size and last leaf of the upstream's log after the last relay
        self._contacts: dict[str, int] = {}  # up to when each device's contacts were told
        self._listened = 0  # when it was looked who was in touch
        self._revoked: set[str] = set()  # which devices were told to be revoked
        self.acked: dict[Key, int] = {}
        self.stuck: dict[Key, str] = {}
        self.desk_parted = 0  # the run of this server's desk that is another's upstream

    def forget(self) -> None:
        """Ask again how far the upstream is with every chain."""
        self.acked.clear()
        self.stuck.clear()
        self._contacts.clear()
        self._revoked.clear()
        self.heard = (0, "")

    def relay(self) -> int:
        """Hand on what the ledger holds now, and return its size: all below it is upstream. 0 where
        that is not all yet.

        Raises UpstreamRefused, Unreachable. What is stuck stays behind, and is told in `stuck`.
        """
        try:
            return self._relay()
        except UpstreamRefused as refused:
            if refused.type != "reset":
                raise
        self.forget()  # the upstream was restored: begin again from what it has
        return 0

    def _relay(self) -> int:
        with self._ledger.database.reading() as connection:
            size = append.log_size(connection)
            chains = outgoing.heads(connection)
            devices = dict(Work(connection).all("device"))
            heard = self._heard(connection, devices)
        revoked = {id_ for id_, value in devices.items() if value.get("state") == REVOKED}
        self._say_that_they_are_there(chains, revoked, heard)
        for _ in range(ONE_ROUND):
            waiting = self._waiting(chains)
            if not waiting:
                return size
            self._send(self._parts(waiting))
        return 0

    def _waiting(self, chains: list[ChainHead]) -> list[ChainHead]:
        """Return the first branch of each run that waits: the others continue those before them."""
        found: dict[tuple[str, int], ChainHead] = {}
        for chain in filter(self.waits, chains):
            found.setdefault((chain.device, chain.run), chain)
        return list(found.values())

    def _heard(self, connection: Connection, devices: Iterable[str]) -> set[str]:
        """Return, once a minute, the devices that were in touch since the upstream was told so."""
        now = self._ledger.clock()
        if now - self._listened < LISTEN_MS:
            return set()
        self._listened = now
        return {
            id_ for id_ in devices if outgoing.contacts(connection, id_, self._contacts.get(id_, 0))
        }

    def waits(self, chain: ChainHead) -> bool:
        """Say whether the upstream lacks events of a chain, and may take them."""
        key = key_of(chain)
        return key not in self.stuck and self.acked.get(key, 0) < chain.seq

    def holds_more(self, batch: Batch, held: int) -> bool:
        """Say whether the upstream is known to hold events of a batch's run beyond those here."""
        return self.acked.get((batch.device, batch.run, 1), 0) > held

    def lag(self) -> int:
        """Return how many events the upstream does not hold yet, as far as is known."""
        with self._ledger.database.reading() as connection:
            chains = outgoing.heads(connection)
        return sum(max(0, one.seq - self._reached(one)) for one in chains)

    def _reached(self, chain: ChainHead) -> int:
        return max(self.acked.get(key_of(chain), 0), chain.first - 1)

    def _say_that_they_are_there(
        self, chains: list[ChainHead], revoked: set[str], heard: set[str]
    ) -> None:
        """Tell the upstream of chains, of revocations, and of who was in touch; hear how far it is
        with each.
        """
        told = heard | (revoked - self._revoked)
        new = [
            one
            for one in chains
            if one.branch == 1 and (key_of(one) not in self.acked or one.device in told)
        ]
        for start in range(0, len(new), MOST_TOLD):
            self._send([(one, None) for one in new[start : start + MOST_TOLD]])
        self._revoked |= revoked

    def _parts(self, chains: list[ChainHead]) -> list[tuple[ChainHead, Part | None]]:
        """Return what one relay carries: some of each chain, one push's worth in all."""
        found: list[tuple[ChainHead, Part | None]] = []
        events = size = 0
        with self._ledger.database.reading() as connection:
            for chain in chains:
                part = outgoing.part_after(connection, chain, self._reached(chain))
                if part is None:
                    self.stuck[key_of(chain)] = "no signature covers its last events"
                    continue
                events, size = events + len(part.lines), size + sum(map(len, part.lines))
                if found and (events > MOST_EVENTS or size > MOST_BYTES):
                    break
                found.append((chain, part))
        return found

    def _send(self, parts: list[tuple[ChainHead, Part | None]]) -> None:
        if not parts:
            return
        with self._ledger.database.reading() as connection:
            body, contacts = self._body(connection, parts)
        answers, heard = self._upstream.relay(body, self.heard)
        for (chain, part), answer in zip(parts, answers, strict=True):
            self._hear(chain, part, answer)
            self._notice(chain, answer)
        self._contacts.update(contacts)
        if heard[0] < self.heard[0]:
            self.forget()  # the upstream was restored: begin again from what it has
        self.heard = heard

    def _body(
        self, connection: Connection, parts: list[tuple[ChainHead, Part | None]]
    ) -> tuple[bytes, dict[str, int]]:
        lines: list[bytes] = []
        told: dict[str, int] = {}
        for chain, part in parts:
            after = self._contacts.get(chain.device, 0)
            contacts = outgoing.contacts(connection, chain.device, after)
            told[chain.device] = contacts[-1] if contacts else after
            lines += [outgoing.header(connection, chain, part, contacts)]
            lines += part.lines if part else []
        return b"".join(line + b"\n" for line in lines), told

    def _hear(self, chain: ChainHead, part: Part | None, answer: dict[str, Any]) -> None:
        """Note what became of a chain. A fork is stored upstream, in a branch of its own."""
        key, before = key_of(chain), self.acked.get(key_of(chain))
        if answer.get("type") == "fork" or ("acked" in answer and chain.branch > 1):
            self.acked[key] = part.last if part else chain.first - 1
        elif answer.get("type") == "gap" and answer["expected"] <= (before or 0):
            self.acked[key] = answer["expected"] - 1
        elif part is not None and part.first > chain.first and _is_parted(answer):
            self.acked[key] = max(chain.first, part.first - 2 * len(part.lines)) - 1
        elif "acked" not in answer:
            self.stuck[key] = f"{answer.get('type')}: {answer.get('detail')}"
        elif part is not None and answer["acked"] <= (before or 0):
            self.stuck[key] = f"it acknowledges event {answer['acked']} and no further"
        elif part is None and not self._is_the_same(chain, answer):
            # They parted at that event or before. What follows may be a line that says not what it
            # continues, and would be taken for the other history's.
            self.acked[key] = max(chain.first, answer["at"]) - 1
        else:
            self.acked[key] = answer["acked"]

    def _is_the_same(self, chain: ChainHead, answer: dict[str, Any]) -> bool:
        """Say whether the last event that both servers have of a chain is one and the same."""
        if not answer.get("head") or chain.seq == 0:
            return True
        device, run, at = chain.device, chain.run, answer["at"]
        with self._ledger.database.reading() as connection:
            return event_id(connection, device, run, at) == str(answer["head"])

    def _notice(self, chain: ChainHead, answer: dict[str, Any]) -> None:
        """Note when the upstream holds other events of this server's own desk, or more, than it has
        itself: it was restored.
        """
        if chain.device == DESK and chain.branch == 1:
            ahead = answer.get("type") == "fork" or answer.get("acked", 0) > chain.seq
            self.desk_parted = chain.run if ahead else self.desk_parted

    def reasons(self) -> Iterator[str]:
        """Yield in words which chains are stuck."""
        for (device, run, _), why in sorted(self.stuck.copy().items()):
            yield f"{device}, run {run}: {why}"
