"""Becoming a site node: from nothing, from a ledger of its own, and what is in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from custody.commands import serve
from custody.commands.verify import faults_of
from custody.config import Config
from custody.ledger import devices, masterdata
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.founding import found
from custody.ledger.setting import check_setting
from custody.ledger.upstream import joining
from custody.ledger.upstream.joining import NotOfThisSite
from custody.sync.relay.starting import found_from
from tests.support import cast
from tests.support.floor import ADA, stock
from tests.support.nodes import Casinos, NodeServer, Wan


def own_ledger(folder: Path, **setting: Any) -> Ledger:
    folder.mkdir()
    config = Config(folder / "data", f"sqlite:///{folder / 'custody.db'}")
    found(config, check_setting(cast.setting(**setting)))
    return open_ledger(config)


def test_a_ledger_that_was_founded_by_itself_joins_with_all_its_history(
    casinos: Casinos, tmp_path: Path
) -> None:
    ledger = own_ledger(tmp_path / "own")
    wan = Wan(casinos.upstream.app)
    made = NodeServer(ledger, wan, devices.new_code(casinos.upstream.ledger))
    device = made.device()
    stock(device)
    wan.is_cut = True
    made.try_to_sync()
    assert made.status["state"] == "not-enrolled"
    wan.is_cut = False
    made.sync()
    casinos.settle()
    assert casinos.upstream.record("item", "D5-001") == made.record("item", "D5-001")
    assert casinos.upstream.exceptions() == []
    assert made.digest() == casinos.upstream.digest()
    assert faults_of(ledger) == []
    ledger.close()


def test_a_ledger_of_another_site_is_told_so(casinos: Casinos, tmp_path: Path) -> None:
    ledger = own_ledger(tmp_path / "elm", site="elm")
    code = devices.new_code(casinos.upstream.ledger)
    made = NodeServer(ledger, Wan(casinos.upstream.app), code)
    with pytest.raises(NotOfThisSite, match="elm"):
        made.sync()
    assert "share one site" in made.status["error"]
    ledger.close()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--upstream-code", "X"], "--upstream-code goes with --upstream"),
        (["--upstream", "ftp://x"], "is no address such as https://"),
        (["--upstream", "http://127.0.0.1:9"], "give --upstream-code"),
        (["--upstream", "http://127.0.0.1:9", "--upstream-code", "X"], "refused"),
    ],
)
def test_what_is_missing_to_be_a_node_is_told(
    tmp_path: Path, casinos: Casinos, arguments: list[str], told: str
) -> None:
    data = casinos.folder / "a" / "data" if arguments[0] == "--upstream-code" else tmp_path / "new"
    database = f"sqlite:///{casinos.folder / 'a' / 'custody.db'}"
    where = ["--data", str(data), "--database", database]
    answer = CliRunner().invoke(serve.command, [*where, *arguments])
    assert answer.exit_code in (1, 2)
    assert told in answer.output


def test_a_node_waits_until_it_is_approved(casinos: Casinos, tmp_path: Path) -> None:
    controls = {"device_approval": "administrator"}
    change = masterdata.Change("setting", "controls", controls)
    masterdata.administer(casinos.upstream.ledger, "controls", "", ADA, lambda work: [change])
    waited: list[str] = []

    def approve(device: str) -> None:
        waited.append(device)
        if len(waited) == 2:
            devices.approve(casinos.upstream.ledger, device, ADA)

    config = Config(tmp_path / "data", f"sqlite:///{tmp_path / 'custody.db'}")
    code = devices.new_code(casinos.upstream.ledger)
    found_from(config, "http://upstream", code, Wan(casinos.upstream.app), approve)
    ledger = open_ledger(config)
    assert joining.joined(ledger).device == waited[0] == waited[1]  # type: ignore[union-attr]
    ledger.close()
