"""Check a whole export (docs/architecture.md, "The log"): JSON lines, each with its `of`."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from custody.verify import fields, notes, tree
from custody.verify.chains import Chains

MOST_FAULTS = 100  # told in full; the others are counted


@dataclass
class Report:
    """What was found. `faults` are (where, what); `is_sound` says that there is none.

    `checkpoints` are those that hold, each with its extension lines (a resumed log names the last
    checkpoint of the one before). `covered` is the size of the largest one that holds; events after
    it are not signed yet.
    """

    events: int = 0
    devices: int = 0
    chains: int = 0
    forks: int = 0
    signatures: int = 0
    unreadable: int = 0
    root: str = ""
    covered: int = 0
    checkpoints: list[str] = field(default_factory=list)
    faults: list[tuple[str, str]] = field(default_factory=list)
    fault_count: int = 0

    @property
    def is_sound(self) -> bool:
        return self.fault_count == 0

    def tell(self, where: str, what: str) -> None:
        self.fault_count += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append((where, what))


def check(
    records: Callable[[], Iterable[dict[str, Any]]],
    trusted: Sequence[str] = (),
    checkpoints: Sequence[str] = (),
    progress: Callable[[int], None] = lambda events: None,
) -> Report:
    """Re-derive everything from an export, and say what does not hold.

    `records()` yields the export's records from the start; it is called again when there are
    forks. `trusted` are verifier strings that the auditor has from elsewhere (else the export's
    own are taken), `checkpoints` signed notes that the auditor kept. `progress` hears the number
    of events read, every 10,000. A record is named by its number, which is its line in a file.
    """
    return _Reading(trusted, checkpoints, progress).over(records)


class _Reading:
    def __init__(
        self, trusted: Sequence[str], kept: Sequence[str], progress: Callable[[int], None]
    ) -> None:
        self.report = Report()
        self._trusted, self._kept = list(trusted), list(kept)
        self._progress = progress
        self._tree = tree.GrowingTree()
        self._chains = Chains(self.report.tell)
        self._signed: list[notes.Signed] = []
        self._roots: dict[int, bytes] = {}
        self._sizes: set[int] = set()
        self._has_log = False

    def over(self, records: Callable[[], Iterable[dict[str, Any]]]) -> Report:
        for number, record in enumerate(records(), 1):
            self._take(record, number)
        self._chains.end()
        self._check_forks(records)
        self._check_checkpoints()
        self._count()
        return self.report

    def _take(self, record: dict[str, Any], number: int) -> None:
        takers = {"log": self._log, "device": self._device, "push": self._chains.push}
        try:
            takers.get(fields.check(record), self._event)(record)
        except ValueError as error:
            self.report.tell(f"record {number}", str(error))

    def _log(self, record: dict[str, Any]) -> None:
        if self._tree.size:
            raise ValueError("the log's record comes first, before any event")
        self._has_log = True
        verifiers = self._trusted or record["verifiers"]
        try:
            keys = [notes.key(verifier) for verifier in verifiers]
        except notes.NoteError as error:
            self.report.tell("verifier", str(error))
            return
        own = [record["checkpoint"]] if record.get("checkpoint") else []
        for note in (*own, *self._kept):
            self._open(note, keys)

    def _open(self, note: str, keys: list[notes.Key]) -> None:
        try:
            signed = notes.checkpoint(note, keys)
        except notes.NoteError as error:
            self.report.tell("checkpoint " + " ".join(note.split("\n", 2)[:2]), str(error))
            return
        self._signed.append(signed)
        self._sizes.add(signed.size)
        self._roots[0] = tree.GrowingTree().root()

    def _device(self, record: dict[str, Any]) -> None:
        self._chains.device(record)
        self.report.devices += 1

    def _event(self, record: dict[str, Any]) -> None:
        position = record["position"]
        if position != self._tree.size:
            self.report.tell(f"position {position}", f"position {self._tree.size} was expected")
        event_id = self._chains.event(record, line_of(record))
        text = f"{position}\n{record['received']}\n{event_id}\n"
        self._tree.append(tree.leaf(text.encode()))
        if self._tree.size in self._sizes:
            self._roots[self._tree.size] = self._tree.root()
        if self._tree.size % 10_000 == 0:
            self._progress(self._tree.size)

    def _check_forks(self, records: Callable[[], Iterable[dict[str, Any]]]) -> None:
        """Look up the events that forked branches say they continue: some branch must have them."""
        wanted = self._chains.parents
        if not wanted:
            return
        found = {
            (place, sha256(line_of(record)).hexdigest())
            for record in records()
            if _is_event(record)
            and (place := (record["device"], record["run"], record["seq"])) in wanted
        }
        for place, parent in wanted.items():
            if (place, parent) not in found:
                self.report.tell(f"fork after {place}", f"no event {parent} stands there")

    def _check_checkpoints(self) -> None:
        if not self._has_log:
            self.report.tell("export", "it has no record of the log: no checkpoint was checked")
        for signed in self._signed:
            name = f"checkpoint {signed.origin} {signed.size}"
            if signed.size > self._tree.size:
                self.report.tell(name, f"the export ends after {self._tree.size} events")
            elif self._roots[signed.size] != signed.root:
                self.report.tell(name, f"the first {signed.size} events are not those it signed")
            else:
                self.report.covered = max(self.report.covered, signed.size)
                told = [f"{signed.origin} {signed.size}", *signed.extensions]
                self.report.checkpoints.append(", ".join(told))

    def _count(self) -> None:
        report, chains = self.report, self._chains
        report.events, report.root = self._tree.size, self._tree.root().hex()
        report.chains = len({name[:2] for name in chains.chains})
        report.forks = len(chains.chains) - report.chains
        report.signatures, report.unreadable = chains.signatures, chains.unreadable


def _is_event(record: dict[str, Any]) -> bool:
    """Say whether a record is an event's that can be read; one that cannot was told of before."""
    try:
        return fields.check(record) == "event"
    except fields.BadRecord:
        return False


def line_of(record: dict[str, Any]) -> bytes:
    """Return an event's exact bytes: `line` as text, or `base64` where they are no UTF-8."""
    if "line" in record:
        return str(record["line"]).encode()
    return base64.b64decode(record["base64"], validate=True)


def read(path: Path) -> Iterable[dict[str, Any]]:
    """Yield the records of an export file. Raises ValueError naming the line that is no record."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{path}, line {number}: {error}") from error
            if not isinstance(record, dict):
                raise ValueError(f"{path}, line {number}: a JSON object is expected")
            yield record
