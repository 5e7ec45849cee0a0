"""``python -m custody_build``: make ``static/vendor`` and ``static/built`` in this checkout."""

import sys
from pathlib import Path

from custody_build import BuildError, build

if __name__ == "__main__":
    try:
        build(Path(__file__).parents[1], development=True)
    except BuildError as error:
        sys.exit(f"custody_build: {error}")
