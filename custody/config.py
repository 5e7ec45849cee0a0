"""Where one Custody server keeps its things: the data folder, and the database."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


class ConfigError(Exception):
    """What the caller gave does not name a usable data folder or database."""


@dataclass(frozen=True)
class Config:
    """`data` holds keys and pictures; `database_url` is SQLAlchemy's; `secure_cookies` for TLS."""

    data: Path
    database_url: str
    secure_cookies: bool = False

    @property
    def keys(self) -> Path:
        return self.data / "keys"

    @property
    def blobs(self) -> Path:
        return self.data / "blobs"


def database_url(data: Path, given: str | None = None) -> str:
    """Return the database's URL: `given`, else CUSTODY_DATABASE_URL, else SQLite in the folder."""
    url = given or os.environ.get("CUSTODY_DATABASE_URL") or f"sqlite:///{data / 'custody.db'}"
    for short in ("postgres://", "postgresql://"):
        if url.startswith(short):
            return "postgresql+psycopg://" + url[len(short) :]
    if not url.startswith(("sqlite:///", "postgresql+psycopg://")):
        raise ConfigError(
            f"the database {url.split('://')[0]!r} is not known: "
            "give sqlite:///FILE or postgresql://USER@HOST/NAME"
        )
    return url


def load(data: str | Path | None, database: str | None = None, *, secure: bool = False) -> Config:
    """Return the configuration for a data folder; CUSTODY_DATA stands for a `data` not given.

    Raises ConfigError when there is no folder to be found in either.
    """
    chosen = data or os.environ.get("CUSTODY_DATA")
    if not chosen:
        raise ConfigError("no data folder: give --data DIR or set CUSTODY_DATA")
    folder = Path(chosen).expanduser().resolve()
    return Config(folder, database_url(folder, database), secure)
