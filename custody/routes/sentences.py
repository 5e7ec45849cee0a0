"""Sentences about rules: why a step is refused, what an exception means, what would be right.

They come from the rules' catalogue, the very one that the handheld shows.
"""

from typing import Any

from custody.routes import vocabulary, words


def warning(one: dict[str, Any]) -> str:
    """Write what was odd about a code that was read."""
    return str(one["code"])


def reason(one: dict[str, Any]) -> dict[str, Any]:
    """Write a reason of the rules: `{"text", "fix", "clause"}`."""
    return {"text": str(one["code"]), "fix": "", "clause": one.get("clause")}


def exception(one: dict[str, Any]) -> str:
    """Write what is wrong, in a sentence."""
    return vocabulary.word("exception", one["kind"])


def fix(one: dict[str, Any]) -> str:
    """Write what would be right; "" where the sentence says it already."""
    return ""


def clause_name(id_: str) -> str:
    """Return a clause's id as it stands in sentences."""
    return words.words("words.clause") + " " + id_
