"""The words that a rulebook may use. A mistake names file, line and what is allowed; nothing
half-loads.
"""

from __future__ import annotations

from typing import Any


class RulebookError(ValueError):
    """A rulebook has a mistake. Attributes: `file`, `line` (0 where it is not known), `problem`."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        where = f"{file}, line {line}: " if line else f"{file}: " if file else ""
        super().__init__(f"{where}{problem}")
        self.file, self.line, self.problem = file, line, problem


def check(name: str, text: str, book: dict[str, Any], vocabulary: dict[str, Any]) -> None:
    """Raise RulebookError for the first word that is not in the vocabulary."""
