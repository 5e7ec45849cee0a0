"""`custody export`: the ledger's contents as files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO

import click

from custody.commands.common import config_of, drafted, ledger_options, telling_errors
from custody.documents.epcis import document
from custody.documents.epcis.event import Struck, of_entry
from custody.documents.epcis.names import Namer
from custody.documents.errors import DocumentError
from custody.ledger import exporting
from custody.ledger.cache import Value
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.reading import records, serial_lots, whole_log
from custody.ledger.strict import dumps
from custody.routes import context, exports
from custody.routes.tables import TABLES, Wrong

EVENTS, EPCIS = "events", "epcis"
FORMATS = (exports.CSV, exports.XLSX, exports.JSONL, EPCIS)
ENDINGS = {f".{form}": form for form in FORMATS} | {".jsonld": EPCIS}
OPTIONS = {"from": "first", "to": "last"}  # by which the filters of tables are named
EVERY = 10_000
Write = Callable[[Ledger, IO[bytes]], str]


def filters(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each thing that may be asked of a table, as the desk's pages ask."""
    told = {
        "kind": "A kind, such as dice; of exceptions, a kind of exception.",
        "state": "A state of items and envelopes; of exceptions open, resolved or all.",
        "place": "The id of a place.",
        "design": "The GTIN of a design.",
        "device": "The id of a device.",
        "day": "A gaming day, such as 2026-12-01; today where not said.",
        "from": "The first gaming day.",
        "to": "The last gaming day.",
        "period": "A month, such as 2026-12; this one where not said.",
        "at": "A past instant of the site's clock, such as 2026-12-01T08:00.",
        "known": "With --at: as known `then`, or as known `now`.",
        "find": "A part of a seal's number.",
    }
    for option, text in reversed(told.items()):
        name = OPTIONS.get(option, option)
        command = click.option(f"--{option}", name, default="", metavar="TEXT", help=text)(command)
    return command


@click.command("export")
@click.argument("what", type=click.Choice(list(TABLES)), metavar="WHAT")
@ledger_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="As FILE ends where not said (.jsonld is epcis); jsonl where that says nothing.",
)
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="FILE")
@filters
@telling_errors
def command(
    what: str, data: str | None, database: str | None, format_: str | None, out: Path, **given: str
) -> None:
    """Write WHAT to a new file: the log, or a table as the desk has it.

    WHAT is one of events, items, on-hand, reconcile, counts, coupons, coupon-ledger, envelopes,
    seals, exceptions, destruction-log, people, devices, places, access and changes.

    Events as jsonl are the log with keys, signatures and exact bytes, for `python -m
    custody.verify`; as csv and xlsx a line to read for each event; as epcis a GS1 EPCIS 2.0
    document. All else is a table in csv, xlsx or jsonl. See docs/exports.md.
    """
    form = format_ or ENDINGS.get(out.suffix.lower(), exports.JSONL)
    write = _writer(what, form, {name: value for name, value in given.items() if value})
    if out.exists():
        raise click.ClickException(f"{out} is there already; name another file")
    ledger = open_ledger(config_of(data, database))
    try:
        with drafted(out) as draft, draft.open("wb") as file:
            done = write(ledger, file)
    except OSError as error:  # what a full disk says names no file
        raise OSError(error.errno, error.strerror, str(out)) from error
    except Wrong as error:
        raise click.UsageError(str(error)) from error
    except DocumentError as error:
        raise click.ClickException(str(error)) from error
    finally:
        ledger.close()
    click.echo(f"the {what} are in {out}{done}", err=True)


def _writer(what: str, form: str, given: dict[str, str]) -> Write:
    """Return what writes the file. A combination that makes no sense is a usage error."""
    if form == EPCIS and what != EVENTS:
        own = ", ".join((exports.CSV, exports.XLSX, exports.JSONL))
        raise click.UsageError(f"EPCIS is of events: ask for {what} as {own}.")
    if what != EVENTS or form in exports.MEDIA:
        _require_filters(what, given)
        return lambda ledger, file: _table(ledger, file, what, form, given)
    if given:
        raise click.UsageError(f"events as {form} are the whole log; leave out the filters.")
    return _epcis if form == EPCIS else _verifiable


def _require_filters(what: str, given: dict[str, str]) -> None:
    """Raise a usage error for an option that is none of a table's own."""
    named = {own: option for option, own in OPTIONS.items()}
    other = [named.get(name, name) for name in given if name not in TABLES[what].filters]
    if other:
        takes = [f"--{named.get(name, name)}" for name in TABLES[what].filters]
        shown = ", ".join(takes) or "no such options"
        raise click.UsageError(f"{what} cannot be asked for by --{other[0]}; it takes {shown}.")


def _table(ledger: Ledger, file: IO[bytes], what: str, form: str, given: dict[str, str]) -> str:
    with context.outside(ledger):
        return f": {exports.write(file, TABLES[what], form, given, _progress)} lines"


def _verifiable(ledger: Ledger, file: IO[bytes]) -> str:
    for record in _counting(exporting.records(ledger)):
        file.write(dumps(record).encode() + b"\n")
    return ""


def _epcis(ledger: Ledger, file: IO[bytes]) -> str:
    people, places = (records.every(ledger, of) for of in ("person", "place"))
    name, left_out = Namer(ledger.site, people, serial_lots.by_number(ledger)), 0

    def told() -> Iterator[Value]:
        nonlocal left_out
        for entry in _counting(whole_log.walk(ledger)):
            struck = entry["struck"] and Struck(entry["struck"]["id"], entry["struck"]["received"])
            found = of_entry(entry, name, struck, entry["raised"])
            left_out += not found
            yield from found

    number = document.write(file, ledger.site, ledger.clock(), places, told())
    return f": {number} EPCIS events; {left_out} of the log are about no object and left out"


def _counting(found: Iterable[Value]) -> Iterator[Value]:
    for number, one in enumerate(found, 1):
        _progress(number)
        yield one


def _progress(number: int) -> None:
    if number % EVERY == 0:
        click.echo(f"{number} lines", err=True)
