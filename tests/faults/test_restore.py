"""A server that was put back to a backup: what came after it comes back, and no log is forked."""

from __future__ import annotations

import shutil
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from custody.commands.verify import faults_of
from custody.ledger import backups, devices, log_acts
from tests.faults import oracle
from tests.faults.asserting import assert_once, codes, held, receive
from tests.faults.site import Site
from tests.support.client import Client, sending


def backed_up(site: Site) -> Path:
    target = site.folder / "backup"
    backups.take(site.config, target, faults_of)
    return target


def put_back(site: Site, copy: Path, *, log_too: bool = False) -> None:
    """Restore; with `log_too` also the checkpoint beside the database, as when a whole disk is."""
    site.server.kill()
    site.leave()
    if log_too:
        shutil.rmtree(site.config.data / "log")
    backups.restore(copy, site.config, over=True)
    site.server.start()


def resume(site: Site) -> None:
    log_acts.resume(site.ledger, "the disk failed, and a backup was restored")


def watched(site: Site, client: Client) -> None:
    """Sync until the device has seen a checkpoint over all that is in the log."""
    deadline = time.monotonic() + 120
    assert client.sync() == ""
    while client.disk.get("tree")[0] < site.ledger.size():
        assert time.monotonic() < deadline
        time.sleep(0.2)
        assert client.sync() == ""


@pytest.fixture
def client(site: Site) -> Client:
    made = site.client()
    receive(made, *codes(made, 5))
    assert made.sync() == ""
    return made


def test_500_events_pushed_after_the_backup_all_come_back(site: Site, client: Client) -> None:
    copy = backed_up(site)
    receive(client, *codes(client, 500))
    watched(site, client)  # so that a checkpoint over them is out before the server is put back
    ids = held(site, client)
    put_back(site, copy)
    assert len(held(site, client)) == 5
    resume(site)
    assert client.sync() == ""
    assert held(site, client) == ids
    assert_once(site, client)
    site.assert_sound()


def test_a_device_that_records_nothing_more_gives_back_what_was_lost(
    site: Site, client: Client
) -> None:
    copy = backed_up(site)
    client.record("notify", by=["fay"], **{"with": {"whom": "surveillance"}})  # in no replica
    assert client.sync(watch=False) == ""
    put_back(site, copy)
    client = site.reopen(client.disk.path)  # the next morning
    assert client.sync() == ""
    assert_once(site, client)


def test_a_restored_log_refuses_to_fork_and_takes_events_all_the_same(
    site: Site, client: Client
) -> None:
    copy = backed_up(site)
    receive(client, *codes(client, 3))
    watched(site, client)
    signed = site.server.health()["log"]
    assert signed["state"] == "signing"
    put_back(site, copy)
    with pytest.raises(urllib.error.HTTPError, match="503"):
        urllib.request.urlopen(f"{site.server.url}/log/checkpoint")
    receive(client, *codes(client, 1))
    assert client.sync() == ""
    assert_once(site, client)
    assert site.server.health()["log"]["state"] == "stopped"
    resume(site)
    assert client.sync() == ""
    assert client.log_problem == "log-resumed"
    site.assert_sound()


def test_a_server_restored_with_its_checkpoint_is_told_by_a_device_that_saw_a_later_one(
    site: Site, client: Client
) -> None:
    copy = backed_up(site)
    receive(client, *codes(client, 3))
    watched(site, client)
    proof = client.disk.get("note")
    put_back(site, copy, log_too=True)
    assert client.sync() == ""
    assert_once(site, client)
    assert client.disk.get("log_problem") == "log-rewritten"
    assert client.disk.get("note") == proof, "the proof was thrown away"
    kinds = {kind for told in oracle.raised(site.ledger).values() for kind, _ in told}
    assert "log-rewritten" in kinds
    assert site.server.health()["log"]["state"] == "stopped"


def test_a_run_that_the_restored_server_lost_comes_back_as_it_was(
    site: Site, client: Client
) -> None:
    copy = backed_up(site)
    later = site.client()
    receive(later, *(made := codes(later, 4)))
    assert later.sync() == ""
    put_back(site, copy)
    assert later.sync() == "not-enrolled"
    before = later.disk.events()
    assert len(before) == 4
    assert later.enrol(site.code()).status == 201
    assert later.sync() == ""
    assert [one.id for one in later.disk.events()] == [one.id for one in before]
    assert later.run == 2
    assert_once(site, later)
    assert all(later.disk.record("item", code) for code in made)


def test_a_device_that_forgot_what_the_server_lost_goes_on_under_a_new_run(
    site: Site, client: Client
) -> None:
    copy = backed_up(site)
    receive(client, *codes(client, 2))
    assert client.sync() == ""
    client.disk.change("DELETE FROM event WHERE seq <= 6")  # proven and 30 days old
    put_back(site, copy)
    receive(client, *codes(client, 1))
    client.doubts = True
    assert client.sync() == "lost"
    assert client.needs_run()
    assert client.enrol(site.code()).status == 201
    assert client.sync() == ""
    kept = [one.id for one in client.disk.events("run = 2")]
    assert len(kept) == 2
    assert set(kept) <= set(held(site, client))


def test_a_revoked_device_asks_before_it_wipes_what_a_restored_server_lost(
    site: Site, client: Client
) -> None:
    devices.revoke(site.ledger, client.id, [{"person": "ada", "how": "password"}])
    copy = backed_up(site)
    receive(client, *codes(client, 3))
    client.last_probe = client.mono()
    assert sending.drain(client) == ""
    ids = [one.id for one in client.disk.events()]
    put_back(site, copy)
    assert client.sync() == "wiped"
    device = {one.device for one in oracle.stored(site.ledger) if one.id == ids[0]}.pop()
    assert [one.id for one in oracle.stored(site.ledger) if one.device == device] == ids


def test_a_log_of_other_events_is_shown_to_nobody_who_saw_the_first(
    site: Site, client: Client
) -> None:
    """A split view: somebody puts an old database back, takes the checkpoint away, and signs a
    history without what came after.
    """
    copy = backed_up(site)
    receive(client, *codes(client, 3))
    watched(site, client)
    proof = client.disk.get("note")
    put_back(site, copy, log_too=True)
    other = site.client()
    receive(other, *codes(other, 6))
    watched(site, other)
    assert client.sync() == ""
    assert client.disk.get("log_problem") == "log-rewritten"
    assert client.disk.get("note") == proof
    assert site.server.health()["log"]["state"] == "stopped"
