"""However pushes are cut, repeated and reordered, the log holds each event once and in order."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from custody.app import create_app
from custody.config import Config
from custody.ledger import devices, tables
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.founding import found
from custody.ledger.rebuilding import digest, rebuild
from custody.ledger.setting import check_setting
from tests.support import cast
from tests.support.device import Device, FlaskHttp

EVENTS = 9
pushes = st.lists(
    st.tuples(st.integers(1, EVENTS), st.integers(0, EVENTS - 1), st.booleans()),
    min_size=1,
    max_size=12,
)


@contextmanager
def fresh() -> Iterator[tuple[Ledger, Device]]:
    with tempfile.TemporaryDirectory() as folder:
        config = Config(Path(folder) / "data", f"sqlite:///{folder}/custody.db")
        found(config, check_setting(cast.setting()))
        ledger = open_ledger(config)
        device = Device(FlaskHttp(create_app(config, ledger)))
        device.enrol(devices.new_code(ledger))
        try:
            yield ledger, device
        finally:
            ledger.close()


def stored(ledger: Ledger, device: Device) -> list[tuple[int, bytes]]:
    event, body = tables.event.c, tables.event_body
    query = (
        select(event.seq, body.c.body)
        .join(tables.event, event.position == body.c.position)
        .where(event.device == device.id)
        .order_by(event.position)
    )
    with ledger.database.reading() as connection:
        return [(seq, bytes(raw)) for seq, raw in connection.execute(query)]


@settings(max_examples=25, deadline=None)
@given(pushes=pushes, unreadable=st.sets(st.integers(0, EVENTS - 1), max_size=3))
def test_any_order_of_any_parts_stores_each_event_once(
    pushes: list[tuple[int, int, bool]], unreadable: set[int]
) -> None:
    with fresh() as (ledger, device):
        for n in range(EVENTS):
            if n in unreadable:
                device.write(b"unreadable %d" % n)
            else:
                device.record("receive", **cast.receive(f"D5-00{n}"))
        held = 0
        for first, more, packed in pushes:
            last = min(EVENTS, first + more)
            answer = device.push(device.batch(first, last), packed=packed)
            if first > held + 1:
                assert (answer.status, answer.json["expected"]) == (409, held + 1)
            else:
                held = max(held, last)
                assert (answer.status, answer.json["acked"]) == (200, held)
            assert stored(ledger, device) == list(enumerate(device.log[:held], 1))
        with ledger.database.reading() as connection:
            before = digest(connection)
        assert rebuild(ledger) == before
