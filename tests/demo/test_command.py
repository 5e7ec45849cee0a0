"""`custody demo` as it is called: made once, used again, made afresh, and clear about trouble."""

import datetime
import json
import re
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from custody.demo import casino
from tests.support.server import Server, custody


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A casino that was made before, without its history."""
    folder = tmp_path_factory.mktemp("made") / "casino"
    casino.make(folder, datetime.datetime.now(datetime.UTC), lambda _: None, history=False)
    return folder


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Server]:
    server = Server("demo", tmp_path / "casino")
    server.start()
    server.wait_for("Another code")
    yield server
    server.stop()


def events(server: Server) -> int:
    with urllib.request.urlopen(f"{server.url}/health", timeout=60) as answer:
        size: int = json.load(answer)["size"]
        return size


def test_the_casino_is_kept_and_used_again_and_made_anew_when_asked(demo: Server) -> None:
    badges, size = set(re.findall(r"BD-\w+", demo.output())), events(demo)
    assert len(badges) == 17
    assert size > 200
    demo.stop()
    demo.start()
    demo.wait_for("Another code")
    assert "--fresh makes a new one" in demo.output()
    assert set(re.findall(r"BD-\w+", demo.output())) == badges
    assert events(demo) == size
    demo.stop()
    demo.arguments = ("--fresh",)
    demo.start()
    demo.wait_for("Another code")
    assert set(re.findall(r"BD-\w+", demo.output())).isdisjoint(badges)


def test_the_address_the_sign_ons_and_a_code_for_a_handheld_are_printed(made: Path) -> None:
    demo = Server("demo", made).start()
    demo.wait_for("Another code")
    demo.stop()
    said = demo.output()
    assert f"The desk is at        {demo.url}/" in said
    assert re.search(rf"enrols at  {demo.url}/h/enrol#[A-Z0-9]{{12}}", said)
    assert re.search(
        r"Sue Vance +security_supervisor +BD-\w{21} +\d{6} +sue / \w+-\w+-\w+-\d\d", said
    )
    assert "█" in said


def test_a_port_in_use_is_named(made: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with pytest.raises(AssertionError, match=rf"cannot listen on 127\.0\.0\.1:{port}"):
            custody("demo", "--port", port, data=made)


def test_a_folder_of_somebody_elses_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(AssertionError, match="holds something else; name another folder"):
        custody("demo", data=tmp_path)
    with pytest.raises(AssertionError, match="nothing was removed"):
        custody("demo", "--fresh", data=tmp_path)
    assert (tmp_path / "mine.txt").exists()
