"""Codes that Custody issues: `PREFIX-DIGITS` and a check letter, as in `DS-0000031C`.

The alphabet has 19 letters, those whose key is the same on US, UK, French and German keyboards,
without O (it looks like 0). A prime number of symbols with weights that are powers of 2 modulo 19
(2 generates all 18 residues) gives the check its strength:

- one wrong character changes the sum by weight * difference, never 0 modulo 19;
- two swapped characters i, j change it by (w_i - w_j) * (a_i - a_j), never 0 within 18 places;
- a doubled or dropped character changes the length, which each prefix fixes.
"""

from .codes_errors import CodeNumberError, CodePrefixError

LETTERS = "BCDEFGHIJKLNPRSTUVX"
DIGITS = "0123456789"

# Prefix: kind, form, number of digits. A badge has enough digits that it cannot be guessed.
PREFIXES = (
    ("DS", "dice", "stick", 7),
    ("DK", "cards", "deck", 7),
    ("DB", "cards", "batch", 7),
    ("TS", "tiles", "set", 7),
    ("CP", "coupons", "lot", 7),
    ("EV", "envelope", "envelope", 7),
    ("CN", "envelope", "container", 7),
    ("BX", "box", "box", 7),
    ("CS", "case", "case", 7),
    ("SL", "seals", "lot", 7),
    ("FR", "form", "form", 7),
    ("DV", "device", "device", 7),
    ("PL", "place", "place", 7),
    ("BD", "badge", "badge", 20),
)

_LENGTH = {entry[0]: entry[3] for entry in PREFIXES}
LENGTHS = tuple({entry[3] + 4 for entry in PREFIXES})
_KIND = {entry[0]: entry[1] for entry in PREFIXES}


def prefix_for(kind: str, form: str) -> str:
    """The prefix of new codes for items of this kind and form, as in the vocabulary.

    Forms that share a life share a prefix: every tile set is `TS`, every form `FR`, every
    shaker, shoe and shuffler `DV`. Raises CodePrefixError for a kind that has none.
    """
    for prefix, of_kind, of_form, _ in PREFIXES:
        if of_kind == kind and of_form == form:
            return prefix
    shared = {"tiles": "TS", "form": "FR", "shaker": "DV", "shoe": "DV", "shuffler": "DV"}
    if kind in shared:
        return shared[kind]
    raise CodePrefixError(kind + " " + form, list(_LENGTH))


def kind_of(prefix: str) -> str:
    """What the prefix stands for: `dice`, `place`, `badge` ...; "" if it is none of ours."""
    return _KIND.get(prefix, "")


def make(prefix: str, number: int) -> str:
    """The code of this number: `make("DS", 31)` is `DS-0000031C`.

    Raises CodePrefixError for a prefix that Custody does not issue and CodeNumberError for a
    number that is negative or too long for the prefix.
    """
    if prefix not in _LENGTH:
        raise CodePrefixError(prefix, list(_LENGTH))
    width = _LENGTH[prefix]
    digits = str(number)
    if number < 0 or len(digits) > width:
        raise CodeNumberError(prefix, number, width)
    digits = "0" * (width - len(digits)) + digits
    return prefix + "-" + digits + check_letter(prefix, digits)


def check_letter(prefix: str, digits: str) -> str:
    """The letter that ends the code with this prefix and these digits."""
    total = 0
    weight = 1
    for character in prefix + digits:
        weight = weight * 2 % 19
        total += weight * _value(character)
    return LETTERS[-total % 19]


def check(code: str) -> bool:
    """Whether this is, to the last character, a code that Custody issues."""
    return has_shape(code) and code[-1] == check_letter(code[:2], code[3:-1])


def has_shape(code: str) -> bool:
    """Whether the code has the exact shape of its prefix: length, dash, digits, a last letter.

    A code with the shape but a wrong check letter was misread. A code without it is somebody
    else's (`EV-001`, `D5-001`), and nothing is known about how it should look.
    """
    width = _LENGTH.get(code[:2], -1)
    return (
        len(code) == width + 4
        and code[2] == "-"
        and only(code[3:-1], DIGITS)
        and code[-1] in LETTERS
    )


def number_of(code: str) -> int:
    """The number in a code of ours: 31 for `DS-0000031C`."""
    return int(code[3:-1])


def resembles(code: str) -> bool:
    """Whether the code starts as ours do: a known prefix, a dash, digits, perhaps a letter."""
    digits = code[3:-1] if code[-1:] in LETTERS else code[3:]
    return code[:2] in _LENGTH and code[2:3] == "-" and digits != "" and only(digits, DIGITS)


def only(text: str, alphabet: str) -> bool:
    """Whether the text has no character from outside the alphabet."""
    return all(character in alphabet for character in text)


def _value(character: str) -> int:
    if character in DIGITS:
        return DIGITS.index(character)
    return LETTERS.index(character)
