"""Which files of the npm packages the app serves, and where they go."""

from pathlib import Path

from custody_build.node import BuildError

_MICROPYTHON = "@micropython/micropython-webassembly-pyscript"

# (below node_modules, below custody/static/vendor)
FILES = (
    ("htmx.org/dist/htmx.min.js", "htmx/htmx.min.js"),
    ("htmx.org/LICENSE", "htmx/LICENSE"),
    ("nunjucks/browser/nunjucks-slim.min.js", "nunjucks/nunjucks-slim.min.js"),
    ("nunjucks/LICENSE", "nunjucks/LICENSE"),
    (f"{_MICROPYTHON}/micropython.mjs", "micropython/micropython.mjs"),
    (f"{_MICROPYTHON}/micropython.wasm", "micropython/micropython.wasm"),
    (f"{_MICROPYTHON}/package.json", "micropython/package.json"),
    ("idb/build/index.js", "idb/index.js"),
    ("idb/LICENSE", "idb/LICENSE"),
    ("barcode-detector/dist/es/ponyfill.js", "barcode-detector/ponyfill.js"),
    ("barcode-detector/dist/es/zxing-exported.js", "barcode-detector/zxing-exported.js"),
    ("barcode-detector/LICENSE", "barcode-detector/LICENSE"),
    ("zxing-wasm/dist/reader/zxing_reader.wasm", "zxing-wasm/zxing_reader.wasm"),
    ("zxing-wasm/LICENSE", "zxing-wasm/LICENSE"),
)

# Types for the check of our own scripts, beside the module that they describe.
TYPES = (
    ("micropython.d.mts", "micropython/micropython.d.mts"),
    ("idb.d.ts", "idb/index.d.ts"),
    ("ponyfill.d.ts", "barcode-detector/ponyfill.d.ts"),
)

# What is left out of a package's file. MicroPython's loader looks every function that it calls up a
# second time, to check a table that it fills itself: a sixth of what a scan costs.
LEFT_OUT = {
    "micropython/micropython.mjs": (
        b"assert(wasmTable.get(funcPtr)==func,"
        b'"JavaScript-side Wasm function table mirror is out of date!"),'
    )
}

# Loaded when a camera is first used, and kept from then on: not part of the first download.
AT_FIRST_USE = frozenset({"barcode-detector", "zxing-wasm"})


def copy(root: Path) -> None:
    """Copy every file of `FILES` and `TYPES` that is missing or differs, and remove any other."""
    target = root / "custody" / "static" / "vendor"
    for source, name in FILES:
        _write(content(root, source, name), target / name)
    for source, name in TYPES:
        _write((Path(__file__).with_name("types") / source).read_bytes(), target / name)
    wanted = {target / name for _, name in FILES + TYPES}
    for old in target.rglob("*"):
        if old.is_file() and old not in wanted:
            old.unlink(missing_ok=True)


def content(root: Path, source: str, name: str) -> bytes:
    """Return what a file of `FILES` is served as.

    Raises BuildError where what is to be left out of it is not in it once: another version of the
    package, whose file somebody must look at.
    """
    given = (root / "node_modules" / source).read_bytes()
    part = LEFT_OUT.get(name)
    if part is None:
        return given
    if given.count(part) != 1:
        raise BuildError(f"{source} does not hold once what is left out of it: {part!r}")
    return given.replace(part, b"")


def _write(content: bytes, target: Path) -> None:
    if target.is_file() and target.read_bytes() == content:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
