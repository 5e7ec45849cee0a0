"""The list of the handheld's files, by which a device takes an update whole or not at all."""

import hashlib
import json
from fnmatch import fnmatch
from pathlib import Path

from custody_build.files import newer
from custody_build.vendor import AT_FIRST_USE

Entry = dict[str, str | int]

# What the handheld is made of, below custody/static; the rest is the desk's.
_HANDHELD = (
    "handheld/*",
    "handheld/**/*",
    "shared/*",
    "built/*",
    "vendor/*/*",
    "css/tokens.css",
    "css/handheld*",
)
_NO_PART = ("LICENSE", "package.json", "manifest.json", "*.d.ts", "*.d.mts", ".*")


def write(root: Path) -> list[Entry]:
    """Write ``built/manifest.json`` and return its files.

    ``{"version": hex, "files": [{"path": "/static/...", "sha256": hex, "bytes": n,
    "load": "install" | "use"}]}``, sorted by path; `version` is the SHA-256 of the lines
    ``<path> <sha256>``, so that any change of any file is a new version. What loads on `use`
    (the camera's reader) is kept once it was needed.
    """
    static = root / "custody" / "static"
    files = [_entry(static, path) for path in _parts(static)]
    lines = "".join(f"{file['path']} {file['sha256']}\n" for file in files)
    version = hashlib.sha256(lines.encode()).hexdigest()
    text = json.dumps({"version": version, "files": files}, indent=1)
    newer(static / "built" / "manifest.json", text.encode())
    return files


def _parts(static: Path) -> list[Path]:
    found = {path for pattern in _HANDHELD for path in static.glob(pattern) if path.is_file()}
    return sorted(p for p in found if not any(fnmatch(p.name, no) for no in _NO_PART))


def _entry(static: Path, path: Path) -> Entry:
    content = path.read_bytes()
    return {
        "path": f"/static/{path.relative_to(static).as_posix()}",
        "sha256": hashlib.sha256(content).hexdigest(),
        "bytes": len(content),
        "load": "use" if path.parent.name in AT_FIRST_USE else "install",
    }
