"""What must hold at the end of a run over two nodes: nothing lost, and all servers say the same."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

from custody.commands.verify import faults_of
from tests.faults import oracle
from tests.faults.actors import Actor
from tests.faults.town import Town
from tests.support.nodes import NAMES, UPSTREAM

if TYPE_CHECKING:
    from tests.faults.shifts import Shift


def check(shift: Shift) -> None:
    """Raise AssertionError where something does not hold, once all has gone well for a while."""
    held = oracle.stored(shift.town.upstream.ledger)
    _check_once(shift, held)
    for one, twin, run in shift.cloned:
        _check_flagged(shift, one, twin, run)
    _, claims = oracle.check_claims(shift.town.upstream.ledger)
    shift.counted.update(claims)
    digests = {name: shift.town.server(name).digest() for name in NAMES}
    assert len(set(digests.values())) == 1, f"states differ: {_differences(shift.town)}"
    open_ = {name: shift.town.server(name).exceptions() for name in NAMES}
    standing = [shift.town.a.status, shift.town.b.status]
    assert open_["a"] == open_["b"] == open_[UPSTREAM], (standing, open_)
    assert len(set(shift.labels)) == len(shift.labels) > 2, "a code is on two labels"
    shift.counted["labels"] += len(shift.labels)
    for one in shift.actors:
        assert one.client.sync(watch=False) == ""
        assert one.digest() == digests[UPSTREAM], f"{one.name}: its replica differs"
    for name in NAMES:
        assert faults_of(shift.town.server(name).ledger) == []
    again = shift.town.server(NAMES[shift.seed % 3])
    assert again.is_rebuilt_the_same()


def _check_once(shift: Shift, held: list[oracle.Stored]) -> None:
    """What anyone recorded is upstream once, byte for byte; or was written again by its device,
    and then the events under their old names may be there or not.
    """
    found = [one for one in held if one.device.partition("@")[0] != "desk"]
    times = Counter(one.id for one in found)
    aside = {id_ for one in shift.actors for _, _, id_ in one.set_aside()}
    shift.counted["written again"] += len(aside)
    shift.counted["events"] += len(found)
    lost = [id_ for id_ in shift.ever if id_ not in times and id_ not in aside]
    assert not lost, f"lost: {lost}"
    assert not [id_ for id_, count in times.items() if count != 1], "doubled"
    assert all(sha256(one.line).hexdigest() == one.id for one in found)
    assert set(times) <= set(shift.ever), "nobody recorded it"


def _check_flagged(shift: Shift, one: Actor, twin: Actor, run: int) -> None:
    """A run in which two handhelds went on is a fork to all three servers: to each that holds
    events of both. What was written again under another run is no fork any more.
    """
    lines = [{k.id for k in a.client.disk.events("run = ?", run)} for a in (one, twin)]
    if not (lines[0] - lines[1] and lines[1] - lines[0]):
        return
    shift.counted["forks"] += 1
    for name in NAMES:
        told = oracle.raised(shift.town.server(name).ledger).items()
        mine = [some for (_, device, *_), some in told if device == one.client.id]
        kinds = {kind for some in mine for kind, _ in some}
        assert "fork" in kinds, f"{name} does not say that {one.name} was cloned: {kinds}"


def _differences(town: Town) -> list[tuple[str, str]]:
    scopes = [town.server(name).scope() for name in NAMES]
    every = set().union(*scopes)
    return sorted(key for key in every if len({scope.get(key) for scope in scopes}) > 1)
