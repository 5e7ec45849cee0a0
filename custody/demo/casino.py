"""Make the demonstration casino: found its ledger, give sign-ons, play the last days into it."""

from __future__ import annotations

import datetime
import itertools
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from custody.config import Config, database_url
from custody.demo import cast, goods, paper, signons, story, when
from custody.demo.handheld import Handheld, Stamp
from custody.demo.story import Step
from custody.ledger import desk, founding
from custody.ledger.core import Ledger, open_ledger

MARK = "demo.txt"
RECEIVED_MS = 4_000  # a push arrives a few seconds after its last step


class NotTheDemoError(Exception):
    """A folder holds something else than a demonstration; nothing in it was touched."""


def config(data: Path) -> Config:
    """Return the demonstration's configuration: SQLite in its own folder, whatever else is set."""
    return Config(data, database_url(data, f"sqlite:///{data / 'custody.db'}"))


def make(
    data: Path, now: datetime.datetime, say: Callable[[str], None], *, history: bool = True
) -> None:
    """Make the casino in `data`, whole or not at all. Raises NotTheDemoError if it is in use.

    Without `history` there are people and places, and no stock yet.
    """
    if data.exists() and any(data.iterdir()):
        raise NotTheDemoError(f"{data} holds something else; name another folder with --data")
    draft = data.with_name(f".{data.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True, mode=0o700)
    _fill(draft, now, story.tell(now) if history else [], say)
    (draft / MARK).write_text(
        f"A demonstration of Custody, made {now.isoformat(' ', 'minutes')}.\n"
    )
    if data.exists():
        data.rmdir()
    draft.rename(data)


def remove(data: Path) -> None:
    """Remove a demonstration. Raises NotTheDemoError for a folder that is none."""
    if not data.exists():
        return
    if not (data / MARK).is_file():
        raise NotTheDemoError(f"{data} is no demonstration of Custody; nothing was removed")
    shutil.rmtree(data)


def exists(data: Path) -> bool:
    return (data / MARK).is_file()


def _fill(
    data: Path, now: datetime.datetime, steps: list[Step], say: Callable[[str], None]
) -> None:
    before = steps[0].at - datetime.timedelta(hours=1) if steps else now
    moment = _Clock(before)
    say("founding the ledger")
    founding.found(config(data), cast.setting(), moment)
    ledger = open_ledger(config(data), moment)
    try:
        say("giving badges, PINs and passwords")
        given = signons.make()
        signons.give(ledger, given)
        signons.save(data, given)
        paper.write(data, given)
        say(f"playing the last days, {len(steps)} steps")
        play(ledger, moment, steps)
    finally:
        ledger.close()


class _Clock:
    """The wall clock of the past, UTC ms: set from step to step, it runs on in between, as the
    clock that counts since the desk's start does.
    """

    def __init__(self, at: datetime.datetime) -> None:
        self.now = milliseconds(at)

    @property
    def now(self) -> int:
        return self._set + (time.monotonic_ns() - self._since) // 1_000_000

    @now.setter
    def now(self, at: int) -> None:
        self._set, self._since = at, time.monotonic_ns()

    def __call__(self) -> int:
        return self.now


def play(ledger: Ledger, moment: _Clock, steps: list[Step]) -> None:
    """Record the steps by handhelds that push whenever another one takes over."""
    handhelds: dict[str, Handheld] = {}
    seen = Seen()
    for (device, blind), run in itertools.groupby(steps, key=lambda s: (s.device, s.blind)):
        if device == goods.DESK:
            _at_desk(ledger, moment, seen, list(run))
            continue
        for step in run:
            if device not in handhelds:
                moment.now = milliseconds(step.at - datetime.timedelta(hours=1))
                handhelds[device] = Handheld(ledger, device)
            event = _event(step)
            saw = seen.before(step) if blind else seen.of(event)
            done = handhelds[device].record(event, _stamp(step.at), saw)
            seen.note(event, done)
            moment.now = milliseconds(step.at) + RECEIVED_MS
        handhelds[device].push()


def _at_desk(ledger: Ledger, moment: _Clock, seen: Seen, steps: list[Step]) -> None:
    """Record steps at a desk, where the rules refuse what is forbidden."""
    for step in steps:
        event, moment.now = _event(step), milliseconds(step.at)
        by = [{"person": person, "how": "password"} for person in event.pop("by")]
        seen.note({"items": [], **event}, desk.record_at_desk(ledger, event, by).id)


class Seen:
    """The last event of each code, and what each envelope holds, as handhelds in touch know it."""

    def __init__(self) -> None:
        self.last: dict[str, list[str]] = {}
        self.inside: dict[str, list[str]] = {}

    def of(self, event: dict[str, Any]) -> dict[str, str]:
        return {c: self.last[c][-1] for c in self._claims(event) if c in self.last}

    def before(self, step: Step) -> dict[str, str]:
        """Return what a device knows that has missed the last event of each item."""
        return {code: self.last[code][-2] for code in step.fields["items"]}

    def note(self, event: dict[str, Any], done: str) -> None:
        for code in self._claims(event):
            self.last.setdefault(code, []).append(done)
        if event.get("into"):
            self.inside[event["into"]] = event["items"]
        if event["step"] == "open":
            for code in event["items"]:
                self.inside.pop(code, None)

    def _claims(self, event: dict[str, Any]) -> list[str]:
        named = [*event["items"], *([event["into"]] if event.get("into") else [])]
        return [*named, *(inner for code in named for inner in self.inside.get(code, []))]


def _event(step: Step) -> dict[str, Any]:
    """Return the step with ids in place of the cast's handles."""
    fields = dict(step.fields)
    for name in ("to", "where"):
        if name in fields:
            fields[name] = cast.PLACE_IDS.get(fields[name], fields[name])
    if "table" in fields.get("with", {}):
        fields["with"] = {**fields["with"], "table": cast.PLACE_IDS[fields["with"]["table"]]}
    return {"step": step.step, "by": [cast.PERSON_IDS[one] for one in step.by], **fields}


def _stamp(at: datetime.datetime) -> Stamp:
    offset = at.astimezone(ZoneInfo(cast.ZONE)).utcoffset() or datetime.timedelta()
    return Stamp(milliseconds(at), int(offset.total_seconds()) // 60, str(when.gaming_day(at)))


def milliseconds(at: datetime.datetime) -> int:
    return int(at.timestamp() * 1000)
