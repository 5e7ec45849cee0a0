"""Reserve codes for things that will arrive: a number is given out once, and never again."""

from __future__ import annotations

from custody.ledger.core import Ledger
from custody.ledger.errors import SettingError
from custody.ledger.masterdata import By, Change, administer
from custody.ledger.reading import records
from custody.ledger.upstream import blocks, joining, recovering
from custody.ledger.work import Work
from custody.rules import codes

MOST = 2_000  # codes in one go: 60 cases of sticks are 720
PASSED_OVER = 50_000  # numbers of each prefix that a server leaves out after a backup was restored


class LostCount(SettingError):
    """A backup was restored: which numbers were given out since is not known yet."""


def reserve(ledger: Ledger, prefix: str, count: int, by: By) -> list[str]:
    """Reserve the next codes of a prefix and return them in order; an event of the log says who
    did.

    The last number given out is kept in the setting `codes`: `{"DS": 31}`. Numbers whose code is
    known already, such as those of a ledger that was moved here, are passed over. A site node takes
    them from the blocks that its upstream gave it. Raises SettingError for a count below 1 or above
    MOST, OutOfCodes at a node that has too few in store, and LostCount.
    """
    if not 1 <= count <= MOST:
        raise SettingError(f"reserve 1 to {MOST} codes at once, not {count}")
    if joining.joined(ledger) is not None:
        return blocks.take(ledger, prefix, count, by)
    if recovering.has_lost_count(ledger):
        raise LostCount("a backup was restored here: run `custody log resume` first")
    made: list[str] = []

    def make(work: Work) -> list[Change]:
        given = work.get("setting", "codes") or {}
        number = given.get(prefix, 0)
        while len(made) < count:
            number += 1
            code = codes.make(prefix, number)
            if work.get("item", code) is None:
                made.append(code)
        return [Change("setting", "codes", {**given, prefix: number})]

    administer(ledger, blocks.RESERVED, prefix, by, make)
    return made


def left(ledger: Ledger) -> dict[str, int] | None:
    """Return how many codes of each prefix a site node may give out until its upstream answers
    again; None for a server that gives out its own.
    """
    with ledger.database.reading() as connection:
        return None if joining.read(connection) is None else blocks.left(connection)


def pass_over(ledger: Ledger) -> None:
    """Leave out, of each prefix, the numbers that may have been given out since the backup that was
    restored.
    """

    def make(work: Work) -> list[Change]:
        given = work.get("setting", "codes") or {}
        return [Change("setting", "codes", {p: n + PASSED_OVER for p, n in given.items()})]

    if joining.joined(ledger) is None:
        administer(ledger, blocks.RESERVED, "passed-over", [], make)


def is_reserved(ledger: Ledger, code: str) -> bool:
    """Tell whether `reserve` gave this code out, whether or not anything bears it by now."""
    prefix, number = code[:2], code[3:-1]
    if not _is_ours(code, prefix, number):
        return False
    with ledger.database.reading() as connection:
        given = records.get(connection, "setting", "codes") or {}
    return 1 <= int(number) <= int(given.get(prefix, 0))


def _is_ours(code: str, prefix: str, number: str) -> bool:
    try:
        return number.isdecimal() and codes.make(prefix, int(number)) == code
    except codes.CodeError:
        return False
