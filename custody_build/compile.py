"""Templates and rules in the form that the handheld loads."""

import csv
import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

from custody_build.bare import bare
from custody_build.files import newer, under
from custody_build.node import node

# The folders of custody/templates whose files both engines, or Nunjucks alone, render.
TEMPLATES = ("handheld", "shared")


def templates(root: Path) -> None:
    """Write ``built/templates.js``, a module that exports `templates`: name to compiled template.

    Node is started only when a template has changed.
    """
    target = root / "custody" / "static" / "built" / "templates.js"
    base = root / "custody" / "templates"
    mark = f"// @ts-nocheck Made by the build from templates {_digest(base)}\n"
    if target.is_file() and target.read_text("utf-8").startswith(mark):
        return
    script = Path(__file__).with_name("precompile.mjs")
    folders = [name for name in TEMPLATES if (base / name).is_dir()]
    newer(target, (mark + node(str(script), str(base), *folders, cwd=root)).encode())


def rules(root: Path) -> None:
    """Write ``built/rules.json``: path to text of the rules core, for MicroPython's file system,
    without docstrings and comments, a third of what a handheld would download of it.

    ``custody/__init__.py`` is empty there: the package's own reads what MicroPython has not.
    """
    files = {"custody/__init__.py": ""}
    for path in under(root / "custody" / "rules", "*.py"):
        files[path.relative_to(root).as_posix()] = bare(path.read_text("utf-8"))
    text = json.dumps(files, ensure_ascii=False, indent=0, sort_keys=True)
    newer(root / "custody" / "static" / "built" / "rules.json", text.encode())


def sentences(root: Path) -> None:
    """Write ``built/sentences.json`` and ``built/clauses.json``: what the handheld says offline.

    The first is the catalogue, code to language to text, of every ``sentences*.toml``, its tables
    joined by dots; the second is `{"cite", "text"}` of each clause by its id.
    """
    rulebooks = root / "custody" / "rulebooks"
    texts: dict[str, Any] = {}
    for path in under(rulebooks, "sentences*.toml"):
        texts.update(_flat(tomllib.loads(path.read_text("utf-8"))))
    with (rulebooks / "clauses.csv").open(encoding="utf-8", newline="") as file:
        clauses = {
            row["id"]: {"cite": row["cite"], "text": row["requirement"]}
            for row in csv.DictReader(file)
        }
    for name, content in (("sentences", texts), ("clauses", clauses)):
        text = json.dumps(content, ensure_ascii=False, indent=0, sort_keys=True)
        newer(root / "custody" / "static" / "built" / f"{name}.json", text.encode())


def _flat(table: dict[str, Any], prefix: str = "") -> dict[str, dict[str, str]]:
    """Join the tables of a catalogue by dots; a table of texts, one a language, is a leaf."""
    if prefix and all(isinstance(value, str) for value in table.values()):
        return {prefix: table}
    found: dict[str, dict[str, str]] = {}
    for key, value in table.items():
        found.update(_flat(value, f"{prefix}.{key}" if prefix else key))
    return found


def _digest(base: Path) -> str:
    seen = hashlib.sha256()
    for folder in TEMPLATES:
        for path in under(base / folder, "*.html"):
            seen.update(f"{path.relative_to(base).as_posix()}\n".encode())
            seen.update(hashlib.sha256(path.read_bytes()).digest())
    return seen.hexdigest()
