"""The digest of a replica's scope follows the log, whichever process is asked."""

from __future__ import annotations

import pytest
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
        return ledger.scope.digest(connection), Scope().digest(connection)


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


def test_who_sees_less_of_the_log_has_nothing_read_anew_for_those_who_see_more(
    ledger: Ledger, device: Device
) -> None:
    with ledger.database.reading() as old:
        before = Scope().digest(old)
        device.record("receive", **cast.receive("D5-001..D5-003"))
        device.push()
        after, whole = both(ledger)
        assert after == whole != before
        lines = ledger.scope._lines
        assert ledger.scope.present(old) is None
        assert both(ledger)[0] == after
        assert ledger.scope._lines is lines
        assert ledger.scope.digest(old) == before  # nobody is told of another state than asked
    assert both(ledger)[0] == after


def test_a_page_of_an_older_state_than_is_kept_is_read_again_and_at_last_told_all_the_same(
    ledger: Ledger, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, present = both(ledger)[1], ledger.scope.present
    for older in (1, feed.TRIES):
        asked = iter([None] * older)
        monkeypatch.setattr(ledger.scope, "present", lambda c, asked=asked: next(asked, present(c)))
        page = feed.changes_after(ledger, "", feed.MOST)
        assert (page.more, page.digest) == (False, told)
        assert next(asked, "all") == "all"


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
