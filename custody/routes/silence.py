"""Silence: when devices were not heard, and what went wrong with their clocks, queues and chains.

Who may read the log may read it; who works on exceptions follows the link from there.
"""

from typing import Any

from flask import Response, request

from custody.ledger.reading import silence
from custody.routes import (
    context,
    guard,
    paging,
    present,
    render,
    rights,
    sentences,
    times,
    versions,
)
from custody.routes.names import Names
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
    since = opened.clock() - days * DAY_MS
    found = silence.of(opened, since, hours * HOUR_MS, paging.cut("faults"))
    return render.page(
        "silence/show.html",
        "silence/_found.html",
        days=days,
        hours=hours,
        day_choices=[(n, words("silence.days", n=n)) for n in DAYS],
        hour_choices=[(n, times.span(n * HOUR_MS)) for n in HOURS],
        **_lists(found, names, running),
    )


def _lists(found: Value, names: Names, running: Value) -> Value:
    """Make the page's lists, each with a page of its own."""
    devices, of_devices = paging.listed(found["devices"], _by_silence, "devices")
    periods, of_periods = paging.listed(found["periods"], _by_time, "periods")
    runs, of_runs = paging.listed(found["runs"], _by_run, "runs")
    faults = found["faults"]
    return {
        "devices": [{**_device(one, names), "app": running.get(one["id"])} for one in devices],
        "periods": [_period(one, names) for one in periods],
        "runs": [{**one, "name": names.device(one["device"])} for one in runs],
        "faults": [_fault(one, names) for one in faults.rows],
        "of_devices": of_devices,
        "of_periods": of_periods,
        "of_runs": of_runs,
        "of_faults": paging.of(faults, found["raised"], "faults"),
    }


def _by_silence(one: Value) -> tuple[int, str]:
    return -one["away"], one["id"]


def _by_time(one: Value) -> tuple[int, str]:
    return -one["from"], one["device"]


def _by_run(one: Value) -> tuple[int, str, int]:
    return -one["at"], one["device"], one["run"]


def _chosen(name: str, choices: tuple[int, ...], usual: int) -> int:
    asked = request.args.get(name, "")
    return int(asked) if asked in map(str, choices) else usual


def _device(one: Value, names: Names) -> Value:
    return {**one, "name": names.device(one["id"]), "span": times.span(one["away"])}


def _period(one: Value, names: Names) -> Value:
    return {**one, "name": names.device(one["device"]), "span": times.span(one["ms"])}


def _fault(one: Value, names: Names) -> Value:
    return {**present.exception(one, names), "text": sentences.exception(one)}
