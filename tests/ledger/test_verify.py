"""`custody verify` names what was tampered with; forks and exceptions are no faults."""

from __future__ import annotations

import base64
import errno
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flask import Flask
from sqlalchemy import text

from custody.cli import main
from custody.config import Config
from custody.ledger import exporting
from custody.ledger.core import Ledger
from tests.support import story
from tests.support.device import Device


def verify(config: Config) -> Result:
    arguments = ["verify", "--data", str(config.data), "--database", config.database_url]
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def told(app: Flask, ledger: Ledger) -> tuple[Device, Device]:
    devices = story.tell(app, ledger)
    ledger.log.checkpoint()
    return devices


def tamper(ledger: Ledger, statement: str, **values: object) -> None:
    """Change the log as somebody would who owns the database: with its guards out of the way."""
    with ledger.database.engine.connect() as connection:
        if ledger.database.is_sqlite:
            query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
            for name in connection.execute(text(query)).scalars().all():
                connection.execute(text(f"DROP TRIGGER {name}"))
        else:
            connection.execute(text("SET session_replication_role = replica"))
        changed = connection.execute(text(statement), values)
        assert changed.rowcount > 0
        connection.commit()
        if not ledger.database.is_sqlite:
            connection.execute(text("SET session_replication_role = DEFAULT"))
            connection.commit()


def test_a_sound_ledger_passes_with_its_forks_and_exceptions(
    told: tuple[Device, Device], config: Config
) -> None:
    result = verify(config)
    assert result.exit_code == 0, result.output
    assert "all holds" in result.stdout
    assert "1 forks" in result.stdout
    assert "1 unreadable" in result.stdout


def _position(ledger: Ledger, device: Device, seq: int) -> int:
    query = "SELECT position FROM event WHERE device = :d AND seq = :s AND branch = 1"
    with ledger.database.reading() as connection:
        found = connection.execute(text(query), {"d": device.id, "s": seq}).scalar_one()
    return int(found)


def test_changed_bytes_are_named(
    told: tuple[Device, Device], ledger: Ledger, config: Config
) -> None:
    position = _position(ledger, told[0], 2)
    changed = told[0].log[1].replace(b"vault", b"vaulx")
    tamper(ledger, "UPDATE event_body SET body = :b WHERE position = :p", b=changed, p=position)
    result = verify(config)
    assert result.exit_code == 1
    assert f"position {position}: the bytes are not those of event" in result.stdout


def test_bytes_changed_with_their_keys_break_the_chain(
    told: tuple[Device, Device], ledger: Ledger, config: Config
) -> None:
    from hashlib import sha256

    from custody.ledger.log import leaf_hash

    position = _position(ledger, told[0], 2)
    changed = told[0].log[1].replace(b"vault", b"vaulx")
    tamper(ledger, "UPDATE event_body SET body = :b WHERE position = :p", b=changed, p=position)
    name = sha256(changed).hexdigest()
    with ledger.database.reading() as connection:
        query = text("SELECT received FROM event WHERE position = :p")
        received = connection.execute(query, {"p": position}).scalar_one()
    tamper(
        ledger,
        "UPDATE event SET id = :i, leaf = :l WHERE position = :p",
        i=name,
        l=leaf_hash(position, received, name),
        p=position,
    )
    result = verify(config)
    assert result.exit_code == 1
    assert "WRONG" in result.stdout


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM event WHERE position = 4",
        "DELETE FROM event_body WHERE position = 4",
        "UPDATE event SET received = received + 1 WHERE position = 4",
        "UPDATE event SET leaf = id WHERE position = 4",
        "UPDATE event SET device = 'other' WHERE position = 4",
        "DELETE FROM signature WHERE device <> 'desk'",
        "UPDATE signature SET sig = head WHERE device <> 'desk'",
        "UPDATE device_key SET jwk = (SELECT jwk FROM device_key WHERE device = 'desk')",
        "UPDATE record SET value = '{}' WHERE of = 'item' AND id = 'D5-002'",
        "UPDATE exception SET resolved = 1",
        "DELETE FROM posting WHERE line = 0",
        "UPDATE master SET value = '{}' WHERE of = 'person' AND id = 'fay'",
    ],
)
def test_each_kind_of_tampering_is_found(
    told: tuple[Device, Device], ledger: Ledger, config: Config, statement: str
) -> None:
    tamper(ledger, statement)
    result = verify(config)
    assert result.exit_code == 1, result.output
    assert "WRONG" in result.stdout


def test_an_export_passes_anywhere_and_a_changed_one_does_not(
    told: tuple[Device, Device], config: Config
) -> None:
    from custody.verify.__main__ import main as independent

    out = config.data / "events.jsonl"
    arguments = ["--data", str(config.data), "--database", config.database_url]
    done = CliRunner().invoke(main, ["export", "events", *arguments, "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert independent([str(out)]) == 0
    again = CliRunner().invoke(main, ["export", "events", *arguments, "--out", str(out)])
    assert (again.exit_code, "is there already" in again.stderr) == (1, True)
    lines = out.read_text().splitlines()
    events = [json.loads(line) for line in lines]
    raw = [
        base64.b64decode(e["base64"]) if "base64" in e else e.get("line", "").encode()
        for e in events
    ]
    assert set(told[0].log) <= set(raw)
    out.write_text("\n".join(lines).replace("vault", "vaulx") + "\n")
    assert independent([str(out)]) == 1


def test_a_body_that_was_made_a_text_is_found(
    told: tuple[Device, Device], ledger: Ledger, config: Config
) -> None:
    if not ledger.database.is_sqlite:
        return  # PostgreSQL keeps bytes and nothing else in this column
    change = "replace(body, 'step', 'stop')"
    tamper(ledger, f"UPDATE event_body SET body = {change} WHERE position = 4")
    result = verify(config)
    assert (result.exit_code, "WRONG" in result.stdout) == (1, True), result.output


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_an_export_that_the_disk_does_not_take_names_its_file_and_leaves_nothing(
    ledger: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_ledger: Ledger) -> Iterator[object]:
        yield {"of": "log"}
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(exporting, "records", full)
    out = tmp_path / "events.jsonl"
    arguments = ["export", "events", "--data", str(ledger.config.data), "--out", str(out)]
    arguments += ["--database", ledger.config.database_url]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 1
    assert f"{out} cannot be used: No space left on device" in done.output
    assert [*tmp_path.glob("events*")] == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", ["event_body", "ix_posting_place", "ix_record_holder"])
def test_a_page_that_the_disk_has_spoilt_is_told_without_a_traceback(
    ledger: Ledger, name: str
) -> None:
    with ledger.database.engine.connect() as connection:
        page = connection.scalar(
            text("SELECT rootpage FROM sqlite_master WHERE name = :name"), {"name": name}
        )
        size = connection.scalar(text("PRAGMA page_size"))
    ledger.database.close()
    with Path(ledger.config.database_url.removeprefix("sqlite:///")).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    result = verify(ledger.config)
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert "damaged" in result.output or "malformed" in result.output
