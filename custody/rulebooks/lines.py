"""Where in a rulebook's text an entry, and a word of it, stands."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from custody.rulebooks.errors import RulebookError

_HEADER = re.compile(r"^\s*\[(\[)?\s*([^\]]+?)\s*\]")


class Lines:
    """The lines of one file, by entry. `where` is `(part, index)`, `("control", name)` or None."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text.splitlines()
        self.blocks: dict[tuple[str, Any], range] = {}
        self._read()

    def _read(self) -> None:
        starts: list[tuple[int, tuple[str, Any]]] = []
        counted: dict[str, int] = {}
        for number, line in enumerate(self.text):
            header = _HEADER.match(line)
            if header is None:
                continue
            part = header.group(2)
            if header.group(1):
                starts.append((number, (part, counted.get(part, 0))))
                counted[part] = counted.get(part, 0) + 1
            else:
                first, _, rest = part.partition(".")
                starts.append((number, (first, rest)))
        ends = [number for number, _ in starts[1:]] + [len(self.text)]
        for (number, key), end in zip(starts, ends, strict=False):
            self.blocks[key] = range(number, end)

    def of(self, where: Any, word: str) -> int:
        """Return the line, counted from 1, of a word in an entry; the entry's first where it is
        not found.
        """
        block = self.blocks.get(where, range(len(self.text))) if where else range(len(self.text))
        whole = re.compile(rf"(?<![\w+-]){re.escape(word)}(?![\w+-]|\.\w)")
        for number in block:
            if whole.search(self.text[number].split("#")[0]):
                return number + 1
        return block.start + 1

    def first(self, where: Any) -> int:
        """Return the line, counted from 1, with which an entry begins."""
        return int(self.blocks[where].start) + 1

    def error(self, where: Any, problem: str, word: str) -> RulebookError:
        return RulebookError(self.name, self.of(where, word), f"{problem}.")

    def unknown(self, where: Any, problem: str, word: str, allowed: Iterable[str]) -> RulebookError:
        known = ", ".join(allowed)
        return self.error(where, f"{problem}; what may stand there is {known}", word)
