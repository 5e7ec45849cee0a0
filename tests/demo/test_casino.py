"""The demonstration casino, recorded through the ledger's own path."""

import datetime
import json
from pathlib import Path

import pypdfium2
import pytest
from sqlalchemy import select

from custody.demo import casino, cast, signons
from custody.ledger import accounts, credentials, tables
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.reading import stock, today
from custody.ledger.work import Work
from tests.support.server import custody

NOW = datetime.datetime.now(datetime.UTC)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "casino"
    casino.make(folder, NOW, lambda _: None)
    return folder


@pytest.fixture
def ledger(data: Path) -> Ledger:
    return open_ledger(casino.config(data))


def test_nothing_is_wrong_but_the_one_stick_that_two_handhelds_claimed(ledger: Ledger) -> None:
    table = tables.exception.c
    with ledger.database.reading() as connection:
        found = connection.execute(select(table.kind, table.clause, table.resolved)).all()
    ledger.close()
    assert [tuple(row) for row in found] == [("concurrent-claim", None, None)]


def test_the_log_verifies_and_its_projections_rebuild_to_the_same(data: Path) -> None:
    custody("verify", data=data)


def test_sets_are_in_play_envelopes_wait_and_dice_are_cancelled(ledger: Ledger) -> None:
    table = tables.record.c
    with ledger.database.reading() as connection:
        query = select(table.value).where(table.of == "item", table.value.is_not(None))
        items = [json.loads(value) for value in connection.scalars(query)]
    ledger.close()
    by_state = {(i["kind"], i["state"]): 0 for i in items}
    for item in items:
        by_state[item["kind"], item["state"]] += 1
    assert by_state["dice", "in_play"] == 4
    assert by_state["envelope", "sealed"] == 3
    assert by_state["dice", "cancelled"] == 10
    assert by_state["dice", "stored"] >= 19


def test_everybody_signs_on_with_what_is_printed(data: Path, ledger: Ledger) -> None:
    with ledger.database.reading() as connection:
        work = Work(connection)
        known = {p.handle: work.get("person", cast.PERSON_IDS[p.handle]) for p in cast.PEOPLE}
    for one in signons.load(data):
        person = known[one.handle]
        assert person is not None
        assert person["badge"] == credentials.badge_hash(cast.SITE, one.badge)
        assert person["pin"]["rounds"] == credentials.PIN_ROUNDS
        if one.password:
            who = accounts.authenticate(ledger, one.handle, one.password, "127.0.0.1")
            assert who == cast.PERSON_IDS[one.handle]
    ledger.close()


def test_sign_ons_are_for_the_owner_alone_and_differ_between_installations(data: Path) -> None:
    assert (data / signons.FILE).stat().st_mode & 0o777 == 0o600
    assert data.stat().st_mode & 0o777 == 0o700
    first, second = signons.make(), signons.make()
    assert {one.badge for one in first}.isdisjoint(one.badge for one in second)
    assert {one.password for one in first} != {one.password for one in second}


def test_badges_and_labels_are_there_to_print(data: Path) -> None:
    badges = pypdfium2.PdfDocument(data / "print" / "badges.pdf")
    text = "".join(page.get_textpage().get_text_range() for page in badges)
    badges.close()
    for one in signons.load(data):
        assert one.badge in text
        assert one.name in text


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("mine")
    with pytest.raises(casino.NotTheDemoError, match="holds something else"):
        casino.make(tmp_path, NOW, lambda _: None)
    with pytest.raises(casino.NotTheDemoError, match="no demonstration"):
        casino.remove(tmp_path)
    assert (tmp_path / "letters.txt").read_text() == "mine"


def test_a_casino_that_could_not_be_finished_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(casino, "play", interrupted)
    with pytest.raises(KeyboardInterrupt):
        casino.make(tmp_path / "casino", NOW, lambda _: None)
    assert not (tmp_path / "casino").exists()
    monkeypatch.undo()
    casino.make(tmp_path / "casino", NOW, lambda _: None, history=False)
    assert casino.exists(tmp_path / "casino")
    casino.remove(tmp_path / "casino")
    assert not casino.exists(tmp_path / "casino")


def test_every_kind_of_stock_is_there_and_a_count_is_due(ledger: Ledger) -> None:
    kinds = {row["kind"]: row["units"] for row in stock.totals(ledger)}
    due = today.due(ledger)["due"]
    ledger.close()
    assert kinds.keys() == {"cards", "coupons", "dice", "seals", "tiles"}
    assert kinds["coupons"]["coupons"] == 378
    assert ("MD-02.13-M.3", "due") in [(one["clause"], one["status"]) for one in due]
