"""Let nobody past who may not: sessions, rights, and forms that come from elsewhere.

Every blueprint of the desk is made by `desk_blueprint`, which checks the session and the form on
each request; every view wears `require(right)` or `open_to_all`. A view without either is refused
(and tests/routes/test_rights.py finds it).
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar
from urllib.parse import urlsplit

from flask import Blueprint, Response, current_app, g, request, url_for
from werkzeug.exceptions import Forbidden
from werkzeug.wrappers import Response as AnyResponse

from custody.routes import context, render, sessions, words

COOKIE = "custody_desk"
LANGUAGE_COOKIE = "custody_language"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
View = TypeVar("View", bound=Callable[..., Any])


class CrossSiteError(Forbidden):
    """A form that another site sent, or whose token is not this session's."""


def desk_blueprint(name: str, import_name: str, prefix: str = "") -> Blueprint:
    """Make a blueprint of desk pages.

    Each request is met with its session, its language and its form's check.
    """
    blueprint = Blueprint(name, import_name, url_prefix=prefix)
    blueprint.before_request(_meet)
    blueprint.after_request(_hand_cookie)
    return blueprint


def require(right: str) -> Callable[[View], View]:
    """Open a view only to people with a right.

    Others get 403, and those not signed in the sign-in page.
    """

    def wrap(view: View) -> View:
        @wraps(view)
        def guarded(*args: object, **values: object) -> Any:
            if context.caller() is None:
                return sign_in_first()
            if not context.may(right):
                raise Forbidden
            return view(*args, **values)

        guarded.right = right  # type: ignore[attr-defined]  # read by _meet and by the tests
        return guarded  # type: ignore[return-value]

    return wrap


def open_to_all(view: View) -> View:
    """Mark a view that anyone may reach: signing in, and what leads there."""
    view.right = None  # type: ignore[attr-defined]
    return view


def sign_in_first() -> Response:
    """Send the browser to the sign-in page, and from there back to the page that was asked for."""
    wanted = (
        request.full_path.rstrip("?")
        if request.method == "GET" and not render.wants_part()
        else None
    )
    return render.see_other("signin.show", next=wanted)


def form_token() -> str:
    """Return the token that this browser's forms must carry.

    It follows from the cookie, so nothing is stored.
    """
    return _token_of(cookie())


def _token_of(cookie: str) -> str:
    return hashlib.sha256(b"custody form\n" + cookie.encode()).hexdigest()


def cookie() -> str:
    """Return this browser's cookie, as it was sent or as it is handed out with this answer."""
    if "desk_cookie" not in g:
        g.desk_cookie = request.cookies.get(COOKIE) or fresh_cookie()
    return str(g.desk_cookie)


def fresh_cookie() -> str:
    """Give this browser a new cookie, at sign-in and sign-out.

    So that a planted one is worth nothing.
    """
    g.desk_cookie = secrets.token_urlsafe(32)
    g.hand_cookie = True
    return str(g.desk_cookie)


def _meet() -> AnyResponse | None:
    view = current_app.view_functions.get(request.endpoint or "")
    if not hasattr(view, "right"):
        raise Forbidden
    g.caller = sessions.caller_of(cookie())
    g.language = _language()
    if request.method not in SAFE_METHODS:
        _check_form()
    return None


def recognise() -> None:
    """Know who asks, and in which language, at an address that is no page of the desk."""
    if "caller" not in g:
        g.caller = sessions.caller_of(cookie())
        g.language = _language()


def _language() -> str:
    told = request.cookies.get(LANGUAGE_COOKIE)
    if told in words.LANGUAGES:
        return str(told)
    known = context.caller()
    if known is not None and known.language in words.LANGUAGES:
        return known.language
    return request.accept_languages.best_match(words.LANGUAGES) or "en"


def own_address(wanted: str) -> str:
    """Return an address of this site, path and query; "" for what is another site's."""
    parts = urlsplit(wanted)
    inner = parts.path.startswith("/") and not parts.path.startswith(("//", "/\\"))
    if parts.scheme or parts.netloc or not inner:
        return ""
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _check_form() -> None:
    if not _same_site():
        raise CrossSiteError
    given = request.form.get("form_token", "")
    if not hmac.compare_digest(given.encode(), form_token().encode()):
        raise CrossSiteError


def _same_site() -> bool:
    """Ask the browser itself. Every browser says one of the two when it posts a form: who says
    neither is a program, which nobody can lead here from another site, and its token decides.
    """
    told = request.headers.get("Sec-Fetch-Site")
    if told is not None:
        return told == "same-origin"
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.host


def _hand_cookie(answer: Response) -> Response:
    if g.get("hand_cookie"):
        answer.set_cookie(
            COOKIE,
            g.desk_cookie,
            httponly=True,
            secure=request.is_secure,
            samesite="Strict",
            path=url_for("today.show"),
        )
    return answer
