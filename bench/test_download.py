"""How much a handheld downloads, and how long a demonstration takes to make."""

import datetime
import gzip
import json
import time
from pathlib import Path

import pytest

from custody.demo import casino

STATIC = Path(casino.__file__).parents[1] / "static"
LARGEST_DOWNLOAD = 650_000  # bytes, compressed, of what the first visit needs
LONGEST_START = 15  # seconds


def compressed(path: str) -> int:
    return len(gzip.compress((STATIC.parent / path.removeprefix("/")).read_bytes(), 6))


def test_the_first_download_is_small(capsys: pytest.CaptureFixture[str]) -> None:
    files = json.loads((STATIC / "built" / "manifest.json").read_text())["files"]
    sizes = {f["path"]: (f["bytes"], compressed(f["path"]), f["load"]) for f in files}
    with capsys.disabled():
        for load in ("install", "use"):
            some = {p: s for p, s in sizes.items() if s[2] == load}
            total, small = (sum(size[n] for size in some.values()) for n in (0, 1))
            print(f"\nloaded at {load}: {len(some)} files, {total:,} bytes, {small:,} compressed")
            for path, (raw, gz, _) in sorted(some.items(), key=lambda item: -item[1][1])[:8]:
                print(f"  {gz:>9,} of {raw:>9,}  {path}")
    assert sum(gz for _, gz, load in sizes.values() if load == "install") < LARGEST_DOWNLOAD


def test_a_demonstration_is_soon_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begun = time.monotonic()
    casino.make(tmp_path / "demo", datetime.datetime.now(datetime.UTC), lambda _: None)
    took = time.monotonic() - begun
    with capsys.disabled():
        print(f"\na demonstration casino is made in {took:.1f} s")
    assert took < LONGEST_START
