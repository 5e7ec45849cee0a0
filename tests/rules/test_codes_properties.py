"""Ten thousand labels, each spoilt in every way a reader or a finger spoils one."""

import random
import string

from hypothesis import given, settings
from hypothesis import strategies as st

from custody.rules import codes
from custody.rules.codes_issue import PREFIXES

LABELS = [
    codes.make(prefix, number)
    for prefix, _, _, width in PREFIXES
    if width == 7
    for number in range(4000, 4800)
][:10_000]
HOUSE = set(LABELS)
CHARACTERS = string.ascii_letters + string.digits + string.punctuation
any_code = st.builds(
    codes.make, st.sampled_from([entry[0] for entry in PREFIXES]), st.integers(0, 9_999_999)
)


def spoilt(code: str, pick: random.Random) -> list[str]:
    """The code with one character wrong, dropped, doubled or swapped with its neighbour."""
    place = pick.randrange(len(code))
    swap = pick.randrange(len(code) - 1)
    return [
        code[:place] + pick.choice(CHARACTERS) + code[place + 1 :],
        code[:place] + code[place + 1 :],
        code[:place] + code[place] + code[place:],
        code[:swap] + code[swap + 1] + code[swap] + code[swap + 2 :],
    ]


def test_of_ten_thousand_labels_with_one_fault_none_selects_another_item():
    pick = random.Random(20261201)
    assert len(HOUSE) == 10_000
    for code in LABELS:
        for wrong in spoilt(code, pick):
            assert codes.parse(wrong)["code"] in {code, *outside(wrong)}


def outside(wrong: str) -> set[str]:
    """What a spoilt text may be read as: itself or nothing, if it is no label of the house."""
    return {"", wrong, wrong.upper()} - HOUSE


@settings(deadline=None)
@given(any_code, any_code)
def test_two_codes_of_one_prefix_differ_in_two_places_at_least(one, other):
    if one != other and len(one) == len(other):
        differences = sum(a != b for a, b in zip(one, other, strict=True))
        assert differences >= 2


@settings(deadline=None)
@given(any_code)
def test_every_issued_code_is_read_back_whatever_the_frame(code):
    for raw in (code, f" {code}\r\n", f"\x02{code}\x03", f"]C0{code}\t"):
        assert codes.parse(raw)["code"] == code


@settings(deadline=None)
@given(st.lists(any_code | st.from_regex(r"[A-Z]{1,3}-?[0-9]{1,5}", fullmatch=True)))
def test_compressing_and_expanding_gives_the_same_codes(names):
    assert codes.expand_all(codes.compress(names)) == names


@settings(deadline=None)
@given(any_code, st.integers(0, 300))
def test_a_run_of_issued_codes_compresses_to_one_text(first, more):
    number = min(int(first[3:-1]), 9_999_000)
    run = [codes.make(first[:2], n) for n in range(number, number + more + 1)]
    assert len(codes.compress(run)) <= 2
    assert codes.expand_all(codes.compress(run)) == run
