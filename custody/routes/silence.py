"""Silence: when devices were not heard, and what went wrong with their clocks, queues and chains.

Who may read the log may read it; who works on exceptions follows the link from there.
"""

from typing import Any

from flask import Response, request

from custody.ledger.reading import silence
from custody.routes import context, guard, present, render, rights, sentences, times, versions
from custody.routes.words import words

blueprint = guard.desk_blueprint("silence", __name__, "/silence")
Value = dict[str, Any]
DAY_MS, HOUR_MS = 86_400_000, 3_600_000
DAYS = (1, 7, 30)
HOURS = (1, 4, 12, 24)


@blueprint.get("")
@guard.require(rights.LOOK)
def show() -> Response:
    """Show the silences of some days, of at least so many hours, and the faults beside them."""
    days, hours = _chosen("days", DAYS, 7), _chosen("hours", HOURS, 4)
    opened, names = context.ledger(), context.names()
    running = versions.told(opened)
    found = silence.of(opened, opened.clock() - days * DAY_MS, hours * HOUR_MS)
    return render.page(
        "silence/show.html",
        "silence/_found.html",
        days=days,
        hours=hours,
        day_choices=[(n, words("silence.days", n=n)) for n in DAYS],
        hour_choices=[(n, times.span(n * HOUR_MS)) for n in HOURS],
        devices=[
            {**_device(one, names), "app": running.get(one["id"])} for one in found["devices"]
        ],
        periods=[_period(one, names) for one in found["periods"]],
        faults=[_fault(one, names) for one in found["faults"]],
        runs=[{**one, "name": names.device(one["device"])} for one in found["runs"]],
    )


def _chosen(name: str, choices: tuple[int, ...], usual: int) -> int:
    asked = request.args.get(name, "")
    return int(asked) if asked in map(str, choices) else usual


def _device(one: Value, names: present.Names) -> Value:
    return {**one, "name": names.device(one["id"]), "span": times.span(one["away"])}


def _period(one: Value, names: present.Names) -> Value:
    return {**one, "name": names.device(one["device"]), "span": times.span(one["ms"])}


def _fault(one: Value, names: present.Names) -> Value:
    return {**present.exception(one, names), "text": sentences.exception(one)}
