"""`custody clauses`: every core clause, how it is met, and its tests."""

from __future__ import annotations

import click

from custody.rulebooks import coverage, coverage_table

FORMATS = {
    "table": coverage_table.as_table,
    "csv": coverage_table.as_csv,
    "json": coverage_table.as_json,
}
UNMET = ("missing", "untried")


@click.command("clauses")
@click.option("--format", "form", type=click.Choice([*FORMATS]), default="table", show_default=True)
@click.option("--all", "everything", is_flag=True, help="Adjacent and out-of-scope clauses too.")
def command(form: str, everything: bool) -> None:
    """Print every core clause: how it is met, the rulebook entry, its tests and scenarios.

    Ends with 1 when a core clause has no entry, or nothing that tries it.
    """
    rows = coverage.rows(None if everything else coverage.CORE)
    click.echo(FORMATS[form](rows).rstrip("\n"))
    unmet = [row for row in rows if row.status in UNMET and row.clause["scope"] == coverage.CORE]
    core = [row for row in rows if row.clause["scope"] == coverage.CORE]
    by_way = ", ".join(f"{way} {count}" for way, count in coverage_table.summary(core).items())
    click.echo(f"{len(core) - len(unmet)} of {len(core)} core clauses met; {by_way}", err=True)
    if unmet:
        raise SystemExit(1)
