"""What holds for codes under CPython holds under MicroPython, test by test."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from custody.rules import codes
from custody.rules.codes_layout import garble
from custody.rules_host.micropython import Portal
from tests.support import micropython

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("module", "least"),
    [("test_codes.py", 14), ("test_codes_ranges.py", 21), ("test_codes_parse.py", 40)],
)
def test_every_test_of_codes_passes_under_micropython(module, least):
    ran, failed = micropython.failures(HERE / module)
    assert failed == []
    assert ran >= least


def spoilt(pick):
    """A code, a GS1 string or nonsense, framed and garbled as scanners do."""
    text = pick.choice(
        [
            codes.make(pick.choice(("DS", "EV", "PL", "BD")), pick.randrange(10**7)),
            f"]C10100012345678905{pick.choice(('10', '21', '17', '99'))}{pick.randrange(10**7)}",
            "".join(pick.choice("0123456789EV-DS()\x1d]C1 éà'é&è*~") for _ in range(12)),
            f"01000123456789{pick.randrange(10**8)}",
            str(pick.randrange(10**13)),
        ]
    )
    place = pick.randrange(len(text))
    text = pick.choice([text, text[:place] + text[place + 1 :], text.lower(), text * 2])
    scanner, host, caps = pick.choice(LAYOUTS)
    return pick.choice(["", "\x02", " "]) + garble(text, scanner, host, caps) + pick.choice(ENDS)


LAYOUTS = [("us", "us", ""), ("us", "fr", ""), ("de", "us", "lock"), ("fr", "de", "letters")]
ENDS = ["", "\r\n", "\t", "\x1d", "\x03"]


def test_both_interpreters_read_three_hundred_spoilt_scans_alike():
    pick = random.Random(128)
    with Portal() as portal:
        for _ in range(300):
            raw = spoilt(pick)
            for layout in (None, {"prefix": ["*"], "gs": "|", "typed": True}):
                there = portal.call("parse", {"raw": raw, "layout": layout})
                assert there == codes.parse(raw, layout), raw
