"""The words of the field as the pages write them: steps, states, kinds, jobs, exceptions.

They come from the rules' catalogue, which the handheld shares. A word that it does not have, such
as a job that an operator's overlay added, is written as it stands in the rulebook.
"""

from custody.routes import words
from custody.rulebooks import loader

GROUPS = {"place_type": "place", "need": "job", "check": "line"}


def word(group: str, id_: object) -> str:
    """Return the word of a group (`step`, `state`, `kind`, ...) with a capital; "" for none."""
    if id_ is None or id_ == "":
        return ""
    texts = words.catalogue().get(f"{group}.{id_}") or _shared(group, str(id_))
    return _capital(texts.get(words.language(), texts["en"])) if texts else plain(str(id_))


def _shared(group: str, id_: str) -> dict[str, str] | None:
    known = loader.catalogue()
    return known.get(f"{GROUPS.get(group, group)}.{id_}") or known.get(f"word.{id_}")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def plain(id_: str) -> str:
    """Write an identifier as a word: "end_of_day" -> "End of day"."""
    return _capital(id_.replace("_", " ").replace("-", " "))


def job(id_: str) -> str:
    """Return the word of a job."""
    return word("job", id_)
