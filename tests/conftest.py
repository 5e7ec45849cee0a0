"""What every test may use: a database of its own of either kind, and a ledger in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from custody.app import create_app
from custody.config import Config
from custody.ledger import credentials, devices
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.founding import found
from custody.ledger.setting import check_setting
from tests.support import cast, nodes, postgres
from tests.support.device import Device, FlaskHttp

REAL_PIN_ROUNDS = credentials.PIN_ROUNDS


@pytest.fixture(scope="session", autouse=True)
def quick_secrets() -> Iterator[pytest.MonkeyPatch]:
    """Hash passwords and PINs in no time: their slowness keeps guesses dear, and serves no test."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(credentials, "_hasher", quick)
        patch.setattr(credentials, "_NOBODY", quick.hash("nobody's password"))
        patch.setattr(credentials, "PIN_ROUNDS", 1000)
        yield patch


@pytest.fixture
def slow_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash at the real cost, for a test that is about it."""
    monkeypatch.setattr(credentials, "_hasher", PasswordHasher())
    monkeypatch.setattr(credentials, "PIN_ROUNDS", REAL_PIN_ROUNDS)


@pytest.fixture(scope="session", autouse=True)
def compiled_templates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compile each template once: every test makes an app, and each app would compile its own."""
    cache = FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(Flask.jinja_options, "bytecode_cache", cache)
        yield


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The URL of a PostgreSQL server of this session; a test that needs it fails without it."""
    with postgres.running() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database: a SQLite file, then PostgreSQL.

    Where the test asks for a `ledger`, PostgreSQL's is not made, since a copy is to take its place.
    """
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'custody.db'}"
        return
    server = request.getfixturevalue("postgres_server")
    is_empty = "ledger" not in request.fixturenames
    url = postgres.new_database(server) if is_empty else postgres.new_name(server)
    yield url
    postgres.drop_database(server, url)


@pytest.fixture
def config(tmp_path: Path, database_url: str) -> Config:
    return Config(tmp_path / "data", database_url)


@pytest.fixture(scope="session")
def founded_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Config:
    """A ledger on SQLite that is only copied: founding one takes longer than most tests."""
    folder = tmp_path_factory.mktemp("founded")
    config = Config(folder / "data", f"sqlite:///{folder / 'custody.db'}")
    found(config, check_setting(cast.setting()))
    return config


@pytest.fixture(scope="session")
def founded_postgres(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> Config:
    """A ledger on PostgreSQL that is only copied."""
    folder = tmp_path_factory.mktemp("founded")
    config = Config(folder / "data", postgres.new_database(postgres_server))
    found(config, check_setting(cast.setting()))
    return config


@pytest.fixture(scope="session")
def founded_nodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An upstream and two nodes that are only copied."""
    folder = tmp_path_factory.mktemp("founded-nodes")
    nodes.make(folder)
    return folder


@pytest.fixture(scope="session")
def carried_nodes(founded_nodes: Path, postgres_server: str) -> dict[str, str]:
    """The same on PostgreSQL: the URL of each server's database, which is only copied."""
    return nodes.carry_over(founded_nodes, postgres_server)


@pytest.fixture
def ledger(config: Config, request: pytest.FixtureRequest) -> Iterator[Ledger]:
    """A ledger made from the shared cast, of which nothing has happened yet."""
    if config.database_url.startswith("sqlite"):
        original: Config = request.getfixturevalue("founded_sqlite")
        shutil.copy(file_of(original), file_of(config))
    else:
        original = request.getfixturevalue("founded_postgres")
        server = request.getfixturevalue("postgres_server")
        postgres.copy_database(server, original.database_url, config.database_url)
    shutil.copytree(original.data, config.data)
    opened = open_ledger(config)
    yield opened
    opened.close()


def file_of(config: Config) -> Path:
    return Path(config.database_url.removeprefix("sqlite:///"))


@pytest.fixture
def app(ledger: Ledger) -> Flask:
    return create_app(ledger.config, ledger)


@pytest.fixture
def device(app: Flask, ledger: Ledger) -> Device:
    """An enrolled device that speaks to `app`."""
    made = Device(FlaskHttp(app))
    answer = made.enrol(devices.new_code(ledger))
    assert answer.status == 201, answer.body
    return made
