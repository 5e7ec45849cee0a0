"""Answer with a page or with the part of it that htmx asked for.

htmx 4 says which in `HX-Request-Type` (htmx-flask 0.1 knows only htmx 2's headers, so that one is
read here; its `request.htmx` and `make_response` serve for the rest). One address has two bodies,
so every answer varies by it.
"""

from typing import Any

from flask import Response, redirect, render_template, url_for
from htmx_flask import make_response, request

PARTIAL = "partial"


def wants_part() -> bool:
    """Tell whether htmx asked for a part of a page, to put it into a target."""
    return bool(request.htmx) and request.headers.get("HX-Request-Type") == PARTIAL


def page(template: str, part: str | None = None, *, status: int = 200, **values: Any) -> Response:
    """Render `desk/<template>`, or `desk/<part>` where htmx asked for a part and there is one."""
    chosen = part if part and wants_part() else template
    answer = make_response(render_template(f"desk/{chosen}", **values), status)
    return _varied(answer)


def see_other(endpoint: str, **values: Any) -> Response:
    """Send the browser on after a write, with 303; under htmx by a whole navigation."""
    return go(url_for(endpoint, **values))


def go(address: str) -> Response:
    """Send the browser to an address of this site, with 303; under htmx by a whole navigation."""
    if wants_part():
        return _varied(make_response("", 200, redirect=address))
    return _varied(make_response(redirect(address, 303)))


def _varied(answer: Response) -> Response:
    answer.vary.add("HX-Request-Type")
    answer.headers.setdefault("Cache-Control", "no-store")
    return answer
