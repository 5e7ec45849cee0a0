"""Destruction: what awaits it, what is held, what a vendor has, and the log of what is gone."""

import datetime
from typing import Any

from flask import Response, request

from custody.ledger.reading import ending
from custody.ledger.reading.ending import Asked
from custody.routes import (
    context,
    exports,
    guard,
    paging,
    present,
    render,
    rights,
    times,
    vocabulary,
)
from custody.routes.words import words
from custody.rules import codes, counts, days

blueprint = guard.desk_blueprint("destruction", __name__, "/destruction")
Value = dict[str, Any]
TONES = {"due": "bad", "soon": "warn", "running": "good"}
COLUMNS = (
    *("position", "day", "time", "step", "kind", "items", "sets", "pieces"),
    *("method", "place", "vendor", "certificate", "who", "note"),
)


@blueprint.get("")
@guard.require(rights.LOOK)
def index() -> Response:
    """Show what waits for its end and why what does not may not."""
    opened = context.ledger()
    rows = ending.awaiting(opened)
    shown, pages = paging.listed(rows, ending.urgency)
    return render.page(
        "destruction/index.html",
        awaiting=[_awaiting(one) for one in shown],
        paging=pages,
        late=sum(bool(one["due"] and one["due"]["status"] == "due") for one in rows),
        held=[_held(one) for one in ending.held(opened)],
        batches=[_batch(one) for one in ending.at_vendor(opened)],
    )


def _awaiting(row: Value) -> Value:
    item, due, now = row["item"], row["due"], context.ledger().clock()
    told: Value = {**item, "words": present.kind_words(item), "due": None}
    if due is not None:
        key = "due.left" if due["at"] > now else "due.over"
        left = words(key, span=times.span(due["at"] - now))
        told["due"] = {**due, "left": left, "tone": TONES[due["status"]]}
    return told


def _held(item: Value) -> Value:
    hold = item.get("hold") or {}
    reports = [one.get("form") for one in item.get("reports") or [] if isinstance(one, dict)]
    return {
        **item,
        "words": present.kind_words(item),
        "by_word": vocabulary.word("value", hold.get("by")),
        "since": item["times"].get("hold") or item["times"].get("hand_over"),
        "case": hold.get("case") or "",
        "reports": [vocabulary.word("value", one) for one in reports],
    }


def _batch(one: Value) -> Value:
    who = ", ".join(map(context.names().person, one["by"]))
    return {**one, "who": who, "codes": codes.compress(one["items"])}


@blueprint.get("/log")
@guard.require(rights.LOOK)
def log() -> Response:
    """Show the destruction log for some gaming days and a kind, page by page."""
    opened, asked = context.ledger(), _asked()
    choices = [(one, vocabulary.word("kind", one)) for one in ending.kinds(opened)]
    told: Value = {**asked._asdict(), "kinds": choices}
    wrong = _wrong(asked)
    if wrong:
        return _log(422, wrong=wrong, rows=[], paging=paging.none(), **told)
    found = ending.part(opened, asked, paging.cut())
    pages = paging.of(found, ending.count(opened, asked))
    return _log(200, wrong="", rows=[_line(one) for one in found.rows], paging=pages, **told)


def _log(status: int, **told: Any) -> Response:
    return render.page("destruction/log.html", "destruction/_log.html", status=status, **told)


@blueprint.get(f"/log.<{exports.FORMATS}:form>")
@guard.require(rights.LOOK)
def export(form: str) -> Response:
    """Answer with the whole destruction log that was asked for, not only the page in sight."""
    asked = _asked()
    wrong = _wrong(asked)
    if wrong:
        return _log(422, wrong=wrong, rows=[], paging=paging.none(), **asked._asdict(), kinds=[])
    lines = [_line(one) for one in ending.log(context.ledger(), asked)]
    about = [
        words("destruction.log"),
        words(
            "destruction.about",
            n=len(lines),
            first=asked.first or "…",
            last=asked.last or "…",
            kind=vocabulary.word("kind", asked.kind) or words("words.any"),
        ),
    ]
    header = [words(f"destruction.column_{name}") for name in COLUMNS]
    rows = [[line[name] for name in COLUMNS] for line in lines]
    return exports.answer("destruction-log", form, about, header, rows)


def _asked() -> Asked:
    return Asked(*(request.args.get(name, "").strip() for name in Asked._fields))


def _wrong(asked: Asked) -> str:
    for day in (asked.first, asked.last):
        if day and not _is_day(day):
            return words("reconcile.bad_day", day=day)
    backwards = asked.first and asked.last and asked.first > asked.last
    return words("destruction.backwards") if backwards else ""


def _is_day(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _line(one: Value) -> Value:
    """Make one line of the log, for the page and the file alike; pieces are single dice, decks,
    sets or coupons.
    """
    event = one["entry"]["event"] or {}
    given, names = event.get("with") or {}, context.names()
    shown = present.event(one["entry"], names)
    ordered = counts.kind_units(context.site()["book"], one["kind"])
    units = {unit: one["units"].get(unit, 0) for unit in ordered}
    return {
        **{"position": one["position"], "day": one["day"], "at": one["at"]},
        "time": times.written(one["at"], days.offset(context.site()["book"], one["at"])),
        "step": shown["step_word"],
        "kind": vocabulary.word("kind", one["kind"]),
        "codes": one["items"],
        "items": " ".join(codes.compress(one["items"])),
        "sets": units[ordered[0]],
        "pieces": units.get("dice", units[ordered[0]]),
        "amount": present.amount(units),
        "method": vocabulary.word("value", given.get("method")),
        "place": names.place(event.get("where") or one["place"]),
        "vendor": given.get("vendor") or "",
        "certificate": given.get("certificate") or "",
        "who": shown["who"],
        "people": shown["people"],
        "note": event.get("note") or "",
    }
