"""Exact decimals: lengths in inches as strings, compared as whole millionths. No float touches a
measure.
"""

_PLACES = 6
_ONE = 1000000


class AmountError(ValueError):
    """The text is no decimal number with at most six places. Its argument is the text."""


def micro(text: str) -> int:
    """Return a decimal or a fraction as whole millionths: "0.7501" and ".7501", as a micrometer
    shows it, -> 750100, "1/4" -> 250000.

    Raises AmountError: for "", "1e3", "-1", ".", seven places, a fraction that is not exact.
    """
    if not isinstance(text, str):
        raise AmountError(text)
    if "/" in text:
        return _fraction(text)
    whole, point, rest = text.partition(".")
    if not _digits(whole + rest) or (point and not rest) or len(rest) > _PLACES:
        raise AmountError(text)
    return int(whole or "0") * _ONE + int(rest + "0" * (_PLACES - len(rest)))


def _fraction(text: str) -> int:
    top, _, bottom = text.partition("/")
    if not _digits(top) or not _digits(bottom) or int(bottom) == 0:
        raise AmountError(text)
    value, rest = divmod(int(top) * _ONE, int(bottom))
    if rest:
        raise AmountError(text)
    return value


def _digits(text: str) -> bool:
    return len(text) > 0 and all(character in "0123456789" for character in text)
