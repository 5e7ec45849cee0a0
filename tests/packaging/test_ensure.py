"""What a start does about static files that are missing or old."""

from pathlib import Path

import pytest

import custody_build
from custody import assets


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The static folder of an installation without a checkout."""
    monkeypatch.setattr(assets, "STATIC", tmp_path / "static")
    monkeypatch.setattr(assets, "_CHECKOUT", tmp_path / "no_checkout")
    return tmp_path / "static"


def test_an_installation_that_carries_the_files_starts(installed: Path) -> None:
    (installed / "built").mkdir(parents=True)
    (installed / "built" / "manifest.json").write_text("{}")
    assets.ensure()


def test_an_installation_without_them_says_what_helps(installed: Path) -> None:
    with pytest.raises(assets.AssetsMissingError, match="install Custody from a wheel"):
        assets.ensure()


def test_a_checkout_builds_what_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Path] = []
    monkeypatch.setattr(custody_build, "build", built.append)
    assets.ensure()
    assert built == [Path(assets.__file__).parents[1]]


def test_a_checkout_that_cannot_be_built_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Path) -> None:
        raise custody_build.BuildError("handheld/item.html: unexpected end of file")

    monkeypatch.setattr(custody_build, "build", fail)
    with pytest.raises(assets.AssetsMissingError, match=r"cannot be built: handheld/item\.html"):
        assets.ensure()
