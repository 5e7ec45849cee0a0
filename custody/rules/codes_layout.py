"""Keyboards: what a scanner's key strokes become on a host that is set to another layout.

A keyboard-wedge scanner sends keys, not characters. When scanner and host are set to different
layouts, or caps lock is on, the text changes: `EV-004217` from a US scanner is `EV)àà'é&è` on a
French host. The letters of our own codes are at the same key everywhere, so such a text never
becomes another code of ours; what is found here is only ever reported, never looked up.
"""

# Each layout: the characters of the same 47 keys, without and with shift, from the key left of 1.
_KEYS = {
    "us": (
        "`1234567890-=qwertyuiop[]\\asdfghjkl;'zxcvbnm,./",
        '~!@#$%^&*()_+QWERTYUIOP{}|ASDFGHJKL:"ZXCVBNM<>?',
    ),
    "uk": (
        "`1234567890-=qwertyuiop[]#asdfghjkl;'zxcvbnm,./",
        '¬!"£$%^&*()_+QWERTYUIOP{}~ASDFGHJKL:@ZXCVBNM<>?',
    ),
    "fr": (
        "²&é\"'(-è_çà)=azertyuiop^$*qsdfghjklmùwxcvbn,;:!",
        "~1234567890°+AZERTYUIOP¨£µQSDFGHJKLM%WXCVBN?./§",
    ),
    "de": (
        "^1234567890ß´qwertzuiopü+#asdfghjklöäyxcvbnm,.-",  # noqa: RUF001, the key has it
        "°!\"§$%&/()=?`QWERTZUIOPÜ*'ASDFGHJKLÖÄYXCVBNM;:_",
    ),
}
_NAMES = ("us", "fr", "de", "uk")
_ASCII = "abcdefghijklmnopqrstuvwxyz"


def garble(text: str, scanner: str, host: str, caps: str = "") -> str:
    """What a host shows of a text that the scanner types: both `us`, `uk`, `fr` or `de`.

    `caps` is "", `letters` (caps lock shifts letters) or `lock` (it shifts every key, as Windows
    does on French and German keyboards). A character
    that the scanner's layout has no key for stays as it is.
    """
    return "".join([_move(character, scanner, host, host, caps) for character in text])


def restore(text: str, scanner: str, host: str, caps: str = "") -> str:
    """What the scanner typed when this is what the host shows: the reverse of `garble`."""
    return "".join([_move(character, host, scanner, host, caps) for character in text])


def explanations(text: str) -> list[tuple[str, str, str, str]]:
    """Every `(scanner, host, caps, original)` that would give this text, likely ones first.

    Equal layouts stand for caps lock alone, which garbles digits where it shifts every key.
    """
    different = [(one, two) for one in _NAMES for two in _NAMES if one != two]
    cases = [(one, two, "") for one, two in different]
    cases.extend([(name, name, "lock") for name in _NAMES])
    cases.extend([(one, two, "letters") for one, two in different])
    cases.extend([(one, two, "lock") for one, two in different])
    return [(one, two, caps, restore(text, one, two, caps)) for one, two, caps in cases]


def swap_case(text: str) -> str:
    """The text with small and capital letters exchanged, as caps lock does."""
    out = []
    for character in text:
        lower = character.lower()
        out.append(character.upper() if character == lower else lower)
    return "".join(out)


def _move(character: str, source: str, target: str, host: str, caps: str) -> str:
    for shift in (0, 1):
        key = _KEYS[source][shift].find(character)
        if key >= 0:
            return _KEYS[target][shift ^ _toggles(key, host, caps)][key]
    return character


def _toggles(key: int, host: str, caps: str) -> int:
    """1 if caps lock, as the host understands it, shifts this key; else 0."""
    return int(caps == "lock" or (caps == "letters" and _KEYS[host][0][key] in _ASCII))
