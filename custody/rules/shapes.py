"""The type of everything that comes from JSON. MicroPython has no typing and reads no annotations."""

try:
    from typing import Any

    Json = dict[str, Any]
except ImportError:
    Any = object  # type: ignore[assignment,misc]
    Json = dict  # type: ignore[misc]
