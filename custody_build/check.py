"""``python -m custody_build.check``: check the types of the JavaScript code with tsc."""

import sys
from pathlib import Path

from custody_build.node import BuildError, install, node

if __name__ == "__main__":
    root = Path(__file__).parents[1]
    try:
        install(root, development=True)
        node("node_modules/typescript/bin/tsc", "--project", ".", cwd=root)
    except BuildError as error:
        sys.exit(str(error))
