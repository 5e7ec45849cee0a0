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


@pytest.fixture
def founded(founded_sqlite: Config, tmp_path: Path) -> Config:
    """A founded ledger in a data folder with its SQLite database in it."""
    folder = tmp_path / "data"
    shutil.copytree(founded_sqlite.data, folder)
    shutil.copy(file_of(founded_sqlite), folder / "custody.db")
    return load(folder)


@pytest.fixture
def site(forge: Forge, founded: Config, tmp_path: Path) -> Iterator[Site]:
    """A site whose server runs."""
    made = Site(forge, tmp_path, founded)
    made.server.start()
    yield made
    made.close()
