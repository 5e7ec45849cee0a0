"""The stories of New York and the federal standards have the same verdicts, word for word, under
both interpreters.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from custody.rulebooks import loader
from custody.rules import portal
from custody.rules_host.micropython import Portal
from tests.rules.stories import files

STORIES = files("ny-*", "us542-*", "us543-*")


@pytest.fixture(scope="module")
def there() -> Iterator[Portal]:
    with Portal() as door:
        yield door


def here(name: str, given: dict[str, Any]) -> Any:
    return portal.FUNCTIONS[name](portal.known({}), given)


@pytest.mark.parametrize("path", STORIES, ids=lambda path: path.stem)
def test_a_story_is_the_same_under_micropython(path: Path, there: Portal) -> None:
    text = path.read_text("utf-8")
    scene = here("setting", {"text": text})["played"]
    book = loader.rulebook(scene["regime"])
    given = {"text": text, "rulebook": book, "site": loader.site(scene)}
    checks = here("rehearse", given)["played"]["checks"]
    assert checks
    assert all(check["ok"] for check in checks)
    assert there.call("rehearse", given)["played"]["checks"] == checks
