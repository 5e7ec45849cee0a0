"""Codes that Custody issues. Plain functions: they run under CPython and MicroPython alike."""

from custody.rules import codes
from custody.rules.codes_issue import LETTERS, PREFIXES, has_shape
from custody.rules.codes_layout import garble

NUMBERS = (0, 4217, 9909090)
SAMPLE = [codes.make(prefix, n) for prefix, _, _, width in PREFIXES for n in NUMBERS if width == 7]
# Whatever a worn label, a tired finger or a keyboard can put in a character's place.
STRANGERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_)/?'&(!"


def raised(call, *arguments):
    try:
        call(*arguments)
    except codes.CodeError as error:
        return error
    raise AssertionError("no error from " + repr(arguments))


def test_a_code_is_prefix_dash_seven_digits_and_a_letter():
    assert codes.make("DS", 31) == "DS-0000031K"
    assert codes.make("EV", 4217) == "EV-0004217C"


def test_every_code_that_is_made_checks():
    for code in SAMPLE:
        assert codes.check(code), code


def test_no_single_wrong_character_gives_another_code():
    for code in SAMPLE:
        for place in range(len(code)):
            for stranger in STRANGERS:
                if stranger != code[place]:
                    wrong = code[:place] + stranger + code[place + 1 :]
                    assert not codes.check(wrong), (code, wrong)


def test_no_two_swapped_characters_give_another_code_wherever_they_stand():
    for code in SAMPLE:
        for first in range(len(code)):
            for second in range(first + 1, len(code)):
                wrong = list(code)
                wrong[first], wrong[second] = wrong[second], wrong[first]
                wrong = "".join(wrong)
                assert wrong == code or not codes.check(wrong), (code, wrong)


def test_no_dropped_or_doubled_character_gives_another_code():
    for code in SAMPLE:
        for place in range(len(code)):
            assert not codes.check(code[:place] + code[place + 1 :])
            assert not codes.check(code[:place] + code[place] + code[place:])


def test_no_two_equal_neighbours_misread_alike_give_another_code():
    for code in SAMPLE:
        for place in range(3, 9):
            if code[place] == code[place + 1]:
                for digit in "0123456789":
                    wrong = code[:place] + digit * 2 + code[place + 2 :]
                    assert wrong == code or not codes.check(wrong), (code, wrong)


def test_no_keyboard_layout_and_no_caps_lock_turns_a_code_into_another():
    for code in SAMPLE:
        for scanner in ("us", "uk", "fr", "de"):
            for host in ("us", "uk", "fr", "de"):
                for caps in ("", "letters", "lock"):
                    seen = garble(code, scanner, host, caps)
                    found = codes.parse(seen, None)["code"]
                    assert found in ("", code, seen), (code, seen, found)
                    assert not codes.check(seen) or seen == code


def test_a_letter_of_a_code_is_at_the_same_key_on_every_keyboard():
    for letter in LETTERS:
        for scanner in ("us", "uk", "fr", "de"):
            for host in ("us", "uk", "fr", "de"):
                assert garble(letter, scanner, host) == letter


def test_prefixes_use_only_the_letters_that_codes_may_have():
    for prefix, _, _, _ in PREFIXES:
        assert len(prefix) == 2
        assert all(letter in LETTERS for letter in prefix)


def test_a_badge_has_too_many_digits_to_be_guessed():
    badge = codes.make("BD", 12345678901234567890)
    assert codes.check(badge)
    assert len(badge) == 24


def test_a_code_of_a_maker_is_not_checked():
    for code in ("EV-001", "EV-004217", "D5-001", "DS-0000031", "S0009917", "CASE-0007"):
        assert not has_shape(code)
        assert codes.parse(code, None)["code"] == code


def test_an_unknown_prefix_is_named_with_the_known_ones():
    error = raised(codes.make, "ZZ", 1)
    assert isinstance(error, codes.CodePrefixError)
    assert "ZZ" in str(error)
    assert "EV" in error.values["known"]


def test_a_number_too_long_for_its_prefix_is_refused_with_the_last_one():
    for number in (-1, 10000000):
        error = raised(codes.make, "EV", number)
        assert isinstance(error, codes.CodeNumberError)
        assert error.values["last"] == "9999999"


def test_kinds_and_forms_of_the_vocabulary_have_their_prefix():
    assert codes.prefix_for("dice", "stick") == "DS"
    assert codes.prefix_for("cards", "deck") == "DK"
    assert codes.prefix_for("tiles", "reconstructed_set") == "TS"
    assert codes.prefix_for("form", "duplicate") == "FR"
    assert codes.prefix_for("shoe", "device") == "DV"
    assert raised(codes.prefix_for, "money", "bag").code == "scan.prefix"
