"""Sign-in at a desk: one-time links, passwords, sessions and failed tries."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from custody.ledger import accounts, credentials, people
from custody.ledger.core import Ledger
from custody.ledger.errors import CodeRefused, CredentialRefused, NotKnown

GOOD = "a long enough password"
ADA = [{"person": "ada", "how": "password"}]


@pytest.fixture
def ada(ledger: Ledger) -> Ledger:
    """The ledger, in which ada has a password."""
    accounts.spend_link(ledger, accounts.new_link(ledger, "ada"), GOOD)
    return ledger


def sign_in(
    ledger: Ledger, password: str = GOOD, user: str = "ada", address: str = "::1"
) -> object:
    return accounts.authenticate(ledger, user, password, address)


def test_whoever_opens_the_link_sets_the_password(ada: Ledger) -> None:
    assert sign_in(ada) == "ada"
    assert sign_in(ada, "another long password") is None


def test_a_link_serves_once(ledger: Ledger) -> None:
    secret = accounts.new_link(ledger, "ada")
    assert accounts.user_of_link(ledger, secret) == "ada"
    accounts.spend_link(ledger, secret, GOOD)
    with pytest.raises(CodeRefused, match="used"):
        accounts.spend_link(ledger, secret, GOOD)


def test_a_link_serves_for_a_day(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    secret, now = accounts.new_link(ledger, "ada"), ledger.clock()
    monkeypatch.setattr(ledger, "clock", lambda: now + accounts.LINK_MS + 1)
    with pytest.raises(CodeRefused, match="expired"):
        accounts.user_of_link(ledger, secret)


def test_a_bad_password_leaves_the_link_good(ledger: Ledger) -> None:
    secret = accounts.new_link(ledger, "ada")
    for bad in ("short", "aaaaaaaaaaaaaaa", "x" * 300):
        with pytest.raises(CredentialRefused):
            accounts.spend_link(ledger, secret, bad)
    assert accounts.spend_link(ledger, secret, GOOD) == "ada"


def test_nobody_gets_a_link_who_is_not_known(ledger: Ledger) -> None:
    with pytest.raises(NotKnown):
        accounts.new_link(ledger, "zoe")


def test_an_account_may_have_a_name_of_its_own(ledger: Ledger) -> None:
    accounts.spend_link(ledger, accounts.new_link(ledger, "ada", "ada.moss"), GOOD)
    assert sign_in(ledger, user="ada.moss") == "ada"


def test_no_secret_lies_in_the_database(ada: Ledger) -> None:
    secret = accounts.new_link(ada, "ada")
    accounts.open_session(ada, "ada", "the cookie")
    found = []
    with ada.database.reading() as connection:
        for table in ("account", "link", "session", "attempt"):
            found += [str(row) for row in connection.execute(text(f"SELECT * FROM {table}"))]
    assert not [row for row in found for word in (secret, GOOD, "the cookie") if word in row]
    assert any("argon2id" in row for row in found)


def test_a_session_is_found_by_its_cookie_until_it_ends(ada: Ledger) -> None:
    accounts.open_session(ada, "ada", "cookie-1")
    session = accounts.find_session(ada, "cookie-1")
    assert session is not None
    assert (session.user, session.person) == ("ada", "ada")
    assert accounts.find_session(ada, "cookie-2") is None
    accounts.end_session(ada, "cookie-1")
    assert accounts.find_session(ada, "cookie-1") is None


@pytest.mark.parametrize(
    ("seen_every", "ends_after"), [(10 * 60_000, accounts.SESSION_MS), (None, accounts.IDLE_MS)]
)
def test_a_session_ends_when_idle_and_at_the_end_of_a_shift(
    ada: Ledger, monkeypatch: pytest.MonkeyPatch, seen_every: int | None, ends_after: int
) -> None:
    start = ada.clock()
    accounts.open_session(ada, "ada", "cookie")
    for at in range(0, ends_after, seen_every or ends_after):
        monkeypatch.setattr(ada, "clock", lambda at=at: start + at)
        assert accounts.find_session(ada, "cookie") is not None
    monkeypatch.setattr(ada, "clock", lambda: start + ends_after + 1000)
    assert accounts.find_session(ada, "cookie") is None


def test_a_new_password_ends_all_sessions(ada: Ledger) -> None:
    accounts.open_session(ada, "ada", "cookie")
    accounts.set_password(ada, "ada", "quite another password", ADA)
    assert accounts.find_session(ada, "cookie") is None
    assert sign_in(ada) is None


def test_a_revoked_person_neither_signs_in_nor_stays(ada: Ledger) -> None:
    accounts.open_session(ada, "ada", "cookie")
    people.set_active(ada, "ada", False, [])
    assert accounts.find_session(ada, "cookie") is None
    assert sign_in(ada) is None


def test_after_five_failed_tries_the_right_password_waits_too(
    ada: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(accounts.MOST_TRIES):
        assert sign_in(ada, "wrong wrong wrong") is None
    with pytest.raises(accounts.TooManyTries) as refused:
        sign_in(ada)
    monkeypatch.setattr(ada, "clock", lambda: refused.value.until + 1)
    assert sign_in(ada) == "ada"


def test_tries_are_counted_for_names_that_nobody_has(ledger: Ledger) -> None:
    for _ in range(accounts.MOST_TRIES):
        assert sign_in(ledger, user="nobody") is None
    with pytest.raises(accounts.TooManyTries):
        sign_in(ledger, user="nobody")


def test_one_address_may_not_try_many_names(ada: Ledger) -> None:
    for n in range(accounts.MOST_TRIES * 10):
        sign_in(ada, "wrong wrong wrong", f"user{n}", "10.0.0.1")
    with pytest.raises(accounts.TooManyTries):
        sign_in(ada, "wrong wrong wrong", "one more", "10.0.0.1")
    assert sign_in(ada, address="10.0.0.2") == "ada"


def test_a_good_sign_in_forgets_the_failed_ones(ada: Ledger) -> None:
    for _ in range(3):
        for _ in range(accounts.MOST_TRIES - 1):
            sign_in(ada, "wrong wrong wrong")
        assert sign_in(ada) == "ada"


# --- PINs and badges ---


@pytest.mark.parametrize(
    "pin",
    [
        "",
        "12345",
        "abcdef",
        "123456",
        "654321",
        "111111",
        "012345",
        "121212",
        "123123",
        "890123",
        "12 456",
        "\uff11\uff12\uff13\uff14\uff15\uff16",
    ],
)
def test_a_pin_that_is_easily_guessed_is_refused(pin: str) -> None:
    with pytest.raises(CredentialRefused):
        credentials.check_pin(pin)


@pytest.mark.parametrize("pin", ["493028", "30491827", "100287"])
def test_other_pins_are_taken(pin: str) -> None:
    credentials.check_pin(pin)


@pytest.mark.usefixtures("slow_secrets")
def test_a_password_is_kept_as_an_argon2id_hash_of_the_recommended_cost() -> None:
    """RFC 9106 section 4, the second recommended option: 3 passes over 64 MiB, 4 lanes."""
    kept = credentials.password_hash("a rather long password")
    assert kept.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert credentials.password_fits(kept, "a rather long password")
    assert not credentials.password_fits(kept, "a rather long passwort")


@pytest.mark.usefixtures("slow_secrets")
def test_a_pin_is_kept_as_a_slow_salted_verifier() -> None:
    import base64
    import hashlib

    one, two = credentials.pin_verifier("493028"), credentials.pin_verifier("493028")
    assert one["salt"] != two["salt"]
    assert one["rounds"] == 600_000
    salt = base64.urlsafe_b64decode(one["salt"] + "==")
    made = hashlib.pbkdf2_hmac("sha256", b"493028", salt, 600_000)
    assert base64.urlsafe_b64encode(made).rstrip(b"=").decode() == one["hash"]


def test_a_badge_is_one_persons(ledger: Ledger) -> None:
    people.set_badge(ledger, "fay", "B-1", ADA)
    people.set_badge(ledger, "fay", "B-1", ADA)
    with pytest.raises(CredentialRefused, match="fay"):
        people.set_badge(ledger, "gus", "B-1", ADA)
    with pytest.raises(CredentialRefused, match="empty"):
        people.set_badge(ledger, "gus", " ", ADA)
