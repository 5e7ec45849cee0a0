"""What a serving process keeps is bounded: its garbage and every memo."""

from __future__ import annotations

import ast
import gc
import socket
import subprocess
import sys
import weakref
from pathlib import Path
from types import SimpleNamespace

import custody
from custody import wire

ROOT = Path(custody.__file__).parent
# Of what says no size and takes arguments: what these can be at all.
FEW = {
    "custody/documents/fonts.py:raster": "the font, at the sizes of labels at 203 and 300 dpi",
    "custody/documents/fonts.py:registered": "the font",
    "custody/routes/handheld.py:_static": "names that stand in the code",
    "custody/rulebooks/loader.py:rulebook": "four regimes",
    "custody/rulebooks/zones.py:zone_table": "the zones of the time zone database",
}
_ANSWERING = """
import gc
from collections import deque
from custody import collecting

def itself():
    one = []
    one.append(one)
    return one

collecting.seldom()
answering, most = deque(maxlen=10), 0
for request in range(2_500):
    answering.append([itself() for _ in range(1_000)])
    if request % 20 == 0:
        most = max(most, len(gc.get_objects()))
print(most)
"""


_HOLES = """
import gc
from pathlib import Path
from custody import memory

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20

def itself(small, large):
    one = [small, large]
    one.append(one)

assert memory.bound()
gc.disable()  # as if no look was due yet
kept = []
for n in range(6_000):
    kept.append(bytearray(600))
    itself(kept[-1], bytearray(20_000))
most = resident()
memory.GivingBack().act()
print(most, resident())
"""


def _memos() -> dict[str, bool]:
    """Return each function that keeps its answers, and whether these are few for sure: it says how
    many at most, or takes no argument.
    """
    found: dict[str, bool] = {}
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for how in getattr(node, "decorator_list", ()):
                named = ast.unparse(how)
                if named.split("(")[0].split(".")[-1] in ("cache", "lru_cache"):
                    assert isinstance(node, ast.FunctionDef)
                    name = f"{path.relative_to(ROOT.parent).as_posix()}:{node.name}"
                    bounded = "maxsize=" in named and "None" not in named
                    found[name] = bounded or not ast.unparse(node.args)
    return found


def test_every_memo_is_bounded_or_can_be_asked_few_things_only() -> None:
    memos = _memos()
    assert len(memos) > len(FEW)
    assert {name for name, bounded in memos.items() if not bounded} == set(FEW)


def test_garbage_of_requests_that_overlap_is_not_kept_for_hours() -> None:
    """2.5 million objects, of which 10,000 are in use at a time."""
    done = subprocess.run([sys.executable, "-c", _ANSWERING], capture_output=True, text=True)
    assert int(done.stdout) < 160_000, done.stderr


def test_garbage_and_the_holes_that_it_leaves_between_what_stays_are_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", _HOLES], capture_output=True, text=True)
    most, left = map(int, done.stdout.split())
    assert most > 100, done.stderr
    assert left < most / 2


def test_a_connection_is_gone_once_it_is_closed_and_waits_for_no_look_for_garbage() -> None:
    mine, other = socket.socketpair()
    server = SimpleNamespace(peercreds_enabled=False, peercreds_resolve_enabled=False)
    gc.disable()
    try:
        connection = wire.Connection(server, mine)
        gone = weakref.ref(connection)
        connection.close()
        del connection
        assert gone() is None
    finally:
        gc.enable()
        mine.close()
        other.close()


def test_a_server_loads_no_driver_of_a_database_that_it_does_not_use() -> None:
    """PostgreSQL's takes 9 MB."""
    told = "import sys, custody.commands.serve; print('psycopg' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr
