"""What can be wrong with a rulebook."""

from __future__ import annotations


class RulebookError(ValueError):
    """A rulebook has a mistake. Attributes: `file`, `line` (0 where it is not known), `problem`."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        where = f"{file}, line {line}: " if line else f"{file}: " if file else ""
        super().__init__(f"{where}{problem}")
        self.file, self.line, self.problem = file, line, problem
