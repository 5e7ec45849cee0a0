"""The static files that the build makes: whether they are there, and anew from a checkout."""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).with_name("static")
_CHECKOUT = Path(__file__).parents[1] / "custody_build"


class AssetsMissingError(Exception):
    """The handheld's files were never built, or cannot be built; the message says what helps."""


def ensure() -> None:
    """See to it that the handheld's files are there; in a checkout, that they are up to date.

    A wheel carries them. A checkout makes them again when a template, a rule or a script changed,
    which takes a moment. Raises AssetsMissingError.
    """
    if _CHECKOUT.is_dir():
        _build()
    elif not (STATIC / "built" / "manifest.json").is_file():
        raise AssetsMissingError(
            f"{STATIC} lacks the handheld's files; install Custody from a wheel, or with pip, "
            "which builds them"
        )


def _build() -> None:
    import custody_build  # beside the package in a checkout, and never in a wheel

    try:
        custody_build.build(_CHECKOUT.parent)
    except custody_build.BuildError as error:
        raise AssetsMissingError(f"the handheld's files cannot be built: {error}") from error
