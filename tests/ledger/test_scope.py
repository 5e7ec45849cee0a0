"""The digest of a replica's scope follows the log, whichever process is asked."""

from __future__ import annotations

from flask import Flask

from custody.ledger import feed
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.rebuilding import rebuild
from custody.ledger.scope import Scope
from tests.support import cast, story
from tests.support.device import Device


def both(ledger: Ledger) -> tuple[str, str]:
    """Return the digest that is kept up to date, and the one made from all of the scope."""
    with ledger.database.reading() as connection:
        return ledger.scope.digest(connection), feed.scope_digest(connection)


def test_the_digest_that_is_kept_is_that_of_the_whole_scope(
    app: Flask, ledger: Ledger, device: Device
) -> None:
    kept, whole = both(ledger)
    assert kept == whole
    story.tell(app, ledger)
    kept, whole = both(ledger)
    assert kept == whole


def test_what_another_process_wrote_or_rebuilt_is_in_it(ledger: Ledger, device: Device) -> None:
    other = open_ledger(ledger.config)
    before = both(other)[0]
    device.record("receive", **cast.receive("D5-001..D5-003"))
    device.push()
    assert both(other)[0] == both(other)[1] != before
    rebuild(ledger)
    assert both(other)[0] == both(other)[1]
    other.close()


def test_an_id_that_begins_like_another_keeps_its_own_line() -> None:
    scope, etags = Scope(), {id_: id_[-1] * 64 for id_ in ("a", "a b", "a !", "a b c")}
    for id_, etag in etags.items():
        scope._put("task", id_, etag)
    scope._put("task", "a", "f" * 64)
    scope._put("task", "a b", None)
    told = {**etags, "a": "f" * 64}
    del told["a b"]
    lines = [f"task {id_} {etag}\n".encode() for id_, etag in told.items()]
    assert scope._lines == sorted(lines)
