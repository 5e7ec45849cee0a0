"""What the build makes for the handheld, in a small tree of its own."""

import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from custody_build import BuildError, build, refresh
from custody_build.node import node
from custody_build.vendor import FILES, LEFT_OUT, content

ROOT = Path(__file__).parents[2]
PAGE = "<p>{{ name }}</p>{% include 'shared/_list.html' %}"
LIST = "<ul>{% for one in items %}<li>{{ one.code }}</li>{% else %}<li>none</li>{% endfor %}</ul>"
RENDER = """
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { templates } from "./custody/static/built/templates.js";
const script = "custody/static/vendor/nunjucks/nunjucks-slim.min.js";
runInThisContext(readFileSync(script, "utf8"));
const slim = globalThis.nunjucks;
const engine = new slim.Environment(new slim.PrecompiledLoader(templates), { autoescape: true });
const context = { name: "<b>", items: [{ code: "DS-1" }, { code: "DS-2" }] };
process.stdout.write(engine.render("handheld/page.html", context));
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout with one page, one rule and one script, and the real npm packages."""
    for name, text in {
        "custody/templates/handheld/page.html": PAGE,
        "custody/templates/shared/_list.html": LIST,
        "custody/templates/desk/page.html": "{{ desk alone }",
        "custody/rules/core.py": "def judge():\n    return 'ü'\n",
        "custody/static/handheld/main.js": "export const main = 1;\n",
        "custody/static/css/tokens.css": ":root {}\n",
        "custody/static/css/desk.css": "body {}\n",
        "custody/rulebooks/clauses.csv": "id,cite,requirement\nMD-1,COMAR 1,Lock it.\n",
        "custody/rulebooks/sentences.toml": '[refused.lock]\nen = "Lock it."\nes = "Ciérrelo."\n',
        "package-lock.json": (ROOT / "package-lock.json").read_text(),
        "package.json": (ROOT / "package.json").read_text(),
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (tmp_path / "node_modules").symlink_to(ROOT / "node_modules")
    build(tmp_path)
    return tmp_path


def manifest(tree: Path) -> dict[str, object]:
    found = json.loads((tree / "custody/static/built/manifest.json").read_text())
    assert isinstance(found, dict)
    return found


def write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")


CHANGES: dict[str, Callable[[Path], None]] = {
    "a template": lambda t: write(t / "custody/templates/shared/_list.html", "<p>new</p>"),
    "a rule": lambda t: write(t / "custody/rules/core.py", "def judge():\n    return 2\n"),
    "a new rule": lambda t: write(t / "custody/rules/clocks.py", "HOUR = 3_600_000\n"),
    "a script": lambda t: write(t / "custody/static/handheld/main.js", "export const main = 2;"),
    "a style": lambda t: write(t / "custody/static/css/tokens.css", ":root { color: red }"),
}


def test_compiled_templates_render_includes_loops_and_escape(tree: Path) -> None:
    (tree / "render.mjs").write_text(RENDER)
    assert node("render.mjs", cwd=tree) == "<p>&lt;b&gt;</p><ul><li>DS-1</li><li>DS-2</li></ul>"


def test_compiled_templates_need_no_code_from_text(tree: Path) -> None:
    text = (tree / "custody/static/built/templates.js").read_text()
    assert "handheld/page.html" in text
    assert "new Function" not in text
    assert "eval(" not in text


def test_the_desks_templates_are_left_out(tree: Path) -> None:
    assert "desk" not in (tree / "custody/static/built/templates.js").read_text()


def test_the_rules_are_bundled_by_path_beside_an_empty_package(tree: Path) -> None:
    rules = json.loads((tree / "custody/static/built/rules.json").read_text("utf-8"))
    assert rules == {
        "custody/__init__.py": "",
        "custody/rules/core.py": "def judge():\n    return 'ü'\n",
    }


def test_sentences_and_clauses_are_bundled_by_code_and_id(tree: Path) -> None:
    built = tree / "custody/static/built"
    sentences = json.loads((built / "sentences.json").read_text("utf-8"))
    assert sentences == {"refused.lock": {"en": "Lock it.", "es": "Ciérrelo."}}
    clauses = json.loads((built / "clauses.json").read_text("utf-8"))
    assert clauses == {"MD-1": {"cite": "COMAR 1", "text": "Lock it."}}


def test_the_manifest_lists_what_the_handheld_loads_with_its_hash(tree: Path) -> None:
    files = {file["path"]: file for file in manifest(tree)["files"]}  # type: ignore[attr-defined]
    for path, file in files.items():
        content = (tree / "custody" / path.removeprefix("/")).read_bytes()
        assert file["sha256"] == hashlib.sha256(content).hexdigest()
        assert file["bytes"] == len(content)
    assert {"/static/handheld/main.js", "/static/built/templates.js"} <= files.keys()
    assert "/static/css/tokens.css" in files
    assert "/static/css/desk.css" not in files
    assert not [path for path in files if path.endswith((".d.ts", "LICENSE", "package.json"))]


def test_the_cameras_reader_is_loaded_at_first_use(tree: Path) -> None:
    files = {file["path"]: file["load"] for file in manifest(tree)["files"]}  # type: ignore[attr-defined]
    late = {path for path, load in files.items() if load == "use"}
    assert late == {
        "/static/vendor/barcode-detector/ponyfill.js",
        "/static/vendor/barcode-detector/zxing-exported.js",
        "/static/vendor/zxing-wasm/zxing_reader.wasm",
    }


def test_every_file_that_gzip_makes_smaller_has_one_copy_and_old_copies_go(tree: Path) -> None:
    folder = tree / "custody/static/built/gz"
    before = {copy.name for copy in folder.iterdir()}
    sizes = {file["sha256"]: file["bytes"] for file in manifest(tree)["files"]}  # type: ignore[attr-defined]
    assert {name.removesuffix(".gz") for name in before} <= sizes.keys()
    large = {sha for sha, size in sizes.items() if size > 10_000}
    assert large <= {name.removesuffix(".gz") for name in before}
    CHANGES["a template"](tree)
    refresh(tree)
    after = {copy.name for copy in folder.iterdir()}
    assert len(before - after) == len(after - before) == 1


@pytest.mark.parametrize("what", CHANGES)
def test_any_change_makes_a_new_version(tree: Path, what: str) -> None:
    before = manifest(tree)["version"]
    refresh(tree)
    assert manifest(tree)["version"] == before
    CHANGES[what](tree)
    refresh(tree)
    assert manifest(tree)["version"] != before


def test_a_file_that_is_gone_leaves_the_manifest(tree: Path) -> None:
    (tree / "custody/static/handheld/main.js").unlink()
    refresh(tree)
    paths = [file["path"] for file in manifest(tree)["files"]]  # type: ignore[attr-defined]
    assert "/static/handheld/main.js" not in paths


def test_files_that_have_not_changed_are_not_written_again(tree: Path) -> None:
    built = tree / "custody/static/built"
    before = {path: path.stat().st_mtime_ns for path in built.rglob("*")}
    build(tree)
    assert {path: path.stat().st_mtime_ns for path in built.rglob("*")} == before


def test_a_template_that_cannot_be_compiled_is_named(tree: Path) -> None:
    write(tree / "custody/templates/handheld/page.html", "{% if open %}never closed")
    with pytest.raises(BuildError, match=r"handheld/page\.html"):
        refresh(tree)


def test_a_changed_template_is_compiled_within_two_seconds(tree: Path) -> None:
    CHANGES["a template"](tree)
    begun = time.monotonic()
    build(tree)
    assert time.monotonic() - begun < 2


def test_what_no_package_needs_any_more_leaves_the_vendor_folder(tree: Path) -> None:
    old = tree / "custody/static/vendor/htmx/old.js"
    old.write_text("gone")
    build(tree)
    assert not old.exists()
    assert all((tree / "custody/static/vendor" / name).is_file() for _, name in FILES)


def test_what_is_left_out_of_a_file_must_be_in_it_and_all_else_stays(tmp_path: Path) -> None:
    [source] = [one for one, name in FILES if name in LEFT_OUT]
    [(name, part)] = LEFT_OUT.items()
    given = (ROOT / "node_modules" / source).read_bytes()
    left = content(ROOT, source, name)
    assert part not in left
    assert len(left) == len(given) - len(part)
    other = tmp_path / "node_modules" / source
    other.parent.mkdir(parents=True)
    other.write_bytes(left)
    with pytest.raises(BuildError, match="does not hold once"):
        content(tmp_path, source, name)


def test_the_lock_file_names_no_host() -> None:
    text = (ROOT / "package-lock.json").read_text()
    assert "resolved" not in text
    assert "https://" not in "".join(line for line in text.splitlines() if "tarball" in line)
    packages = json.loads(text)["packages"]
    assert all("integrity" in entry for path, entry in packages.items() if path)


def test_everything_shipped_is_pinned_exactly() -> None:
    wanted = json.loads((ROOT / "package.json").read_text())
    for group in ("dependencies", "devDependencies"):
        assert not [v for v in wanted[group].values() if not v[0].isdigit()]
