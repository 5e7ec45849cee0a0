"""A desk in the hands of people: what tests do on its pages, in the words of the pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.support.browser import Device
from tests.support.casino import Casino


class Desk:
    """One browser at a desk, and whoever is signed in there."""

    def __init__(self, device: Device, casino: Casino):
        self.device, self.casino = device, casino

    @property
    def page(self) -> Page:
        return self.device.page

    # --- signing in ---

    def welcome(self, link: str, handle: str) -> None:
        """Set a password by a one-time link, which signs in as well."""
        self.device.open(urlsplit(link).path)
        password = self.casino.people[handle].password or ""
        self.page.get_by_label("New password").fill(password)
        self.page.get_by_label("The same again").fill(password)
        self.page.get_by_role("button", name="Save and sign in").click()
        self.heading("Today")

    def sign_in(self, handle: str) -> None:
        self.device.open("/sign-in")
        self.page.get_by_label("Sign-in name").fill(handle)
        self.page.get_by_label("Password").fill(self.casino.people[handle].password or "")
        self.page.get_by_role("button", name="Sign in").click()
        self.heading("Today")

    def sign_out(self) -> None:
        self.page.locator("details.me summary").click()
        self.page.get_by_role("button", name="Sign out").click()
        self.page.get_by_label("Sign-in name").wait_for()

    # --- people ---

    def give(self, handle: str) -> None:
        """Give a person the badge and the PIN, as an administrator."""
        person = self.casino.people[handle]
        self.device.open(f"/people/{handle}")
        self.page.get_by_label("New badge").fill(person.badge)
        self.page.get_by_role("button", name="Set the badge").click()
        expect(self.page.get_by_text("The badge is set.")).to_be_visible()
        self.page.get_by_label("New PIN").fill(person.pin)
        self.page.get_by_role("button", name="Set the PIN").click()
        expect(self.page.get_by_text("The PIN is set.")).to_be_visible()

    def link(self, handle: str) -> str:
        """Make the one-time link by which a person sets a password."""
        self.device.open(f"/people/{handle}")
        self.page.get_by_role("button", name="Make a link").click()
        return self.page.locator(".note .code").inner_text()

    # --- labels ---

    def reserve(self, prefix: str, count: int, form: str = "png") -> Path:
        """Reserve codes and return the file of their labels."""
        self.device.open("/labels")
        part = self._form("Reserve and make labels")
        part.get_by_label("Kind").select_option(prefix)
        part.get_by_label("How many").fill(str(count))
        return self._made(part, form, "Reserve and make labels")

    def print(self, codes: list[str], form: str = "png") -> Path:
        """Print labels for what is known, and return their file."""
        self.device.open("/labels")
        part = self._form("Make labels")
        part.get_by_label("Codes").fill("\n".join(codes))
        return self._made(part, form, "Make labels")

    def read(self, picture: Path, mime: str = "image/png") -> list[str]:
        """Upload a picture to the photo page and return the codes that were found, from the top."""
        self.device.open("/photo")
        upload = {"name": "label.png", "mimeType": mime, "buffer": picture.read_bytes()}
        self.page.get_by_label("Picture").set_input_files(upload)  # type: ignore[arg-type]
        self.page.get_by_role("button", name="Read").click()
        expect(self.page.locator("#h-found")).to_be_visible()
        return self.page.locator("tbody .code").all_inner_texts()

    def _form(self, button: str) -> Locator:
        named = self.page.get_by_role("button", name=button, exact=True)
        return self.page.locator("form", has=named)

    def _made(self, part: Locator, form: str, button: str) -> Path:
        part.get_by_label("File").select_option(form)
        with self.page.expect_download() as waiting:
            part.get_by_role("button", name=button, exact=True).click()
        return waiting.value.path()

    # --- an item's life ---

    def life(self, code: str) -> list[dict[str, Any]]:
        """Return what the page of an item says of each of its events, the first event first."""
        self.device.open(f"/items/{code}")
        self.heading(code)
        told = self.page.locator("ol.life > li").evaluate_all(
            """(rows) => rows.map((row) => ({
              step: row.querySelector(".what").textContent,
              place: row.querySelector(".line span:nth-child(2):not(.pill)")?.textContent ?? "",
              who: [...row.querySelectorAll(".who b")].map((one) => one.textContent),
              clauses: [...row.querySelectorAll("a.clause")].map((one) => one.textContent),
              facts: Object.fromEntries([...row.querySelectorAll("dt")].map(
                (one) => [one.textContent, one.nextElementSibling.textContent])),
              pills: [...row.querySelectorAll(".pill")].map((one) => one.textContent),
            }))"""
        )
        return list(reversed(told))

    def heading(self, text: str) -> None:
        expect(self.page.locator("h1")).to_contain_text(text)
