"""The handheld's modules that need no browser, under Node's own test runner."""

from pathlib import Path

import pytest

from custody_build.node import node

FOLDER = Path(__file__).parent
FILES = sorted(path.name for path in FOLDER.glob("*.test.js"))


def test_there_are_tests_of_modules() -> None:
    assert "wedge.test.js" in FILES


@pytest.mark.parametrize("file", FILES)
def test_a_module_does_what_its_tests_say(file: str) -> None:
    told = node("--import", "./loader.mjs", "--test", f"./{file}", cwd=FOLDER)
    assert "fail 0" in told, told
    assert "pass 0" not in told, told
