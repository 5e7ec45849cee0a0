"""The sign-off of a gaming day as the reconciliation's page shows it, and signing it."""

from typing import Any

from custody.ledger import signing_off
from custody.ledger.errors import Refused
from custody.ledger.reading import forms, reconciling, signed_off
from custody.ledger.reading import unsigned as open_days
from custody.routes import context, present, rights, sentences, signing, upstream, vocabulary
from custody.rules import days

Value = dict[str, Any]
OPEN_SHOWN = 10  # open exceptions of the day that are named; how many there are is told besides


def sign(day: str, note: str) -> list[Value]:
    """Sign off a day as the person at this desk; return what is against it, with nothing signed."""
    try:
        signing_off.sign_off(context.ledger(), day, note, context.by_me())
    except Refused as error:
        return [sentences.reason(_said(one)) for one in error.reasons]
    return []


def _said(reason: Value) -> Value:
    """Let a reason say an amount in the reader's words."""
    values = reason["values"]
    if reason["code"] != signing_off.UNEXPLAINED:
        return reason
    kind = vocabulary.word("kind", values["kind"])
    return {**reason, "values": {**values, "kind": kind, "value": present.amount(values["value"])}}


def shown(day: str, kind: str, refused: Value) -> Value:
    """Return what the page says of a day's sign-off: `signed` (None while the day is open), `sign`
    (who may, None where nobody can now) and `open_of_day`.
    """
    opened, names = context.ledger(), context.names()
    signed = signed_off.of_day(opened, day, kind)
    if signed:
        events = [present.event(one, names) for one in signed["entries"]]
        who = ", ".join(names.person(one) for one in signed["by"])
        signed = {**signed, "who": who, "events": events}
    found, more = signed_off.open_of_day(opened, day)
    first = [{**one, "word": vocabulary.word("exception", one["kind"])} for one in found]
    open_ = {"rows": first[:OPEN_SHOWN], "n": len(found), "more": more}
    return {"signed": signed, "sign": _signing(day, refused), "open_of_day": open_}


def _signing(day: str, refused: Value) -> Value | None:
    """Who signs off the day, and whether the person at this desk may and the day is over."""
    if upstream.is_site_node():
        return None
    me, now = context.me().id, context.ledger().clock()
    asked = forms.of_draft(context.ledger(), {**signing_off.draft(day), "by": [me]})
    signers = [signing.slot(one) for one in asked["signers"]]
    may = context.may(rights.RECORD) and all(one["filled"] for one in signers)
    over = days.end(context.site()["book"], day) <= now
    return {"signers": signers, "cites": asked["cites"], "may": may, "over": over, **refused}


def unsigned() -> Value | None:
    """Return the days that are over and not signed off, None for who sees no stock, and at a site
    node, whose upstream signs them off.
    """
    if upstream.is_site_node() or not context.may(rights.STOCK):
        return None
    return open_days.of(context.ledger())


def terms(signed: Value | None, what: tuple[str, str], of: tuple[str | None, str | None]) -> Value:
    """Return the terms that were signed for a kind and a day, of a place and a design; {} while the
    day is open.
    """
    if signed is None:
        return {}
    found = reconciling.of_day(context.ledger(), *what, *of, before=signed["position"])
    return dict(found["terms"])
