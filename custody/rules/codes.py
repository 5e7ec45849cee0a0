"""What was scanned, typed, imported or decoded: one function cleans and reads every code.

`parse` is the only way in from a scanner, a camera, a search box, a file or the interface. It
strips what scanners add, says what kind of code it is, and reports what looks wrong. It never
guesses: a text that is not exactly a code stays unknown, with the reason, and its raw form is kept.
"""

try:
    from typing import Any
except ImportError:  # MicroPython has no typing and reads no annotations
    Any = object  # type: ignore[assignment,misc]

from . import gs1
from .codes_clean import clean, symbology_of, words
from .codes_damage import likely_layouts
from .codes_errors import CodeError as CodeError
from .codes_errors import CodeNumberError as CodeNumberError
from .codes_errors import CodePrefixError as CodePrefixError
from .codes_errors import CodeRangeError as CodeRangeError
from .codes_issue import DIGITS, LETTERS, has_shape, kind_of, resembles
from .codes_issue import check as check
from .codes_issue import make as make
from .codes_issue import prefix_for as prefix_for
from .codes_layout import swap_case
from .codes_range import compress as compress
from .codes_range import expand as expand
from .codes_range import expand_all as expand_all
from .codes_range import expand_case as expand_case
from .codes_range import require_sound as require_sound
from .codes_range import valid as valid

_GS1_SYMBOLS = ("C1", "d2", "Q3", "e0", "e1", "e2", "J1")
_ALNUM = DIGITS + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def parse(raw: str, layout: Any = None, splitter: Any = gs1.split) -> dict[str, Any]:
    """What the text says, as a plain dict that always has the same keys.

    `layout` describes the reader, or is None: `prefix` and `suffix` (lists of texts that it puts
    around a scan), `gs` (one character that stands for the GS1 separator), `sends_gs` (true once it
    was seen to transmit the separator; cameras do), `typed` (true where a person types).
    `splitter` splits GS1 element strings; the server gives biip's (`custody.documents.scans`).

    - `kind`: `code` (an item, container, box or case), `place`, `badge`, `enrol` (a one-time link),
      `design` (a GTIN alone), `serial` (a GS1 key that names one item), `glued` (several codes
      without a separator) or `unknown`.
    - `code`: the code to look up; for `serial` as printed, `(01)00012345678905(21)S0009917`; for
      `enrol` the one-time code; "" for `design`, `glued` and `unknown`.
    - `text`: what was scanned without what the scanner added. A maker may use a number as an item's
      code that is also a GTIN, so look up the item `text` before the design `gtin`.
    - `caps`: the code that `text` would be with caps lock on, to look up when `text` is not
      known; "" when that cannot be.
    - `gtin` (14 digits), `serial`, `lot`: "" where not given. `parts`: the codes of `glued`.
    - `warnings`: `{"code", "values"}` of the catalogue's sentences. `raw`: the text, untouched.
    """
    layout = layout or {}
    symbol, text = symbology_of(clean(raw, layout))
    result = {
        "kind": "unknown",
        "code": "",
        "text": text,
        "caps": "",
        "gtin": "",
        "serial": "",
        "lot": "",
        "parts": [],
        "warnings": [],
        "raw": raw,
    }
    for read in (_blank, _enrol, _gs1, _issued, _gtin, _glued, _damaged, _foreign):
        if read(result, symbol, layout, splitter):
            break
    return result


def _warn(result: dict[str, Any], code: str, **values: Any) -> bool:
    result["warnings"].append({"code": code, "values": values})
    return True


def _blank(result: dict[str, Any], symbol: str, layout: Any, splitter: Any) -> bool:
    return result["text"] == "" and _warn(result, "scan.empty")


def _enrol(result: dict[str, Any], symbol: str, layout: Any, splitter: Any) -> bool:
    """The link of an enrolment QR: `https://host/h/enrol#<one-time code>`."""
    address, _, code = result["text"].partition("#")
    if not address.lower().startswith(("https://", "http://")):
        return False
    if address.endswith("/h/enrol") and code:
        result["kind"] = "enrol"
        result["code"] = code
        return True
    return _warn(result, "scan.link")


def _gs1(result: dict[str, Any], symbol: str, layout: Any, splitter: Any) -> bool:
    """A GS1 element string, marked as such by its symbol, its separators or its brackets."""
    text = result["text"]
    marked = symbol in _GS1_SYMBOLS or gs1.GS in text
    if text[:1] == "(":
        return _gs1_message(result, lambda: gs1.from_printed(text), True, splitter)
    if marked:
        return _gs1_message(result, lambda: text, layout.get("sends_gs", False), splitter)
    if symbol or text[:2] != "01" or len(text) < 16 or not gs1.gtin14(text[2:16]):
        return False
    try:
        gs1.split(text)
    except gs1.Gs1Error:
        return False
    return _gs1_message(result, lambda: text, layout.get("sends_gs", False), splitter)


def _gs1_message(result: dict[str, Any], message: Any, sends_gs: bool, splitter: Any) -> bool:
    try:
        elements = gs1.read(message(), sends_gs, splitter)
    except gs1.Gs1Error as error:
        return _warn(result, error.code, text=result["text"].replace(gs1.GS, " "))
    values = {}
    for ai, value in elements:
        values[ai] = value
    result["gtin"] = values.get("01", "")
    result["serial"] = values.get("21", "")
    result["lot"] = values.get("10", "")
    return _gs1_key(result, values)


def _gs1_key(result: dict[str, Any], values: dict[str, str]) -> bool:
    """Which item or design the elements name (GS1 General Specifications, section 1.3)."""
    if "01" in values and "21" in values:
        key = [("01", values["01"]), ("21", values["21"])]
    elif "01" in values:
        result["kind"] = "design"
        return True
    elif "00" in values:
        key = [("00", values["00"])]
    elif "8004" in values:
        key = [("8004", values["8004"])]
    elif len(values.get("8003", "")) > 14:
        key = [("8003", values["8003"])]
    else:
        return _warn(result, "scan.gs1_no_item")
    result["kind"] = "serial"
    result["code"] = gs1.printed(key)
    return True


def _issued(result: dict[str, Any], symbol: str, layout: Any, splitter: Any) -> bool:
    """A code of ours, or one that starts like ours; caps lock makes small letters of it."""
    text = result["text"]
    upper = text.upper()
    if not resembles(upper):
        return False
    if text == text.lower() and not layout.get("typed"):
        _warn(result, "scan.caps_lock")
    if has_shape(upper) and not check(upper):
        return _warn(result, "scan.check_wrong", text=upper)
    kind = kind_of(upper[:2]) if has_shape(upper) else "code"
    result["kind"] = kind if kind in ("place", "badge") else "code"
    result["code"] = upper
    if not has_shape(upper) and upper[-1] in LETTERS:
        _warn(result, "scan.length", text=upper)
    return True


def _gtin(result: dict[str, Any], symbol: str, layout: Any, splitter: Any) -> bool:
    """A GTIN alone names a design. Eight digits are one only where the symbol says so (`]E4`)."""
    text = result["text"]
    retail = symbol[:1] == "E"
    gtin = gs1.gtin14(text) if len(text) > 8 or retail else ""
    if gtin:
        result["kind"] = "design"
        result["gtin"] = gtin
        return True
    return retail and _warn(result, "scan.gs1_check", text=text)


def _glued(result: dict[str, Any], symbol: str, layout: Any, splitter: Any) -> bool:
    """Several codes that ran together: named, but refused whole."""
    parts = words(result["text"])
    if len(parts) == 1:
        parts = _unglue(result["text"].upper())
    if len(parts) < 2 or not all(resembles(part.upper()) for part in parts):
        return False
    result["kind"] = "glued"
    result["parts"] = [part.upper() for part in parts]
    return _warn(result, "scan.glued", count=len(parts), codes=", ".join(result["parts"]))


def _unglue(text: str) -> list[str]:
    """The text cut before each prefix of ours that follows a code."""
    parts = []
    start = 0
    for index in range(1, len(text)):
        if kind_of(text[index : index + 2]) and text[index + 2 : index + 3] == "-":
            parts.append(text[start:index])
            start = index
    parts.append(text[start:])
    return parts


def _damaged(result: dict[str, Any], symbol: str, layout: Any, splitter: Any) -> bool:
    """A text that another keyboard layout explains, or that no code can be."""
    text = result["text"]
    ascii_only = all(" " <= character <= "~" for character in text)
    plausible = ascii_only and any(character in _ALNUM for character in text)
    found = likely_layouts(text, plausible, layout.get("typed"))
    if found:
        scanner, host, caps, _ = found[0]
        reason = "scan.caps_garbled" if scanner == host else "scan.layout"
        return _warn(result, reason, scanner=scanner, host=host, caps=caps)
    if not ascii_only:
        return _warn(result, "scan.not_ascii", text=text)
    if " " in text:
        return _warn(result, "scan.blank_inside", text=text)
    return len(text) > 64 and _warn(result, "scan.too_long", length=len(text))


def _foreign(result: dict[str, Any], symbol: str, layout: Any, splitter: Any) -> bool:
    """Somebody else's code, unchanged, unless it begins or ends with what a scanner may add."""
    text = result["text"]
    if text[0] not in _ALNUM:
        return _warn(result, "scan.prefix_unknown", found=text[0], text=text)
    if text[-1] not in _ALNUM:
        return _warn(result, "scan.suffix_unknown", found=text[-1], text=text)
    if not valid(text):
        return _warn(result, "scan.not_code", text=text)
    result["kind"] = "code"
    result["code"] = text
    if text != text.upper() and text == text.lower() and not layout.get("typed"):
        result["caps"] = swap_case(text)
    return True
