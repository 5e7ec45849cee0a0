"""What a device went by (site, rulebook, gaming day) is kept, and decides nothing."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from custody.ledger import tables
from custody.ledger.core import Ledger
from custody.ledger.reading import entries
from tests.support import cast
from tests.support.device import Device

WENT_BY = {"site": "elm", "rulebook": "md@2019.1", "day": "2001-01-01"}
NOTHING = dict.fromkeys(WENT_BY)


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("said", [WENT_BY, NOTHING])
def test_another_site_rulebook_or_day_than_the_servers_raises_nothing_and_counts_for_nothing(
    device: Device, ledger: Ledger, said: dict[str, str | None]
) -> None:
    at = 1_796_122_740_000  # 2026-12-01T05:59 in New York, before the gaming day starts
    device.record("receive", **cast.receive("D5-001"), at=at, server=at, **said)
    answer = device.push().json
    assert (answer["acked"], answer["exceptions"]) == (1, [])
    kept = entries.one(ledger, ledger.size() - 1)["event"]
    assert {name: kept[name] for name in said} == said
    with ledger.database.reading() as connection:
        days = set(connection.scalars(select(tables.posting.c.day)))
    assert days == {"2026-11-30"}
