"""Dependencies point inward: no layer imports what lies outside of it (docs/architecture.md)."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ALLOWED = {
    "rules": {"rules"},
    "rulebooks": {"rulebooks", "rules"},
    "documents": {"documents", "rules", "rulebooks"},
    "verify": {"verify"},
    "ledger": {"ledger", "rules", "rulebooks", "documents"},
    "sync": {"sync", "ledger", "documents", "rules", "rulebooks"},
    "routes": {"routes", "ledger", "documents", "rules", "rulebooks"},
}
SHARED = {"config", "assets", "security_headers", "__version__"}


def imported(path: Path) -> set[str]:
    """Return the parts of custody that a file imports, wherever in it the import stands."""
    package = list(path.relative_to(ROOT).with_suffix("").parts[:-1])
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("custody.")}
    return found


@pytest.mark.parametrize("layer", sorted(ALLOWED))
def test_a_layer_imports_nothing_outside_of_it(layer: str) -> None:
    outward = {
        str(path.relative_to(ROOT)): sorted(found)
        for path in (ROOT / "custody" / layer).rglob("*.py")
        if (found := imported(path) - ALLOWED[layer] - SHARED)
    }
    assert not outward


def test_the_rules_import_nothing_but_themselves_and_what_micropython_has() -> None:
    allowed = {"json", "typing", "custody"}
    for path in (ROOT / "custody" / "rules").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            assert {name.split(".")[0] for name in names} <= allowed, path


def test_the_verifier_shares_nothing_with_what_it_verifies() -> None:
    for path in (ROOT / "custody" / "verify").rglob("*.py"):
        assert imported(path) <= {"verify"}, path
