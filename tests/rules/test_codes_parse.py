"""What scanners send, row by row of what broke for others, and its kin. Plain functions: they run
under CPython and MicroPython alike."""

from custody.rules import codes
from custody.rules.codes_layout import garble

GS = "\x1d"
EV = codes.make("EV", 4217)
OTHER = codes.make("EV", 4218)
ITEM = "(01)00012345678905(21)S0009917"


def read(raw, layout=None):
    return codes.parse(raw, layout)


def said(result):
    return [warning["code"] for warning in result["warnings"]]


def refused(raw, reason, layout=None):
    """Nothing to look up, one reason, the raw text kept."""
    result = read(raw, layout)
    assert result["kind"] in ("unknown", "glued"), (raw, result)
    assert result["code"] == "", (raw, result)
    assert result["gtin"] == "", (raw, result)
    assert said(result) == [reason], (raw, result)
    assert result["raw"] == raw
    return result


def test_a_code_typed_with_caps_lock_on_is_found_and_says_so():
    for raw, code in (("ev-004217", "EV-004217"), (EV.lower(), EV)):
        result = read(raw)
        assert (result["kind"], result["code"]) == ("code", code)
        assert said(result) == ["scan.caps_lock"]


def test_small_letters_that_a_person_types_are_no_caps_lock():
    result = read(EV.lower(), {"typed": True})
    assert (result["code"], said(result)) == (EV, [])


def test_caps_lock_on_a_makers_code_is_offered_as_the_same_code_in_capitals():
    result = read("d5-001")
    assert (result["code"], result["caps"]) == ("d5-001", "D5-001")
    assert read("D5-001")["caps"] == ""


def test_a_us_scanner_on_a_french_host_is_called_a_wrong_layout():
    result = refused("EV)àà'é&è", "scan.layout")
    assert result["warnings"][0]["values"]["scanner"] == "us"
    assert result["warnings"][0]["values"]["host"] == "fr"


def test_every_pair_of_layouts_that_changes_a_code_is_called_a_wrong_layout():
    for scanner in ("us", "uk", "fr", "de"):
        for host in ("us", "uk", "fr", "de"):
            for code in (EV, codes.make("DS", 31), codes.make("PL", 987654)):
                seen = garble(code, scanner, host)
                if seen != code:
                    refused(seen, "scan.layout")


def test_caps_lock_that_shifts_digits_as_well_is_reported():
    for host in ("us", "uk", "fr", "de"):
        refused(garble(EV, host, host, "lock"), "scan.caps_garbled")


def test_a_makers_number_garbled_to_signs_is_called_a_wrong_layout():
    refused(garble("8412345", "us", "fr"), "scan.layout")
    refused(garble("13456", "us", "fr"), "scan.layout")


def test_an_accent_typed_in_a_search_is_no_layout_fault():
    refused("José1", "scan.not_ascii", {"typed": True})


def test_a_configured_prefix_and_suffix_is_stripped():
    layout = {"prefix": ["*", "~"], "suffix": ["#"]}
    for raw in ("*EV-004217", "~EV-004217", "EV-004217#", "\x02*EV-004217#\x03\r\n"):
        result = read(raw, layout)
        assert (result["code"], said(result)) == ("EV-004217", []), raw


def test_the_control_characters_of_a_frame_are_stripped_without_a_setting():
    for raw in ("\x02EV-004217\x03", "\x01EV-004217\x04", "\tEV-004217", "EV-004217\x00"):
        assert read(raw)["code"] == "EV-004217"


def test_an_unknown_prefix_is_reported_and_not_looked_up():
    for raw in ("*EV-004217", "~EV-004217", "!D5-001", "*000122521"):
        result = refused(raw, "scan.prefix_unknown")
        assert result["warnings"][0]["values"]["found"] == raw[0]
    assert read("*000122521", {"prefix": ["*"]})["code"] == "000122521"


def test_an_unknown_suffix_is_reported_and_not_looked_up():
    refused("EV-004217#", "scan.suffix_unknown")


def test_no_suffix_tab_cr_lf_and_crlf_give_the_same_result():
    for end in ("", "\t", "\r", "\n", "\r\n", "\r\r\n"):
        result = read(EV + end)
        assert (result["code"], said(result)) == (EV, [])


def test_two_codes_glued_together_are_named_and_refused_whole():
    for raw in ("EV-004217EV-004218", "EV-004217\r\nEV-004218", "ev-004217ev-004218"):
        assert refused(raw, "scan.glued")["parts"] == ["EV-004217", "EV-004218"]
    assert refused(EV + OTHER, "scan.glued")["parts"] == [EV, OTHER]
    assert refused(EV + EV, "scan.glued")["parts"] == [EV, EV]


def test_three_codes_of_different_kinds_glued_together_are_refused_whole():
    stick = codes.make("DS", 31)
    place = codes.make("PL", 2)
    assert refused(stick + place + EV, "scan.glued")["parts"] == [stick, place, EV]


def test_blanks_at_the_ends_never_make_another_code():
    for raw in ("S0009917 ", " S0009917", "\tS0009917\xa0", "\ufeffS0009917"):
        result = read(raw)
        assert (result["code"], said(result)) == ("S0009917", [])


def test_a_blank_in_the_middle_is_no_code():
    refused("EV 004217", "scan.blank_inside")
    refused("fay miller", "scan.blank_inside", {"typed": True})


def test_an_unknown_code_is_kept_as_it_is_and_no_similar_one_is_guessed():
    result = read("EV-0042171")
    assert (result["kind"], result["code"], result["raw"]) == ("code", "EV-0042171", "EV-0042171")


def test_zeros_in_front_and_long_numbers_stay():
    for raw in ("004217", "000122521", "8939010102358478435", "007"):
        assert read(raw)["code"] == raw


def test_a_misread_code_of_ours_says_so_and_is_not_looked_up():
    refused(EV[:-1] + "B", "scan.check_wrong")
    refused("EV-0004271" + EV[-1], "scan.check_wrong")


def test_a_code_of_ours_that_lost_a_zero_is_another_text_and_warns():
    result = read(EV[:4] + EV[5:])
    assert result["code"] != EV
    assert said(result) == ["scan.length"]


def test_a_place_and_a_badge_are_told_by_their_prefix():
    place = codes.make("PL", 12)
    badge = codes.make("BD", 48151623421234567890)
    assert (read(place)["kind"], read(place)["code"]) == ("place", place)
    assert (read(badge)["kind"], read(badge)["code"]) == ("badge", badge)


def test_the_link_of_an_enrolment_gives_its_one_time_code():
    result = read("https://custody.example:8443/h/enrol#Zk3_9-a")
    assert (result["kind"], result["code"]) == ("enrol", "Zk3_9-a")


def test_any_other_link_is_no_code():
    refused("https://custody.example/h/", "scan.link")
    refused("HTTP://example.com/x#y", "scan.link")


def test_an_empty_scan_says_so():
    for raw in ("", "\r\n", "  ", "\x02\x03", GS):
        refused(raw, "scan.empty")


def test_a_text_that_is_too_long_or_has_two_dots_is_no_code():
    refused("X" * 65, "scan.too_long")
    refused("D5-001..D5-003", "scan.not_code")


def test_symbology_identifiers_are_stripped():
    for symbol in ("]C0", "]A0", "]Q1", "]d1", "]X0", "]L2"):
        assert read(symbol + EV)["code"] == EV, symbol


def test_a_gs1_string_with_separators_gives_gtin_lot_and_serial():
    result = read("]C1010001234567890510LOT7" + GS + "21S0009917")
    assert (result["kind"], result["code"]) == ("serial", ITEM)
    assert (result["gtin"], result["lot"]) == ("00012345678905", "LOT7")
    assert result["serial"] == "S0009917"


def test_the_same_gs1_string_without_separators_is_refused_as_ambiguous():
    refused("]C1010001234567890510LOT721S0009917", "scan.gs1_ambiguous")


def test_a_reader_known_to_send_separators_is_believed():
    result = read("]C1010001234567890510LOT721S0009917", {"sends_gs": True})
    assert (result["kind"], result["lot"]) == ("design", "LOT721S0009917")


def test_a_stand_in_for_the_separator_is_read_as_one():
    result = read("]C1010001234567890510LOT7|21S0009917", {"gs": "|"})
    assert (result["code"], result["lot"]) == (ITEM, "LOT7")


def test_the_same_item_is_read_from_every_gs1_symbol_and_from_print():
    for raw in (
        "]C1010001234567890521S0009917",
        "]d2010001234567890521S0009917",
        "]Q3010001234567890521S0009917",
        "]e0010001234567890521S0009917",
        GS + "010001234567890521S0009917",
        "010001234567890521S0009917",
        "010001234567890521S0009917" + GS,
        ITEM,
    ):
        assert read(raw)["code"] == ITEM, raw


def test_a_gtin_is_the_same_design_with_and_without_its_zero():
    for raw in ("0012345678905", "012345678905", "00012345678905", "]E00012345678905"):
        result = read(raw)
        assert (result["kind"], result["gtin"]) == ("design", "00012345678905"), raw
    assert read("(01)00012345678905")["kind"] == "design"
    assert read("0012345678905")["text"] == "0012345678905"


def test_twelve_digits_that_are_no_gtin_are_not_padded():
    result = read("123456789013")
    assert (result["kind"], result["code"], result["gtin"]) == ("code", "123456789013", "")


def test_eight_digits_are_a_gtin_only_where_the_symbol_says_so():
    assert read("12345670")["kind"] == "code"
    assert read("]E412345670")["gtin"] == "00000012345670"


def test_a_retail_symbol_with_a_wrong_check_digit_was_misread():
    refused("]E00012345678906", "scan.gs1_check")
    refused("]C10100012345678906", "scan.gs1_check")


def test_a_gs1_label_without_a_key_names_no_item():
    refused("]C110LOT7", "scan.gs1_no_item")


def test_a_gs1_label_with_an_unknown_identifier_or_a_false_date_is_unreadable():
    refused("]C105123", "scan.gs1_unreadable")
    refused("]C1010001234567890517261301", "scan.gs1_unreadable")
    refused("(01)00012345678905(21", "scan.gs1_unreadable")


def test_shipping_units_and_assets_name_one_item_each():
    assert read("]C100006141411234567890")["code"] == "(00)006141411234567890"
    assert read("]C18004401234512ABC")["code"] == "(8004)401234512ABC"
    assert read("]C180030401234500017312")["code"] == "(8003)0401234500017312"


def test_a_result_always_has_the_same_keys():
    expected = sorted(read(EV))
    for raw in ("", "EV-1", "012345678905", ITEM, "x y", EV + OTHER, "https://x.example/"):
        assert sorted(read(raw)) == expected


def test_cleaning_twice_is_cleaning_once():
    for raw in ("EV-004217\r\n", " d5-001", EV.lower(), ITEM, "0012345678905"):
        first = read(raw)
        again = read(first["code"] or first["text"])
        assert (again["code"], again["gtin"]) == (first["code"], first["gtin"])
