"""The steps of the build, in order."""

from pathlib import Path

from custody_build import compile, compress, manifest, vendor
from custody_build.node import install


def build(root: Path, *, development: bool = False) -> None:
    """Install the npm packages, copy what the app serves and make what the handheld loads.

    Raises `BuildError` when Node, npm or the network fails.
    """
    install(root, development=development)
    vendor.copy(root)
    refresh(root)


def refresh(root: Path) -> None:
    """Make ``static/built`` anew from templates, rules and scripts, as far as they have changed."""
    compile.templates(root)
    compile.rules(root)
    compile.sentences(root)
    compress.write(root, manifest.write(root))
