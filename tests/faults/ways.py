"""The ways between handhelds, nodes and their upstream, on which requests and answers are lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from custody.sync.relay.http import Unreachable
from tests.support.device import Answer
from tests.support.nodes import Wan

if TYPE_CHECKING:
    from tests.faults.town import Town

FAULTS = ("lost", "unanswered", "twice")  # what becomes of a request on its way


class Way:
    """A handheld's way to the server that it is near; `plan` are the faults that wait there, and
    `always` the one that each request else meets.
    """

    def __init__(self, town: Town, at: str) -> None:
        self.town, self.at = town, at
        self.plan: list[str] = []
        self.always = "passed"

    def request(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> Answer:
        fault = self.plan.pop(0) if self.plan else self.always
        if fault == "lost":
            raise OSError("the request was lost")
        if fault == "twice":
            self.town.ask(self.at, method, path, headers, body)
        found = self.town.ask(self.at, method, path, headers, body)
        if fault == "unanswered":
            raise OSError("the answer was lost")
        return found


class TownWan(Wan):
    """A node's way to the upstream, which may be killed while it answers."""

    def __init__(self, town: Town) -> None:
        super().__init__(town.upstream.app)
        self.town = town

    def reach(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes | None
    ) -> Answer:
        found = self.town.ask_upstream((method, path, headers, body))
        if found is None:
            raise Unreachable("the upstream was killed")
        return Answer(*found)
