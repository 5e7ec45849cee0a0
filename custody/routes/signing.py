"""Who signs a step at a desk: the person signed in, and a second one with their own password."""

import re
from typing import Any

from flask import request, url_for

from custody.ledger import accounts
from custody.ledger.accounts import TooManyTries
from custody.routes import context, vocabulary
from custody.routes.words import words

Value = dict[str, Any]
RETURNS = re.compile(r"/(counts|coupons)/[A-Za-z0-9][A-Za-z0-9_?=&-]*")


def signers() -> tuple[list[Value], dict[str, str]]:
    """Return who signs, as the ledger takes it, and what is wrong with the second signature."""
    user, password = request.form.get("second", "").strip(), request.form.get("second_password", "")
    by = context.by_me()
    if not user:
        return by, {}
    try:
        person = accounts.authenticate(context.ledger(), user, password, request.remote_addr or "")
    except TooManyTries as error:
        return by, {"second": str(error)}
    if person is None:
        return by, {"second": words("signin.wrong")}
    if person == context.me().id:
        return by, {"second": words("steps.second_same")}
    return [*by, {"person": person, "how": "password"}], {}


def slot(one: Value) -> Value:
    """Make one line of who signs: the jobs that may, and whether this person fills it."""
    jobs = ", ".join(vocabulary.word("need", need) for need in one["need"])
    return {"jobs": jobs, "clause": one["clause"], "filled": one["filled_by"] is not None}


def onward(default: str) -> str:
    """Return the desk's page that a form was opened from, `/counts/12` or the like; never more than
    a path of this site.
    """
    wanted = request.values.get("back", "")
    return wanted if RETURNS.fullmatch(wanted) else default


def log_page(position: int) -> str:
    """Return the address of an event that was just recorded."""
    return url_for("log.event", position=position)
