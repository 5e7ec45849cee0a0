"""A token serves once, whichever process it comes to, and waits for nobody who writes."""

from __future__ import annotations

import threading

from custody.ledger.core import Ledger, open_ledger

EXPIRES = 1_796_044_800_000


def test_a_token_serves_once_over_all_processes_and_their_restarts(ledger: Ledger) -> None:
    other = open_ledger(ledger.config)
    assert ledger.tokens.spend("d1", "a", EXPIRES, 0)
    assert not other.tokens.spend("d1", "a", EXPIRES, 0)
    assert other.tokens.spend("d2", "a", EXPIRES, 0), "another device may choose the same name"
    other.close()
    again = open_ledger(ledger.config)
    assert not again.tokens.spend("d2", "a", EXPIRES, 0)
    again.close()


def test_of_many_at_once_one_is_the_first(ledger: Ledger) -> None:
    firsts: list[bool] = []
    threads = [
        threading.Thread(target=lambda: firsts.append(ledger.tokens.spend("d1", "b", EXPIRES, 0)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(firsts) == [False] * 7 + [True]


def test_no_token_waits_for_who_appends(ledger: Ledger) -> None:
    spent: list[bool] = []
    spending = threading.Thread(
        target=lambda: spent.append(ledger.tokens.spend("d1", "c", EXPIRES, 0))
    )
    with ledger.database.writing():
        spending.start()
        spending.join(timeout=60)
        assert spent == [True]


def test_what_has_expired_is_forgotten_in_time(ledger: Ledger) -> None:
    for number in range(600):
        ledger.tokens.spend("d1", f"old{number}", EXPIRES, EXPIRES + 1)
    remembered = sum(
        not ledger.tokens.spend("d1", f"old{number}", EXPIRES, 0) for number in range(600)
    )
    assert remembered < 600, "one spending in 64 removes them"
