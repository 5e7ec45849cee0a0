"""The words of the desk's pages, from one catalogue, so that another language is one more column.

`words.toml`, and the `words_*.toml` beside it, hold `[section] key = {en = "..."}`; `{name}` in a
text is filled in. Sentences about rules, steps and states are not here: they are the rules' own
catalogue (`rulebooks/sentences.toml`), shared with the handheld.
"""

import tomllib
from functools import cache
from importlib.resources import files

from flask import g, has_request_context

LANGUAGES = ("en", "es")


class UnknownWordError(KeyError):
    """A template asked for a key that `words.toml` does not have. Its argument is the key."""


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Return every text by its dotted key: `{"today.title": {"en": "Today"}}`."""
    return {
        f"{name}.{key}": text
        for path in files("custody.routes").iterdir()
        if path.name.startswith("words") and path.name.endswith(".toml")
        for name, texts in tomllib.loads(path.read_text("utf-8")).items()
        for key, text in texts.items()
    }


def language() -> str:
    """Return the language of this answer: the person's own, else the browser's, else English."""
    return str(g.get("language", "en")) if has_request_context() else "en"


def words(key: str, **values: object) -> str:
    """Return the text of a key in the language of this answer, with its `{name}` filled in.

    Right: `words("today.soon", n=3)` -> "3 due soon". A count of one takes `key_one` where the
    catalogue has it. Raises UnknownWordError for a key that is not there: a missing text is a
    fault of ours, not a blank.
    """
    texts = catalogue()
    if values.get("n") == 1 and f"{key}_one" in texts:
        key = f"{key}_one"
    if key not in texts:
        raise UnknownWordError(key)
    return texts[key].get(language(), texts[key]["en"]).format(**values)
