"""Become a site node: enrol upstream, and make the node's ledger of what the upstream tells."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec

from custody.config import Config
from custody.ledger.cache import Value
from custody.ledger.chain import Batch
from custody.ledger.core import Ledger, now_ms, open_ledger
from custody.ledger.devices import PENDING
from custody.ledger.errors import LedgerError
from custody.ledger.founding import found
from custody.ledger.setting import Setting
from custody.ledger.upstream import joining, recovering
from custody.ledger.upstream.joining import Joined
from custody.sync.relay import client, standing
from custody.sync.relay.client import Upstream, UpstreamRefused
from custody.sync.relay.http import Http, Unreachable
from custody.sync.relay.node import EXPECTED, Node, told_log

Key = ec.EllipticCurvePrivateKey


class NotJoined(LedgerError):
    """The ledger has not been enrolled upstream, and cannot be now; the text says why."""


class SiteNode:
    """A node from its start on: it enrols as soon as its upstream answers, then works.

    `http` makes the way to the upstream from its URL.
    """

    def __init__(
        self, ledger: Ledger, url: str, code: str | None, http: Callable[[str], Http]
    ) -> None:
        self.ledger = ledger
        self.url = url.rstrip("/")
        self._code = code
        self._http = http(self.url)
        self._node: Node | None = None
        self._error = ""
        self._stands_by = False
        self._making = threading.Lock()
        if joining.joined(ledger) is not None:
            recovering.at_start(ledger)

    def once(self) -> bool:
        """Do a round, enrolling first where that was not done. Raises one of `node.EXPECTED`.

        Of several processes of a node one does rounds (`leading`).
        """
        self._stands_by = False
        if self._node is None:
            try:
                self._made(self._joined())
            except EXPECTED as error:
                self._error = str(error)
                raise
        assert self._node is not None
        try:
            return self._node.once()
        finally:
            standing.tell(self.ledger, self._node.status())

    def stand_by(self) -> None:
        """Note that another process of this node does the rounds."""
        self._stands_by = True

    def _ready(self) -> Node | None:
        """Return this process's own way to the upstream; None before the node has enrolled."""
        if self._node is None and (joined := joining.joined(self.ledger)) is not None:
            self._made(joined)
        return self._node

    def _made(self, joined: Joined) -> None:
        with self._making:  # a thread that answers a handheld may come upon it at once
            if self._node is None:
                self._node = Node(self.ledger, self._http, joined)

    def _joined(self) -> Joined:
        known = joining.joined(self.ledger)
        if known is not None:
            return joining.moved(self.ledger, known, self.url)
        if not self._code:
            raise NotJoined("give --upstream-code: this node is not enrolled upstream yet")
        device, key, site = enrol(self._http, self._code)
        joining.require_same_site(self.ledger, site["id"])
        return joining.join(self.ledger, self.url, device, key)

    def before_push(self, batch: Batch) -> None:
        if (node := self._ready()) is not None:
            node.before_push(batch)

    def catch_up(self) -> bool:
        """As `Node.catch_up`; False before the node has enrolled."""
        node = self._ready()
        return node is not None and node.catch_up()

    def lacks_a_node(self) -> bool:
        """Say whether the upstream, when it was asked last, had lost sight of another node."""
        return self._node is not None and self._node.lacks_a_node()

    def fetch_picture(self, name: str) -> bool:
        node = self._ready()
        return node is not None and node.fetch_picture(name)

    def history(self, code: str) -> list[Value] | None:
        """Return an item's events as the upstream has them; None while it cannot be asked."""
        node = self._ready()
        if node is None:
            return None
        try:
            return node.history(code)
        except (UpstreamRefused, Unreachable) as error:
            told_log.warning("history of an item: %s", error)
            return None

    def status(self) -> dict[str, Any]:
        """As `Node.status`, by the process that relays; before the node is enrolled `state` is
        `not-enrolled`.

        What was told before counts only while another relays: it may be of a process that was
        killed before it could tell that the upstream was gone.
        """
        if not self._stands_by and (node := self._ready()) is not None:
            return node.status()
        told = standing.told(self.ledger)
        if told is not None:
            return told
        error = self._error or None
        return {"url": self.url, "state": "not-enrolled", "lag": self.ledger.size(), "error": error}


def enrol(http: Http, code: str) -> tuple[str, Key, Value]:
    """Enrol with a new key; return the node's id, the key, and the upstream's site."""
    key = ec.generate_private_key(ec.SECP256R1())
    answer = client.enrol(http, code, f"Site node {socket.gethostname()}"[:100], key)
    return str(answer["device"]), key, answer["site"]


def found_from(config: Config, url: str, code: str, http: Http, wait: Callable[[str], None]) -> str:
    """Make a node's ledger of what its upstream tells; return the administrator's link token.

    `wait` is called with the node's id again and again until an administrator has approved it,
    where one must. Raises UpstreamRefused, Unreachable, AlreadyInitialised, with nothing made here.
    """
    device, key, _ = enrol(http, code)
    upstream = Upstream(http, device, key, now_ms)
    while (records := _records(upstream)) is None:
        wait(device)
    token = found(config, _setting(records))
    ledger = open_ledger(config)
    try:
        joining.join(ledger, url.rstrip("/"), device, key)
    finally:
        ledger.close()
    return token


def _records(upstream: Upstream) -> dict[str, dict[str, Value]] | None:
    """Return the upstream's whole scope; None while the node is not approved."""
    found_: dict[str, dict[str, Value]] = {}
    cursor, more = "", True
    while more:
        try:
            told = upstream.changes(cursor)
        except UpstreamRefused as refused:
            if refused.type == PENDING:
                return None
            raise
        for one in told["changes"]:
            found_.setdefault(one["of"], {})[one["id"]] = one["value"]
        cursor, more = told["cursor"], told["more"]
    return found_


def _setting(records: dict[str, dict[str, Value]]) -> Setting:
    """Return the setting from which the upstream's ledger would be made as it is now."""
    try:
        site, controls = records["setting"]["site"], records["setting"].get("controls", {})
        rulebook = records["rulebook"][site["rulebook"]]
    except KeyError as error:
        raise Unreachable(f"the upstream does not tell its {error}") from error
    people, places = records.get("person", {}), records.get("place", {})
    return Setting(site, controls, rulebook, people, places)


def is_founded(config: Config) -> bool:
    """Say whether a data folder holds a ledger."""
    return Path(config.keys).exists()
