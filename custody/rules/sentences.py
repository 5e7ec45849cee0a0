"""Sentences from the one catalogue: a reason, a step or a field in the reader's language."""

from .shapes import Any, Json

FALLBACK = "en"


def render(catalogue: Json, lang: str, reason: Json) -> str:
    """Return the sentence of a reason, or of a mistake in a code: `{"code", "values"}`.

    `catalogue` is `rulebooks.loader.catalogue()`: texts by code and language. Values are said in
    the
    same language. A code without a sentence is a fault of ours: KeyError.
    """
    return fill(catalogue, lang, reason["code"], reason.get("values") or {})


def fix(catalogue: Json, lang: str, reason: Json) -> str:
    """Return what would make it right, "" where the sentence says it already."""
    key = "fix." + reason["code"]
    return fill(catalogue, lang, key, reason.get("values") or {}) if key in catalogue else ""


def exception(catalogue: Json, lang: str, raised: Json) -> str:
    """Return what an exception says: its kind, and for a broken rule the sentence of the reason."""
    title = word(catalogue, lang, "exception", raised["kind"])
    code = (raised.get("values") or {}).get("reason")
    if code not in catalogue:
        return title
    return title + ": " + fill(catalogue, lang, code, raised["values"])


def fill(catalogue: Json, lang: str, key: str, values: Json) -> str:
    """Return a text with `{name}` filled in from the values; one that is not given is an
    ellipsis.
    """
    parts = _text(catalogue[key], lang).split("{")
    out = parts[0]
    for part in parts[1:]:
        name, _, rest = part.partition("}")
        out += (said(catalogue, lang, values[name], name) if name in values else "…") + rest
    return out


def said(catalogue: Json, lang: str, value: Any, name: str = "") -> str:
    """Return a value as people read it: lists with commas, words of the vocabulary in their
    language.
    """
    if isinstance(value, list):
        return ", ".join([said(catalogue, lang, part, name) for part in value])
    if value is None:
        value = "none"
    if value is True or value is False:
        value = "yes" if value else "no"
    for group in _GROUPS_OF.get(name, _GROUPS):
        if group + "." + str(value) in catalogue:
            return word(catalogue, lang, group, str(value))
    return str(value)


# Where a value is looked up first: "open" is a step, a state of a table and a word.
_GROUPS = ("job", "state", "word", "place", "step", "field")
_GROUPS_OF = {
    "step": ("step",),
    "field": ("field",),
    "need": ("job",),
    "from": ("place",),
    "to": ("place",),
    "type": ("wants", "place", "word"),
    "types": ("place", "word"),
    "exception": ("exception",),
    "control": ("control",),
}


def word(catalogue: Json, lang: str, group: str, name: str) -> str:
    """Return a word of the vocabulary in a language: `word(c, "es", "step", "issue")`; itself
    where there is none.
    """
    texts = catalogue.get(group + "." + name)
    return name if texts is None else _text(texts, lang)


def _text(texts: Json, lang: str) -> str:
    return str(texts.get(lang) or texts[FALLBACK])
