"""The sentence of an exception, as a push's answer carries it, from the rules' one catalogue."""

from __future__ import annotations

from typing import Any

from custody.rulebooks import loader

LANGUAGE = "en"
UNTOLD = ("reason", "tips")  # values that name another sentence, or nothing for people


class _Blank(dict[str, str]):
    """A value that did not come is left blank: the sentence matters more."""

    def __missing__(self, name: str) -> str:
        return "…"


def sentence(kind: str, values: dict[str, Any]) -> str:
    """Return what an exception says: the sentence of the reason overridden, or of its kind."""
    code = str(values.get("reason") or kind)
    shown = {name: _plain(value) for name, value in values.items() if name not in UNTOLD}
    texts = loader.catalogue().get("sentence", {}).get(code)
    if texts is not None:
        return str(texts[LANGUAGE]).format_map(_Blank(shown))
    told = ", ".join(f"{name}: {value}" for name, value in sorted(shown.items()))
    words = code.replace("-", " ").replace("_", " ")
    return f"{words} ({told})" if told else words


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_plain(one) for one in value)
    return str(value)
