"""Least privilege: every route of the desk, every job."""

import re

import pytest
from flask import Flask
from werkzeug.routing import Rule

from custody.ledger import accounts
from custody.ledger.core import Ledger
from custody.ledger.reading import site
from custody.routes import rights
from tests.routes import cast
from tests.routes.conftest import Open

VALUES = {
    "code": "D5-001",
    "id": "vault",
    "position": "1",
    "term": "issued",
    "secret": "none",
    "step": "count",
    "of": "control",
    "subject": "designs",
    "name": "0" * 64,
    "size": "small",
    "form": "csv",
}
SIGNERS = frozenset({rights.RECORD, rights.RESOLVE})


def desk_rules(app: Flask) -> list[Rule]:
    """Return the routes of the desk's blueprints.

    The protocol, the log and the handheld answer for themselves.
    """
    views = app.view_functions
    return [rule for rule in app.url_map.iter_rules() if hasattr(views[rule.endpoint], "right")]


def guarded(app: Flask) -> list[tuple[str, str, str]]:
    """Return method, address and right of every route that is not open to all."""
    found = []
    for rule in desk_rules(app):
        right = app.view_functions[rule.endpoint].right  # type: ignore[attr-defined]
        address = re.sub(r"<(?:[^:>]+:)?(\w+)>", lambda name: VALUES[name[1]], rule.rule)
        methods = sorted((rule.methods or set()) & {"GET", "POST"})
        found += [(method, address, right) for method in methods if right is not None]
    return found


def test_every_module_of_routes_guards_every_view(app: Flask) -> None:
    for blueprint in app.blueprints.values():
        desk_made = any("_meet" in str(f) for f in blueprint.before_request_funcs.get(None, []))
        if desk_made:
            own = [e for e in app.view_functions if e.startswith(f"{blueprint.name}.")]
            bare = [e for e in own if not hasattr(app.view_functions[e], "right")]
            assert bare == []


def test_there_are_routes_to_guard(app: Flask) -> None:
    assert len(guarded(app)) > 30


def test_only_signing_in_and_the_choice_of_a_language_are_open_to_all(app: Flask) -> None:
    views = app.view_functions
    opened = {e for e in views if getattr(views[e], "right", "") is None}
    assert {e.split(".")[0] for e in opened} == {"signin", "languages"}


def test_nobody_gets_past_the_sign_in_page_without_signing_in(app: Flask, desk: Open) -> None:
    browser = desk()
    for method, address, _ in guarded(app):
        answer = browser.get(address) if method == "GET" else browser.post(address)
        assert answer.status_code == 303, (method, address)
        assert answer.location.startswith("/sign-in"), (method, address)


def test_a_form_sent_by_nobody_changes_nothing(app: Flask, desk: Open, ledger: Ledger) -> None:
    before = ledger.size()
    browser = desk()
    for method, address, _ in guarded(app):
        if method == "POST":
            browser.post(address, name="x", job="administrator", id="x", type="dock", sure="yes")
    assert ledger.size() == before


@pytest.mark.parametrize("person", cast.WITH_DESK)
def test_every_job_gets_403_wherever_it_lacks_the_right(
    app: Flask, desk: Open, ledger: Ledger, person: str
) -> None:
    held = rights.of(cast.PEOPLE[person]["job"], {})
    browser, before = desk(person), ledger.size()
    refused = [(m, a) for m, a, right in guarded(app) if right not in held]
    assert refused
    for method, address in refused:
        answer = browser.get(address) if method == "GET" else browser.post(address, sure="yes")
        assert answer.status_code == 403, (method, address)
    assert ledger.size() == before


@pytest.mark.parametrize("person", cast.WITH_DESK)
def test_every_page_of_a_jobs_navigation_opens(desk: Open, person: str) -> None:
    browser = desk(person)
    front = browser.get("/")
    links = re.findall(
        r'<a href="([^"]+)"', front.text.split('<nav id="nav"')[1].split("</nav>")[0]
    )
    assert links
    for link in links:
        answer = browser.get(link)
        assert answer.status_code == 200, link
        ids = re.findall(r'\bid="([^"]+)"', answer.text)
        assert len(ids) == len(set(ids)), (
            f"{link} has an id twice, so a label names the wrong field"
        )


@pytest.mark.parametrize("address", ["/", "/people", "/sign-out", "/labels/print"])
def test_a_wrong_method_is_405_and_names_the_right_one(desk: Open, address: str) -> None:
    answer = desk("ada").client.put(address)
    assert answer.status_code == 405
    assert answer.headers["Allow"]


def test_an_administrator_signs_no_custody_step() -> None:
    assert not rights.of("administrator", {}) & SIGNERS


def test_the_regulator_reads_and_changes_nothing() -> None:
    assert rights.of("compliance_representative", {}) == rights.READER
    assert not rights.READER & {*SIGNERS, rights.PEOPLE, rights.DEVICES, rights.PLACES}


@pytest.mark.parametrize("job", ["dealer", "cashier", "vendor_agent", "", "unheard_of"])
def test_a_job_without_a_desk_has_no_right(job: str) -> None:
    assert rights.of(job, {}) == frozenset()


def test_a_change_of_job_holds_from_the_next_request(desk: Open) -> None:
    browser = desk("sue")
    assert browser.get("/stock").status_code == 200
    desk("ada").post("/people/sue", name="Sue Hart", job="security_officer", language="en")
    assert browser.get("/stock").status_code == 403


def test_a_session_of_a_forgotten_account_opens_nothing(desk: Open, ledger: Ledger) -> None:
    browser = desk("sue")
    accounts.set_password(ledger, "sue", "a wholly different sentence", [])
    assert browser.get("/").status_code == 303


def test_the_table_of_rights_names_only_jobs_of_the_vocabulary(app: Flask, ledger: Ledger) -> None:
    known = site.of(ledger)["book"]["departments"]
    assert set(rights.RIGHTS) <= set(known)
