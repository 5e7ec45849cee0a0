"""Signing in and out at a desk, and setting a password by a one-time link."""

from typing import Any

from flask import Response, request, url_for

from custody.ledger import accounts
from custody.ledger.accounts import TooManyTries
from custody.ledger.credentials import PASSWORD_LENGTH
from custody.ledger.errors import CodeRefused, CredentialRefused
from custody.routes import context, guard, render, times
from custody.routes.words import words

blueprint = guard.desk_blueprint("signin", __name__)


@blueprint.get("/sign-in")
@guard.open_to_all
def show() -> Response:
    """Show the sign-in page; who is signed in already goes on."""
    if context.caller() is not None:
        return render.go(_onward())
    return _page(ended=bool(request.args.get("next")))


@blueprint.post("/sign-in")
@guard.open_to_all
def enter() -> Response:
    """Sign a person in, with a new cookie; a wrong pair is 422, too many tries 429."""
    user, password = request.form.get("user", "").strip(), request.form.get("password", "")
    opened = context.ledger()
    try:
        person = accounts.authenticate(opened, user, password, request.remote_addr or "")
    except TooManyTries as error:
        left = times.span(error.until - opened.clock() + 59_999)
        return _page(429, user, words("signin.wait"), words("signin.wait_text", span=left))
    if person is None:
        return _page(422, user, words("signin.wrong"), words("signin.wrong_text"))
    _open(user)
    return render.go(_onward())


@blueprint.post("/sign-out")
@guard.open_to_all
def out() -> Response:
    """End the session and give the browser a cookie that stands for nobody."""
    accounts.end_session(context.ledger(), guard.cookie())
    guard.fresh_cookie()
    return render.see_other("signin.show")


@blueprint.get("/welcome/<secret>")
@guard.open_to_all
def welcome(secret: str) -> Response:
    """Show the form by which a one-time link sets a password."""
    try:
        user = accounts.user_of_link(context.ledger(), secret)
    except CodeRefused:
        return render.page("signin/welcome.html", status=404, user=None, wrong={})
    return render.page("signin/welcome.html", user=user, wrong={})


@blueprint.post("/welcome/<secret>")
@guard.open_to_all
def set_password(secret: str) -> Response:
    """Set the password and sign in; a mistake is 422 and leaves the link good."""
    password, again = request.form.get("password", ""), request.form.get("again", "")
    opened = context.ledger()
    try:
        user = accounts.user_of_link(opened, secret)
        wrong = _wrong(password, again)
        if wrong:
            return render.page("signin/welcome.html", status=422, user=user, wrong=wrong)
        accounts.spend_link(opened, secret, password)
    except CodeRefused:
        return render.page("signin/welcome.html", status=404, user=None, wrong={})
    except CredentialRefused as error:
        told = {"password": str(error)}
        return render.page("signin/welcome.html", status=422, user=user, wrong=told)
    _open(user)
    return render.see_other("today.show")


def _wrong(password: str, again: str) -> dict[str, str]:
    if len(password) < PASSWORD_LENGTH:
        return {"password": words("welcome.short", n=len(password))}
    return {} if password == again else {"again": words("welcome.differ")}


def _open(user: str) -> None:
    accounts.open_session(context.ledger(), user, guard.fresh_cookie())


def _page(
    status: int = 200, user: str = "", wrong: str = "", text: str = "", ended: bool = False
) -> Response:
    told: dict[str, Any] = {"user": user, "wrong": wrong, "wrong_text": text, "ended": ended}
    return render.page(
        "signin/show.html", status=status, next=request.values.get("next", ""), **told
    )


def _onward() -> str:
    """Return the page of this site that was asked for before signing in; never another site's."""
    return guard.own_address(request.values.get("next", "")) or url_for("today.show")
