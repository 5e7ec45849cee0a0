"""A server as protocol.md says it, in a few lines that know no rules and no database."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.faults.oracle import Claims


@dataclass
class Answer:
    """What a push must be answered; `flagged` maps ids of its events to the disputed codes."""

    status: int
    acked: int = 0
    expected: int = 0
    flagged: dict[str, list[str]] = field(default_factory=dict)


class Model:
    """The log as event ids, each run as its branches, and the ends of each item's history.

    A branch is the ids of everything from event 1 on. An id is no key: a device may write the same
    unreadable bytes twice.
    """

    def __init__(self) -> None:
        self.log: list[str] = []
        self.runs: dict[tuple[str, int], list[list[str]]] = {}
        self.claims = Claims()
        self.flagged: dict[str, list[str]] = {}

    def push(
        self, run: tuple[str, int], path: list[tuple[str, dict[str, Any] | None]], first: int
    ) -> Answer:
        """Take a push of `path` (id and event of everything since event 1) from event `first` on.

        A path that may part from what the server holds comes whole, from event 1.
        """
        branches = self.runs.setdefault(run, [[]])
        ids = [id_ for id_, _ in path]
        top = len(branches[0])
        if len(branches) == 1 and first > top + 1:
            return Answer(409, expected=top + 1)
        best = max(branches, key=lambda branch: _common(branch, ids))
        known = _common(best, ids)
        self.log += ids[known:]
        if len(branches) == 1 and known in (top, len(ids)):
            branches[0] += ids[known:]
            self._claim(path[known:])
            return Answer(200, len(branches[0]), flagged=self._flags(ids[first - 1 :]))
        if known == len(best) and best is not branches[0]:
            best += ids[known:]
        elif known < len(ids):
            branches.append(ids)
        return Answer(409, top, flagged=self._flags(ids[first - 1 :]))

    def _claim(self, new: list[tuple[str, dict[str, Any] | None]]) -> None:
        for id_, event in new:
            if event is not None:
                self.flagged[id_] = self.claims.take(id_, event)

    def _flags(self, ids: list[str]) -> dict[str, list[str]]:
        return {id_: self.flagged[id_] for id_ in ids if self.flagged.get(id_)}


def _common(one: list[str], other: list[str]) -> int:
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count
