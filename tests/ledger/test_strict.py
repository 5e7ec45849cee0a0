"""JSON is read as the protocol means it, whichever of the two readers a line comes to."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from custody.ledger import strict

WRONG = (
    *("1.0", "-1.5", "0.1", "1.5e300", "1e16", "1e-7", "5e-324", "1E3", "1e400", "-0.0"),
    *("9007199254740992", "-9007199254740992", "18446744073709551616", "-9223372036854775809"),
    *("NaN", "Infinity", "01", "+1", '"\\u0000"', '"\\ud800"', '{"b":1,"b":1}'),
)
RIGHT = ("0", "-0", "9007199254740991", "-9007199254740991", '"1.5}"', '"1e5]"', '"\\u00e9"', "[]")
FORMS = ('{"a":%s}', '{"a":%s,"b":1}', '{"a":[%s]}', '{"a":[%s,1]}', '{"a": %s }')
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**64) - 2, 2**64 + 2)
    | st.floats(allow_nan=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


def read(raw: bytes, reader: Any) -> tuple[str, Any]:
    try:
        return "read", reader(raw)
    except strict.Unreadable as error:
        return "unreadable", str(error)


@pytest.mark.parametrize("form", FORMS)
def test_only_whole_numbers_and_honest_texts_are_read(form: str) -> None:
    for text in WRONG:
        assert read((form % text).encode(), strict.loads)[0] == "unreadable", text
    for text in RIGHT:
        raw = form % text
        assert read(raw.encode(), strict.loads) == ("read", json.loads(raw))


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4))
def test_what_is_told_compactly_is_read_as_anything_is(value: dict[str, Any]) -> None:
    for separators in (strict.SEPARATORS, (", ", ": ")):
        for is_ascii in (True, False):
            text = json.dumps(value, separators=separators, ensure_ascii=is_ascii)
            raw = text.encode("utf-8", "surrogatepass")
            assert read(raw, strict.loads) == read(raw, strict._any)


def test_a_line_as_devices_write_it_is_read_the_short_way() -> None:
    event = {"at": 2**52, "by": [{"person": "fay"}], "note": "Zoë\n", "rulebook": "md@2026.1"}
    assert strict._compact(orjson.dumps(event)) == event
