"""The wheel, installed into an empty environment: all that `custody demo` needs is in it."""

import hashlib
import http.cookiejar
import json
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.server import Server

ROOT = Path(__file__).parents[2]
# What Python runs at start, on a machine where zbar's library is not installed.
WITHOUT_ZBAR = """
import ctypes.util
_find = ctypes.util.find_library
ctypes.util.find_library = lambda name: None if name == "zbar" else _find(name)
"""


class Wheel:
    """A built wheel and an environment that holds it and its dependencies alone."""

    def __init__(self, folder: Path):
        pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
        run([*pip, "--wheel-dir", str(folder), str(ROOT)])
        (self.file,) = folder.glob("custody-*.whl")
        venv.create(folder / "env", with_pip=True)
        self.bin = folder / "env" / "bin"
        run([str(self.bin / "python"), "-m", "pip", "install", "-q", str(self.file)])

    def serve(self, data: Path, **environment: str) -> Server:
        """Start its `custody demo`, outside the checkout."""
        server = Server("demo", data, **environment)
        server.executable, server.folder = self.bin / "custody", data.parent
        server.port = 0
        return server.start()


def run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env=clean())
    assert done.returncode == 0, done.stdout + done.stderr


def clean() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Wheel:
    return Wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo") / "casino"


@pytest.fixture
def demo(wheel: Wheel, data: Path) -> Iterator[Server]:
    server = wheel.serve(data)
    yield server
    server.stop()


@pytest.fixture
def demo_without_zbar(wheel: Wheel, data: Path, tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_ZBAR)
    server = wheel.serve(data, PYTHONPATH=str(tmp_path))
    yield server
    server.stop()


def get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=60) as answer:
        content: bytes = answer.read()
        return content


def test_the_wheel_holds_the_app_and_no_part_of_the_checkout(wheel: Wheel) -> None:
    names = zipfile.ZipFile(wheel.file).namelist()
    assert {name.split("/")[0] for name in names} == {"custody", "custody-0.1.0.dist-info"}
    for part in ("static/vendor/idb/index.js", "static/built/templates.js", "rulebooks/md.toml"):
        assert f"custody/{part}" in names
    licences = [name for name in names if "/vendor/" in name and name.endswith("LICENSE")]
    assert len(licences) == 5


def test_an_empty_environment_with_the_wheel_serves_the_demonstration(demo: Server) -> None:
    health = json.loads(get(f"{demo.url}/health"))
    assert health["version"] == "0.1.0"
    assert health["size"] > 200
    assert b"/static/handheld/main.js" in get(f"{demo.url}/h/")


def test_every_file_of_the_handheld_is_served_as_it_was_built(demo: Server) -> None:
    manifest = json.loads(get(f"{demo.url}/static/built/manifest.json"))
    assert len(manifest["files"]) > 20
    for file in manifest["files"]:
        assert hashlib.sha256(get(demo.url + file["path"])).hexdigest() == file["sha256"]


def test_without_zbars_library_the_photo_page_names_the_package(demo_without_zbar: Server) -> None:
    server = demo_without_zbar
    people = json.loads((server.data / "sign-ons.json").read_text("utf-8"))
    password = next(one["password"] for one in people if one["handle"] == "sue")
    cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    opener = urllib.request.build_opener(cookies)
    with opener.open(f"{server.url}/sign-in", timeout=60) as answer:
        hidden = re.findall(r'name="?(\w+)"? value="?([^">\s]+)', answer.read().decode())
    form = urllib.parse.urlencode([*hidden, ("user", "sue"), ("password", password)]).encode()
    with opener.open(f"{server.url}/sign-in", form, timeout=60):
        pass
    with opener.open(f"{server.url}/photo", timeout=60) as answer:
        assert "libzbar0" in answer.read().decode()
