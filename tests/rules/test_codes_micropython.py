"""What holds for codes under CPython holds under MicroPython, test by test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import micropython

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("module", "least"),
    [("test_codes.py", 14), ("test_codes_ranges.py", 18), ("test_codes_parse.py", 40)],
)
def test_every_test_of_codes_passes_under_micropython(module, least):
    ran, failed = micropython.failures(HERE / module)
    assert failed == []
    assert ran >= least
