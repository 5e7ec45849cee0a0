"""`python -m custody.verify`: check an export file, and receipts, on any machine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from custody.verify import export, notes, receipts


def main(arguments: list[str] | None = None) -> int:
    """Return 0 when all holds, 1 when something does not, 2 when it cannot be read."""
    given = _parser().parse_args(arguments)
    try:
        return _run(given)
    except (OSError, ValueError, notes.NoteError, receipts.ReceiptError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, OSError | ValueError) else 1


def _run(given: argparse.Namespace) -> int:
    trusted = _verifiers(given.verifier)
    for path in given.receipt:
        proven = receipts.check(path.read_text(encoding="utf-8"), [notes.key(v) for v in trusted])
        print(f"{path}: event {proven.event_id} is at position {proven.position}")
    if given.export is None:
        return 0
    kept = [path.read_text(encoding="utf-8") for path in given.checkpoint]
    report = export.check(lambda: export.read(given.export), trusted, kept)
    print(summary(report))
    return 0 if report.is_sound else 1


def summary(report: export.Report) -> str:
    """Return a report in words, a line each: the counts, the checkpoints that hold, the faults."""
    lines = [
        f"{report.events} events of {report.devices} device runs, {report.unreadable} unreadable, "
        f"{report.forks} forks; {report.signatures} signatures hold",
        *(f"checkpoint holds: {name}" for name in report.checkpoints or ["none"]),
        f"root over all events: {report.root}; {report.events - report.covered} not yet signed for",
        *(f"WRONG {where}: {what}" for where, what in report.faults),
    ]
    if report.fault_count > len(report.faults):
        lines.append(f"WRONG and {report.fault_count - len(report.faults)} more")
    return "\n".join([*lines, "all holds" if report.is_sound else f"{report.fault_count} faults"])


def _verifiers(path: Path | None) -> list[str]:
    return path.read_text(encoding="utf-8").split() if path else []


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="custody.verify", description=__doc__)
    parser.add_argument("export", nargs="?", type=Path, help="what `custody export events` wrote")
    parser.add_argument("--verifier", type=Path, help="the log's verifier strings, one a line")
    parser.add_argument("--checkpoint", type=Path, action="append", default=[])
    parser.add_argument("--receipt", type=Path, action="append", default=[])
    return parser


if __name__ == "__main__":
    sys.exit(main())
