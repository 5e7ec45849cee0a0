"""The edition of the rulebook: a ledger keeps its own until somebody takes this version's."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner

from custody.cli import main
from custody.ledger import editions, overlays, verifying
from custody.ledger.cache import Cache
from custody.ledger.core import Ledger
from custody.ledger.editions import EditionRefused
from custody.ledger.judging import book_of, rulebook_id
from custody.rulebooks import loader
from tests.routes.conftest import Open
from tests.support.overlays import HARBOR

BY = [{"person": "ada", "how": "password"}]
OVERLAY = (
    HARBOR
    + """
[[clock]]
clause = "MD-02.13-O.1"
period = { hours = 12 }
"""
)


def custody(*words: str, ledger: Ledger) -> Any:
    at = ["--data", str(ledger.config.data), "--database", ledger.config.database_url]
    return CliRunner().invoke(main, ["rulebook", *words, *at])


@pytest.fixture(params=["md@2026.1", "md@2026.2"])
def brought(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Another edition, which this version brings: under the old name, or under the next."""
    made = loader.rulebook("MD") | {"id": request.param, "title": "The next edition"}
    monkeypatch.setattr(editions.loader, "rulebook", lambda regime: made)
    return made


def kept(ledger: Ledger) -> Any:
    with ledger.database.reading() as connection:
        facts = Cache(connection)
        return facts.get("rulebook", rulebook_id(facts))


def test_a_ledger_with_this_versions_edition_has_nothing_to_take(ledger: Ledger) -> None:
    assert custody("show", ledger=ledger).stderr == ""
    told = custody("update", ledger=ledger)
    assert told.exit_code == 1
    assert "has this version's edition, md@2026.1, already" in told.stderr


def test_another_edition_is_said_and_taken_by_an_event_only_when_somebody_says_so(
    ledger: Ledger, brought: dict[str, Any]
) -> None:
    size = ledger.size()
    told = custody("show", ledger=ledger)
    assert told.stdout == "md@2026.1\n"
    assert f"({brought['id']})" in told.stderr
    assert "`custody rulebook update`" in told.stderr
    assert ledger.size() == size
    assert kept(ledger)["title"] != brought["title"], "nothing changes by itself"
    assert custody("update", ledger=ledger).stdout == f"Event {size}: {brought['id']}\n"
    assert kept(ledger) == brought
    with ledger.database.reading() as connection:
        assert book_of(Cache(connection))["id"] == brought["id"]
    assert verifying.projection_fault(ledger) is None
    assert custody("show", ledger=ledger).stderr == ""


def test_overlays_are_merged_into_the_edition_that_is_taken(
    ledger: Ledger, brought: dict[str, Any]
) -> None:
    overlays.load(ledger, "operator.toml", OVERLAY, BY)
    editions.update(ledger, BY)
    assert kept(ledger)["id"] == f"{brought['id']}+harbor@3"
    assert kept(ledger)["title"] == brought["title"]
    assert any(one.get("period") == {"hours": 12} for one in kept(ledger)["clock"])
    with pytest.raises(EditionRefused, match="already"):
        editions.update(ledger, BY)


def test_the_desk_says_on_the_approvals_that_another_edition_has_come(
    desk: Open, ledger: Ledger, brought: dict[str, Any]
) -> None:
    browser = desk("ada")
    assert "custody rulebook update" in browser.get("/approvals").text
    editions.update(ledger, BY)
    assert "custody rulebook update" not in browser.get("/approvals").text
