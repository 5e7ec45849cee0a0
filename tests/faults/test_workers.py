"""Two processes serve one database: one log, each event once, whichever of them a device meets."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from custody.config import Config
from tests.conftest import file_of
from tests.faults.asserting import assert_once, codes, receive
from tests.faults.forge import Forge, Forked
from tests.faults.site import Site
from tests.support import cast, postgres


@pytest.fixture(params=["sqlite", "postgresql"])
def site(
    request: pytest.FixtureRequest, forge: Forge, founded_sqlite: Config, tmp_path: Path
) -> Iterator[Site]:
    original, url = founded_sqlite, f"sqlite:///{tmp_path / 'data' / 'custody.db'}"
    server = ""
    if request.param == "postgresql":
        original = request.getfixturevalue("founded_postgres")
        server = request.getfixturevalue("postgres_server")
        url = postgres.new_name(server)
        postgres.copy_database(server, original.database_url, url)
    shutil.copytree(original.data, tmp_path / "data")
    if not server:
        shutil.copy(file_of(original), tmp_path / "data" / "custody.db")
    made = Site(forge, tmp_path, Config(tmp_path / "data", url))
    made.server.start()
    yield made
    made.close()
    if server:
        postgres.drop_database(server, url)


def test_two_workers_keep_one_log_and_each_event_once(site: Site, forge: Forge) -> None:
    second = Forked(forge, site.config.data, site.config.database_url)
    second.start()
    hands = [site.client() for _ in range(4)]
    wanted = codes(hands[0], 6)  # by all of them at once
    try:
        receive(hands[0], *wanted)
        for hand in hands:
            assert hand.sync() == ""
            receive(hand, *codes(hand, 30))

        def work(hand_number: int) -> None:
            hand = hands[hand_number]
            for turn in range(6):
                link = site.link(hand)
                link.target = (site.server.port, second.port)[(turn + hand_number) % 2]
                link.plan(*(("duplicate", "lost_answer", "passed")[turn % 3],))
                receive(hand, *codes(hand, 3))
                hand.record("store", **cast.store(wanted[turn]), saw=hand.saw(wanted[turn]))
                hand.sync()

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(4)))
        second.kill()
        for hand in hands:
            site.link(hand).target = site.server.port
            site.link(hand).heal()
            assert hand.sync() == ""
            assert_once(site, hand)
        site.assert_sound()
    finally:
        second.kill()


def test_the_same_push_at_two_workers_at_once_is_stored_once(site: Site, forge: Forge) -> None:
    second = Forked(forge, site.config.data, site.config.database_url)
    second.start()
    try:
        one = site.client()
        receive(one, *codes(one, 40))
        twin = site.clone(one)  # the same chain, and nothing else of its own
        site.link(twin).target = second.port
        with ThreadPoolExecutor(2) as pool:
            said = list(pool.map(lambda hand: hand.sync(watch=False), (one, twin)))
        assert said == ["", ""]
        assert_once(site, one)
    finally:
        second.kill()
