"""Signing in at a desk."""

import pytest

from custody.ledger import accounts
from custody.ledger.core import Ledger
from tests.routes import cast
from tests.routes.conftest import Open, page, text


def test_a_person_signs_in_and_sees_today(desk: Open) -> None:
    answer = desk("sue").get("/")
    assert answer.status_code == 200
    assert text(answer, "h1") == "Today"
    assert "Sue Hart" in text(answer, ".me")


def test_a_wrong_password_is_422_and_keeps_the_name(desk: Open) -> None:
    answer = desk().post("/sign-in", user="sue", password="not this one at all")
    assert answer.status_code == 422
    assert "do not fit together" in text(answer, "[role=alert]")
    assert page(answer).css_first("input[name=user]").attributes["value"] == "sue"
    assert not page(answer).css_first("input[name=password]").attributes.get("value")


def test_an_unknown_name_gets_the_same_answer_as_a_wrong_password(desk: Open) -> None:
    known = desk().post("/sign-in", user="sue", password="not this one at all")
    unknown = desk().post("/sign-in", user="nobody", password="not this one at all")
    assert unknown.status_code == known.status_code
    assert text(unknown, "[role=alert]") == text(known, "[role=alert]")


def test_after_five_tries_the_name_waits_and_the_wait_is_told(
    desk: Open, clock: cast.Clock
) -> None:
    browser = desk()
    for _ in range(5):
        browser.post("/sign-in", user="sue", password="not this one at all")
    answer = browser.post("/sign-in", user="sue", password=cast.PASSWORD)
    assert answer.status_code == 429
    assert "15 min" in text(answer, "[role=alert]")
    clock.now += accounts.TRIES_MS + 1000
    assert browser.post("/sign-in", user="sue", password=cast.PASSWORD).status_code == 303


def test_tries_are_counted_through_a_restart_of_the_server(desk: Open, ledger: Ledger) -> None:
    for _ in range(5):
        desk().post("/sign-in", user="sue", password="not this one at all")
    ledger.database.close()
    assert desk().post("/sign-in", user="sue", password=cast.PASSWORD).status_code == 429


def test_the_cookie_is_closed_to_scripts_and_other_sites_and_changes_at_sign_in(desk: Open) -> None:
    browser = desk()
    browser.get("/sign-in")
    before = browser.client.get_cookie("custody_desk")
    answer = browser.post("/sign-in", user="sue", password=cast.PASSWORD)
    after = browser.client.get_cookie("custody_desk")
    assert before is not None
    assert after is not None
    assert before.value != after.value
    assert after.http_only
    assert after.same_site == "Strict"
    assert "custody_desk" in answer.headers["Set-Cookie"]


def test_under_tls_the_cookie_never_travels_in_the_clear(desk: Open) -> None:
    answer = desk().client.get("/sign-in", base_url="https://custody.example")
    assert "Secure" in answer.headers["Set-Cookie"]


def test_after_sign_out_the_old_cookie_opens_nothing(desk: Open) -> None:
    browser = desk("sue")
    kept = browser.client.get_cookie("custody_desk")
    assert kept is not None
    assert browser.post("/sign-out").status_code == 303
    assert browser.get("/").status_code == 303
    browser.client.set_cookie("custody_desk", kept.value)
    assert browser.get("/").status_code == 303


def test_an_idle_desk_is_signed_out_and_says_so(desk: Open, clock: cast.Clock) -> None:
    browser = desk("sue")
    clock.now += accounts.IDLE_MS + 1
    answer = browser.client.get("/stock", follow_redirects=True)
    assert answer.request.path == "/sign-in"
    assert "signed out" in text(answer, "[role=status]")


def test_a_session_that_is_used_stays_open_until_its_longest_time(
    desk: Open, clock: cast.Clock
) -> None:
    browser = desk("sue")
    step = accounts.IDLE_MS - 60_000
    for _ in range(accounts.SESSION_MS // step):
        clock.now += step
        assert browser.get("/").status_code == 200
    clock.now += step
    assert browser.get("/").status_code == 303


def test_signing_in_leads_to_the_page_that_was_asked_for(desk: Open) -> None:
    browser = desk()
    asked = browser.get("/items/D5-001?from=label")
    assert asked.status_code == 303
    sent = browser.post(
        "/sign-in", user="sue", password=cast.PASSWORD, next="/items/D5-001?from=label"
    )
    assert sent.location == "/items/D5-001?from=label"


@pytest.mark.parametrize(
    "foreign",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"],
)
def test_signing_in_never_leads_to_another_site(desk: Open, foreign: str) -> None:
    sent = desk().post("/sign-in", user="sue", password=cast.PASSWORD, next=foreign)
    assert sent.location == "/"


def test_a_part_that_nobody_may_see_sends_the_whole_page_to_sign_in(desk: Open) -> None:
    answer = desk().get("/", part=True)
    assert answer.status_code == 200
    assert answer.headers["HX-Redirect"] == "/sign-in"
    assert answer.text == ""


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
    ],
)
def test_a_form_from_elsewhere_is_refused(desk: Open, headers: dict[str, str]) -> None:
    browser = desk("sue")
    data = {"form_token": browser.token()}
    answer = browser.client.post("/sign-out", data=data, headers=headers)
    assert answer.status_code == 403
    assert "did not come from this site" in text(answer)
    assert browser.get("/").status_code == 200


def test_a_form_with_the_origin_of_this_site_is_taken_from_an_older_browser(desk: Open) -> None:
    browser = desk("sue")
    data = {"form_token": browser.token()}
    answer = browser.client.post("/sign-out", data=data, headers={"Origin": "http://localhost"})
    assert answer.status_code == 303


@pytest.mark.parametrize(("token", "status"), [(True, 303), (False, 403)])
def test_a_program_that_is_no_browser_is_asked_for_its_token_only(
    desk: Open, token: bool, status: int
) -> None:
    browser = desk("sue")
    data = {"form_token": browser.token() if token else ""}
    assert browser.client.post("/sign-out", data=data).status_code == status


@pytest.mark.parametrize("token", ["", "0" * 64, "é"])
def test_a_form_without_this_sessions_token_is_refused(desk: Open, token: str) -> None:
    browser = desk("sue")
    assert browser.post("/sign-out", token=token).status_code == 403
    assert browser.get("/").status_code == 200


def test_the_token_of_another_session_does_not_serve(desk: Open) -> None:
    other = desk("sam").token()
    assert desk("sue").post("/sign-out", token=other).status_code == 403


def test_a_one_time_link_sets_a_password_signs_in_and_serves_once(
    desk: Open, ledger: Ledger
) -> None:
    secret = accounts.new_link(ledger, "sue")
    browser = desk()
    assert "sue" in text(browser.get(f"/welcome/{secret}"), "p")
    chosen = "quite another sentence here"
    answer = browser.post(f"/welcome/{secret}", password=chosen, again=chosen)
    assert answer.status_code == 303
    assert "Sue Hart" in text(browser.get("/"), ".me")
    spent = browser.get(f"/welcome/{secret}")
    assert spent.status_code == 404
    assert "no longer works" in text(spent, "[role=alert]")
    assert desk().post("/sign-in", user="sue", password=chosen).status_code == 303


@pytest.mark.parametrize(
    ("password", "again", "told"),
    [
        ("short", "short", "Too short: 5 characters"),
        ("a long enough one", "a different one!", "not the same"),
        ("aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa", "repeats few characters"),
    ],
)
def test_a_bad_new_password_is_422_and_leaves_the_link_good(
    desk: Open, ledger: Ledger, password: str, again: str, told: str
) -> None:
    secret = accounts.new_link(ledger, "sue")
    answer = desk().post(f"/welcome/{secret}", password=password, again=again)
    assert answer.status_code == 422
    assert told in text(answer, ".wrong")
    assert accounts.user_of_link(ledger, secret) == "sue"


def test_a_link_that_nobody_made_says_so(desk: Open) -> None:
    answer = desk().get("/welcome/nothing")
    assert answer.status_code == 404
    assert "no longer works" in text(answer, "[role=alert]")
    assert desk().post("/welcome/nothing", password="x" * 12, again="x" * 12).status_code == 404


def test_a_revoked_person_is_out_at_once(desk: Open) -> None:
    browser = desk("sue")
    assert desk("ada").post("/people/sue/revoke", sure="yes").status_code == 303
    assert browser.get("/").status_code == 303
    assert desk().post("/sign-in", user="sue", password=cast.PASSWORD).status_code == 422


def test_a_job_without_a_desk_signs_in_and_is_told(desk: Open, ledger: Ledger) -> None:
    accounts.spend_link(ledger, accounts.new_link(ledger, "dee"), cast.PASSWORD)
    answer = desk("dee").get("/")
    assert answer.status_code == 403
    assert "Not for your job" in text(answer, "[role=alert]")
