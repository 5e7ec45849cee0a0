"""The end of a fault run: everything is mended, everyone syncs, and what must be true is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from custody.commands.verify import faults_of
from tests.faults import oracle

if TYPE_CHECKING:
    from tests.faults.actors import Actor
    from tests.faults.run import Run

REBUILD_EACH = 5  # runs; the others check the same projections without replacing them


def end(run: Run) -> None:
    """Mend and check; raises AssertionError with what does not hold."""
    run.world.server.kill()
    run.world.server.start()
    run.counted["logs resumed"] += run.world.resume()
    for one in run.present():
        one.client.doubts = True  # minutes have passed: each device asks what the server holds
    settle_all(run)
    settle_all(run, watch=False)  # what the last one pushed is now pulled by the first
    check(run)


def settle_all(run: Run, *, watch: bool = True) -> None:
    for one in list(run.present()):
        said = run.settle(one, watch=watch)
        assert not one.client.waiting(), f"{one.name}: its queue is stuck ({said})"
        if not one.gone:
            assert said == "", f"{one.name} says {said}"


def check(run: Run) -> None:
    events = oracle.stored(run.world.ledger)
    claims, counted = oracle.check_claims(run.world.ledger)
    run.counted.update(counted)
    run.counted["events"] += len(events)
    for one in run.present():
        run.owed |= one.held()
    aside = {key for one in run.present() for key in one.set_aside()}
    run.counted["written again"] += len(aside)
    owed = {key: line for key, line in run.owed.items() if key not in aside}
    oracle.check_once(events, owed, run.ever)
    present = run.present()
    digests = {one.digest() for one in present}
    assert len(digests) <= 1, "replicas differ"
    for one in present:
        check_replica(one, run.codes, claims)
    if run.seed % REBUILD_EACH:
        assert faults_of(run.world.ledger) == []
    else:
        run.world.assert_sound()


def check_replica(one: Actor, codes: list[str], claims: oracle.Claims) -> None:
    """Assert that a replica shows the ends of each item's history as the model has them."""
    for code in codes:
        item: Any = one.client.disk.record("item", code)
        tips = claims.tips.get(code, [])
        if code in claims.torn:
            continue
        shown = item["last"] if item else []
        assert shown == tips, f"{one.name}: {code} has {shown}, not {tips}"
        assert not item or item["disputed"] == (len(tips) > 1)
