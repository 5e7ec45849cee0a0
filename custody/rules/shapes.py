"""The types of what comes from JSON. MicroPython has no typing and reads no annotations."""

try:
    from typing import Any as Any

    Json = dict[str, Any]
    Table = dict[Any, Any]
except ImportError:
    Any = object  # type: ignore[assignment,misc]
    Json = dict  # type: ignore[misc]
    Table = dict  # type: ignore[misc]
