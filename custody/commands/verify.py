"""`custody verify`: re-check everything that can be re-derived."""

from __future__ import annotations

from pathlib import Path

import click

from custody.commands.common import config_of, ledger_options, telling_errors
from custody.ledger import exporting, verifying
from custody.ledger.core import Ledger, open_ledger
from custody.verify import export
from custody.verify.__main__ import summary


@click.command("verify")
@ledger_options
@click.option(
    "--checkpoint",
    "checkpoints",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A signed checkpoint that you kept; may be given again.",
)
@telling_errors
def command(data: str | None, database: str | None, checkpoints: tuple[Path, ...]) -> None:
    """Check chains, signatures, the tree and the projections. Ends with 1 at any fault.

    Forks and exceptions are facts, not faults.
    """
    ledger = open_ledger(config_of(data, database))
    try:
        sound = _verify(ledger, [path.read_text() for path in checkpoints])
    finally:
        ledger.close()
    if not sound:
        raise SystemExit(1)


def _verify(ledger: Ledger, notes: list[str]) -> bool:
    damaged = verifying.file_fault(ledger)
    if damaged:  # what is read from such a file may be anything
        click.echo(f"WRONG {damaged}")
        return False
    faults, report = _check(ledger, notes)
    for fault in faults:
        click.echo(f"WRONG {fault}")
    click.echo(summary(report) if not faults or not report.is_sound else f"{len(faults)} faults")
    return report.is_sound and not faults


def faults_of(ledger: Ledger) -> list[str]:
    """Return what `custody verify` would tell of a ledger, which is left exactly as it is."""
    faults, report = _check(ledger, [], sign=False)
    return faults + [f"{where}: {what}" for where, what in report.faults]


def _check(
    ledger: Ledger, notes: list[str], *, sign: bool = True
) -> tuple[list[str], export.Report]:
    faults = list(verifying.key_faults(ledger))
    report = export.check(
        lambda: exporting.records(ledger, sign=sign),
        ledger.log.all_verifiers(),
        notes,
        progress=_progress,
    )
    if not faults and report.is_sound:
        fault = verifying.projection_fault(ledger)
        faults += [fault] if fault else []
    return faults, report


def _progress(events: int) -> None:
    click.echo(f"{events} events", err=True)
