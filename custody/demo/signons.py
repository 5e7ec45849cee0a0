"""Badges, PINs and passwords of the demonstration: random, kept beside its data, and printed."""

from __future__ import annotations

import json
import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from custody.demo.cast import PEOPLE, PERSON_IDS
from custody.ledger import accounts, credentials, people
from custody.ledger.core import Ledger
from custody.ledger.errors import CredentialRefused
from custody.rules import codes

FILE = "sign-ons.json"
WORDS = (
    *("amber", "anchor", "birch", "canvas", "cedar", "copper", "coral", "cotton", "delta", "ember"),
    *("falcon", "garnet", "harbor", "indigo", "juniper", "kettle", "lantern", "linen", "maple"),
    *("marble", "meadow", "nickel", "onyx", "orchid", "pebble", "pewter", "quartz", "raven"),
    *("saddle", "silver", "spruce", "tundra", "umber", "velvet", "walnut", "willow", "zephyr"),
)


class SignOn(NamedTuple):
    """What one person needs; `password` is None for those without a desk."""

    handle: str
    name: str
    job: str
    badge: str
    pin: str
    password: str | None


def make() -> list[SignOn]:
    """Return new sign-ons for everybody; no two installations share one."""
    return [
        SignOn(p.handle, p.name, p.job, _badge(), _pin(), _password() if p.desk else None)
        for p in PEOPLE
    ]


def give(ledger: Ledger, signons: list[SignOn]) -> None:
    """Set them in the ledger."""
    for one in signons:
        person = PERSON_IDS[one.handle]
        people.set_badge(ledger, person, one.badge, [])
        if one.password:
            link = accounts.new_link(ledger, person, one.handle)
            accounts.spend_link(ledger, link, one.password)
    # Each verifier takes a second's fraction of pure hashing, which needs no lock.
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for done in [pool.submit(_set_pin, ledger, one) for one in signons]:
            done.result()


def save(data: Path, signons: list[SignOn]) -> None:
    """Write them to the data folder, readable by its owner alone."""
    handle = os.open(data / FILE, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump([one._asdict() for one in signons], file, indent=1)


def load(data: Path) -> list[SignOn]:
    """Read what `save` wrote."""
    return [SignOn(**one) for one in json.loads((data / FILE).read_text("utf-8"))]


def _set_pin(ledger: Ledger, one: SignOn) -> None:
    people.set_pin(ledger, PERSON_IDS[one.handle], one.pin, [])


def _badge() -> str:
    return codes.make("BD", secrets.randbelow(10**20))


def _pin() -> str:
    while True:
        pin = f"{secrets.randbelow(10**6):06}"
        try:
            credentials.check_pin(pin)
        except CredentialRefused:
            continue
        return pin


def _password() -> str:
    return "-".join([*(secrets.choice(WORDS) for _ in range(3)), f"{secrets.randbelow(100):02}"])
