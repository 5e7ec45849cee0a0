"""The server's disk is full: nothing half-stored, a plain answer, and it goes on once it is not.

A limit on the size of files stands for the disk: what writes beyond it gets an error of the system.
"""

from __future__ import annotations

import resource

import pytest

from tests.faults.asserting import assert_once, codes, held, receive
from tests.faults.site import Site


def fill(site: Site, room: int) -> None:
    """Let the server's files grow no further than the database now is, and `room` bytes more."""
    sizes = [path.stat().st_size for path in site.config.data.glob("custody.db*")]
    limit = max(sizes) + room
    resource.prlimit(site.server.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))


def free(site: Site) -> None:
    no_limit = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.prlimit(site.server.pid, resource.RLIMIT_FSIZE, no_limit)


@pytest.mark.parametrize("room", [0, 20_000])
def test_a_push_that_does_not_fit_stores_nothing_and_is_sent_again(site: Site, room: int) -> None:
    client = site.client()
    receive(client, *codes(client, 2))
    assert client.sync() == ""
    receive(client, *codes(client, 400))
    fill(site, room)
    assert client.sync() == "not-stored"
    assert len(held(site, client)) == 2
    assert len(client.waiting()) == 400
    free(site)
    assert client.sync() == ""
    assert_once(site, client)
    site.assert_sound()
    assert site.server.health()["log"]["state"] == "signing"


def test_no_personal_data_stands_in_what_the_server_says_of_it(site: Site) -> None:
    client = site.client()
    receive(client, *codes(client, 400))
    fill(site, 0)
    client.sync()
    free(site)
    said = site.server.output()
    assert "full" in said or "disk" in said
    assert "fay" not in said
    assert client.disk.events()[0].id not in said
