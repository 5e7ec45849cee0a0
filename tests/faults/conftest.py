"""A site of its own for each test, on SQLite unless it asks for another."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from custody.config import Config, load
from tests.conftest import file_of
from tests.faults.forge import Forge
from tests.faults.site import Site


@pytest.fixture(scope="session")
def forge() -> Iterator[Forge]:
    made = Forge()
    yield made
    made.close()


@pytest.fixture(scope="module")
def shared_site(
    forge: Forge, founded_sqlite: Config, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """A site of a module's tests together: each has devices of its own."""
    folder = tmp_path_factory.mktemp("site")
    made = Site(forge, folder, copy_of(founded_sqlite, folder / "data"))
    made.server.start()
    yield made
    made.close()


@pytest.fixture
def founded(founded_sqlite: Config, tmp_path: Path) -> Config:
    """A founded ledger in a data folder with its SQLite database in it."""
    return copy_of(founded_sqlite, tmp_path / "data")


@pytest.fixture
def site(forge: Forge, founded: Config, tmp_path: Path) -> Iterator[Site]:
    """A site whose server runs."""
    made = Site(forge, tmp_path, founded)
    made.server.start()
    yield made
    made.close()


def copy_of(original: Config, folder: Path) -> Config:
    """Return a copy of a ledger on SQLite in a data folder, with its database in it."""
    shutil.copytree(original.data, folder)
    shutil.copy(file_of(original), folder / "custody.db")
    return load(folder)
