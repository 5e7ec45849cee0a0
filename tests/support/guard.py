"""What no page may do in any browser test: fail in silence, break the policy, leave the origin."""

import re
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request

# Chromium's own words for a request that could not be made while a test has cut the network.
_NO_NETWORK = re.compile(r"net::ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|CONNECTION_RESET)")
_REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => console.error(
  `content security policy: ${event.violatedDirective} blocked ${event.blockedURI}`));
"""
_INNER = ("data", "blob", "about", "chrome-extension", "devtools", "chrome")


class Guard:
    """Listens to every page of a context and keeps what went wrong."""

    def __init__(self, context: BrowserContext, origin: str):
        self.origin = origin
        self.problems: list[str] = []
        self.allowed: list[re.Pattern[str]] = []
        self.network_cut = False
        context.add_init_script(_REPORT_VIOLATIONS)
        context.on("request", self._request)
        context.on("console", self._console)
        context.on("weberror", lambda error: self._note(f"uncaught: {error.error}"))

    def allow(self, pattern: str) -> None:
        """Expect messages that match, such as a form's 422, which Chromium reports as an error."""
        self.allowed.append(re.compile(pattern))

    def check(self) -> None:
        """Fail with everything that was seen."""
        wrong = [text for text in self.problems if not any(p.search(text) for p in self.allowed)]
        assert not wrong, "the browser reported:\n" + "\n".join(wrong)

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in _INNER or f"{address.scheme}://{address.netloc}" == self.origin:
            return
        self.problems.append(f"a request left the origin {self.origin}: {request.url}")

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "assert"):
            where = message.location.get("url", "")
            self._note(f"console: {message.text} ({where})")

    def _note(self, text: str) -> None:
        if not (self.network_cut and _NO_NETWORK.search(text)):
            self.problems.append(text)


def watch(page: Page, origin: str) -> Guard:
    """Watch the context of a page that a test has opened itself."""
    return Guard(page.context, origin)
