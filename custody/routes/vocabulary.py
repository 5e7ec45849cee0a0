"""The words of the field as the pages write them: steps, states, kinds, jobs, exceptions.

They come from the rules' catalogue of sentences, which the handheld shares. A word that it does
not have, such as a job that an operator's overlay added, is written as it stands in the rulebook.
"""

from custody.routes import words


def word(group: str, id_: object) -> str:
    """Return the word of a group (`step`, `state`, `kind`, ...) in the language of this answer.

    "" for none.
    """
    if id_ is None or id_ == "":
        return ""
    texts = words.catalogue().get(f"{group}.{id_}")
    if texts is None:
        return plain(str(id_))
    return texts.get(words.language(), texts["en"])


def plain(id_: str) -> str:
    """Write an identifier as a word: "end_of_day" -> "End of day"."""
    text = id_.replace("_", " ")
    return text[:1].upper() + text[1:]


def job(id_: str) -> str:
    """Return the word of a job."""
    return word("job", id_)
