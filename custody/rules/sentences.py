"""Sentences from the one catalogue: a reason, a step or a field in the reader's language."""

from .shapes import Any, Json

FALLBACK = "en"


def render(catalogue: Json, lang: str, reason: Json) -> str:
    """Return the sentence of a reason, an exception or a mistake in a code.

    `catalogue` is `rulebooks.loader.catalogue()`; words among the values are said in the same
    language. A code without a sentence is a fault of ours: KeyError.
    """
    return fill(catalogue, lang, catalogue["sentence"][reason["code"]], reason.get("values") or {})


def fill(catalogue: Json, lang: str, texts: Json, values: Json) -> str:
    """Return a text with `{name}` filled in from the values."""
    out = texts.get(lang) or texts[FALLBACK]
    for name in values:
        mark = "{" + name + "}"
        if mark in out:
            out = out.replace(mark, said(catalogue, lang, values[name]))
    return out


def said(catalogue: Json, lang: str, value: Any) -> str:
    """Return a value as people read it: lists with commas, words of the vocabulary in their language."""
    if isinstance(value, list):
        return ", ".join([said(catalogue, lang, part) for part in value])
    if value is None:
        value = "none"
    if value is True or value is False:
        value = "yes" if value else "no"
    return label(catalogue, lang, str(value))


def label(catalogue: Json, lang: str, word: str) -> str:
    """Return a word of the vocabulary (step, field, state, job, purpose) in a language; "x+" is "x or above"."""
    if word[-1:] == "+":
        above = catalogue["word"]["or_above"]
        return (above.get(lang) or above[FALLBACK]).replace("{job}", label(catalogue, lang, word[:-1]))
    texts = catalogue["word"].get(word)
    return word if texts is None else texts.get(lang) or texts[FALLBACK]
