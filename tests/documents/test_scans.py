"""The portable reader of GS1 element strings and biip give the same answers."""

import json
import random
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from custody.documents import scans
from custody.rules import codes, gs1
from custody.rules.gs1_table import FORMATS, SETS

TABLE = {
    entry["ai"]: entry
    for entry in json.loads(
        files("biip.gs1_application_identifiers")
        .joinpath("_application_identifiers.json")
        .read_text("utf-8")
    )
}
# biip 5.2 reads the second date of a harvest period (7007) as a time of day.
COMPARED = sorted(set(FORMATS) - {"7007"})


def answer(splitter, message):
    try:
        return splitter(message)
    except gs1.Gs1Error as error:
        return error.code


def value_of(ai, pick):
    """A value that has the identifier's format, though dates and check digits may be wrong."""
    out = ""
    for name, lengths in FORMATS[ai]:
        out += "".join(pick.choice(SETS[name]) for _ in range(pick.choice(lengths)))
    return out


def test_the_table_has_exactly_the_identifiers_that_biip_knows():
    assert sorted(FORMATS) == sorted(TABLE)


def test_the_table_knows_which_identifiers_need_a_separator():
    for ai, entry in TABLE.items():
        assert gs1.is_fixed(ai) is not entry["separator_required"], ai


@pytest.mark.parametrize("ai", COMPARED)
def test_both_readers_agree_on_every_identifier(ai):
    pick = random.Random(ai)
    for _ in range(60):
        value = value_of(ai, pick)
        wrong = value[:-1] + pick.choice("Ä§0Z-9")
        for message in (ai + value, ai + value[:-1], ai + value + "7", ai + wrong):
            assert answer(gs1.split, message) == answer(scans.biip_split, message), message


@settings(deadline=None)
@given(st.lists(st.sampled_from(COMPARED), min_size=1, max_size=5), st.integers())
def test_both_readers_agree_on_whole_messages(ais, seed):
    pick = random.Random(seed)
    message = gs1.GS.join(ai + value_of(ai, pick) for ai in ais)
    assert answer(gs1.split, message) == answer(scans.biip_split, message)


@settings(deadline=None)
@given(st.text(alphabet="0123456789ABS\x1d]C", max_size=40))
def test_both_readers_agree_on_nonsense(text):
    assert codes.parse("]C1" + text) == scans.read("]C1" + text)


@settings(deadline=None)  # the machine may be busy; nothing here waits
@given(st.text(max_size=30))
def test_any_text_is_read_alike_at_the_desk_and_on_the_handheld(text):
    here = scans.read(text)
    assert here == codes.parse(text)
    assert here["code"] == "" or here["kind"] == "enrol" or codes.valid(here["code"])


def test_a_gtin_with_a_serial_names_an_item_through_biip():
    result = scans.read("]C1010001234567890510LOT7\x1d21S0009917")
    assert (result["kind"], result["code"]) == ("serial", "(01)00012345678905(21)S0009917")
