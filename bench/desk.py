"""How long the desk's pages take with many items in custody: `python -m bench.desk [ITEMS]`.

The items are copies of a few real ones, written straight into the projections: what is measured is
reading, not recording.
"""

from __future__ import annotations

import datetime
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from sqlalchemy import select

from bench import told
from custody.app import create_app
from custody.demo import casino, signons
from custody.ledger import masterdata, rows, tables
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.reading import records

USUAL = 20_000
BATCH = 100
CHANGED = ("person", "place", "setting")
AFTER = "today_after_a_change_processor_milliseconds"
PAGES = ("/", "/stock", "/envelopes", "/exceptions", "/find?q=XX", "/silence", "/counts")
PAST = "?at={at}&known={known}"


def fill(ledger: Ledger, items: int) -> str:
    """Copy items in play, in stores and in envelopes until there are so many; returns a place."""
    table = tables.record
    with ledger.database.writing() as connection:
        query = select(table).where(table.c.of == "item", table.c.live)
        known = [dict(row) for row in connection.execute(query.order_by(table.c.id)).mappings()]
        made = [_copy(known[n % len(known)], n) for n in range(items)]
        for some in rows.chunks(made):
            rows.insert(connection, table, some)
    places = Counter(str(row["place"]) for row in made if row["place"])
    return places.most_common(1)[0][0]


def _copy(row: dict[str, object], number: int) -> dict[str, object]:
    code = f"XX-{number:07}"
    value = {**json.loads(str(row["value"])), "code": code, "in": None}
    later = number // BATCH * 1000  # what came and moved together did so at the same times
    value["times"] = {step: at + later for step, at in value["times"].items()}
    return {**row, "id": code, "value": json.dumps(value, separators=(",", ":"))}


def main() -> None:
    items = int(sys.argv[1]) if len(sys.argv) > 1 else USUAL
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "demo"
        casino.make(data, datetime.datetime.now(datetime.UTC), lambda what: None)
        ledger = open_ledger(casino.config(data))
        place = fill(ledger, items)
        at = time.strftime("%Y-%m-%dT%H:%M", time.gmtime(time.time() - 86_400))
        past = [f"/stock/{place}" + PAST.format(at=at, known=known) for known in ("then", "now")]
        client = create_app(ledger.config, ledger).test_client()
        _sign_in(client, data)
        pages = {address: _time(client, address) for address in (*PAGES, f"/stock/{place}", *past)}
        changed = {of: _after(ledger, client, of) for of in CHANGED}
        ledger.close()
    sync = "SQLite, WAL, synchronous=FULL; read only, in this process"
    print(told.write("desk", {"sync": sync, "items": items, "milliseconds": pages, AFTER: changed}))


def _sign_in(client: object, data: Path) -> None:
    person = next(one for one in signons.load(data) if one.handle == "ash")
    token = client.get("/sign-in").text.split('name="form_token" value="')[1].split('"')[0]  # type: ignore[attr-defined]
    form = {"user": person.handle, "password": person.password, "form_token": token}
    headers = {"Sec-Fetch-Site": "same-origin"}
    assert client.post("/sign-in", data=form, headers=headers).status_code == 303  # type: ignore[attr-defined]


def _after(ledger: Ledger, client: object, of: str) -> int:
    """Change master data; return what Today then takes of the processor's time, in ms."""
    id_, old = list(records.every(ledger, of).items())[-1]
    value = {**old, "changed": True}
    by = [{"person": "ada", "how": "password"}]
    change = masterdata.Change(of, id_, value)
    masterdata.administer(ledger, of, id_, by, lambda work: [change])
    start = time.process_time()
    assert client.get("/").status_code == 200  # type: ignore[attr-defined]
    return round((time.process_time() - start) * 1000)


def _time(client: object, address: str) -> dict[str, int]:
    taken = []
    for _ in range(6):
        start = time.perf_counter()
        assert client.get(address).status_code == 200, address  # type: ignore[attr-defined]
        taken.append((time.perf_counter() - start) * 1000)
    return {"first": round(taken[0]), "best_of_five": round(min(taken[1:]))}


if __name__ == "__main__":
    main()
