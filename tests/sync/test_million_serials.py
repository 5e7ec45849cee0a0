"""A lot of a million serials costs a push what it names in ranges: through the whole append."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import func, select

from custody.ledger import tables
from custody.ledger.core import Ledger
from tests.support.device import Device

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
LOT = {"type": "match_play", "denomination": 1000, "expires": "2027-12-01"}
RUN = {"first": "MP-0000001", "last": "MP-1000000"}


def test_a_million_serials_are_pushed_split_and_voided_in_a_record_of_1_kb_a_range(
    device: Device, ledger: Ledger
) -> None:
    made = {"kind": "coupons", "form": "lot", "attributes": {**LOT, **RUN}, "items": ["MP"]}
    device.record("receive", **made, to="vault", by=["fay", "sam"])
    given = {"first": "MP-0000001", "last": "MP-0300000", "quantity": 300_000}
    device.record("distribute", items=["MP"], by=["fay"], **{"with": given})
    voided = {"items": ["MP-0700001..MP-0800000"], "by": ["fay"]}
    device.record("mark_void", **voided, **{"with": {"reason": "torn"}})
    assert device.push().json["acked"] == 3
    record, posting = tables.record.c, tables.posting.c
    with ledger.database.reading() as connection:
        ranges = select(record.value).where(record.of == "item", record.id.like("MP-%"))
        found = [text for text in connection.scalars(ranges) if text is not None]
        written = connection.scalar(select(func.count()).select_from(tables.event_item))
        lines = connection.execute(select(posting.term, posting.value)).all()
    assert [json.loads(text)["span"] for text in sorted(found)] == [
        [1, 300_000],
        [300_001, 700_000],
        [700_001, 800_000],
        [800_001, 1_000_000],
    ]
    assert max(len(text) for text in found) < 1000
    assert written is not None
    assert written < 12, "links are of ranges, not of serials"
    stock = [json.loads(value)["coupons"] for term, value in lines if term == "received"]
    assert sum(stock) == 1_000_000
