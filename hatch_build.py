"""The build hook: a wheel and an editable install carry ``static/vendor`` and ``static/built``."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class StaticFiles(BuildHookInterface[Any]):
    """Make the static files before the wheel is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run the build; `version` is ``standard`` or ``editable``."""
        sys.path.insert(0, self.root)
        from custody_build import build

        build(Path(self.root))
