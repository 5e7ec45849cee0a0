"""Reserve codes for things that will arrive: a number is given out once, and never again."""

from __future__ import annotations

from custody.ledger.core import Ledger
from custody.ledger.errors import SettingError
from custody.ledger.masterdata import By, Change, administer
from custody.ledger.reading import records
from custody.ledger.work import Work
from custody.rules import codes

MOST = 2_000  # codes in one go: 60 cases of sticks are 720


def reserve(ledger: Ledger, prefix: str, count: int, by: By) -> list[str]:
    """Reserve the next codes of a prefix and return them in order; an event of the log says who
    did.

    The last number given out is kept in the setting `codes`: `{"DS": 31}`. Numbers whose code is
    known already, such as those of a ledger that was moved here, are passed over. Raises
    SettingError for a count below 1 or above MOST.
    """
    if not 1 <= count <= MOST:
        raise SettingError(f"reserve 1 to {MOST} codes at once, not {count}")
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

    administer(ledger, "codes-reserved", prefix, by, make)
    return made


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
