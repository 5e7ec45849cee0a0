"""Runs of codes and counts out of a case. Plain functions: they run under both interpreters."""

from custody.rules import codes, codes_range


def wrong(text, call=codes.expand):
    try:
        call(text)
    except codes.CodeRangeError as error:
        return error
    raise AssertionError("no error for " + str(text))


def run(prefix, first, last):
    return codes.make(prefix, first) + ".." + codes.make(prefix, last)


def test_a_run_names_every_code_from_the_first_to_the_last():
    got = codes.expand("D5-001..D5-240")
    assert len(got) == 240
    assert got[0] == "D5-001"
    assert got[9] == "D5-010"
    assert got[-1] == "D5-240"


def test_a_single_code_is_a_run_of_one():
    assert codes.expand("D5-001") == ["D5-001"]
    assert codes.expand("D5-001..D5-001") == ["D5-001"]


def test_a_run_of_our_own_codes_gives_each_its_check_letter():
    got = codes.expand(run("DS", 1, 240))
    assert got == [codes.make("DS", n) for n in range(1, 241)]


def test_a_run_keeps_the_zeros_in_front():
    assert codes.expand("0007..0009") == ["0007", "0008", "0009"]


def test_a_run_of_100000_is_expanded_and_one_more_is_refused_with_the_number():
    assert len(codes.expand("D5-000001..D5-100000")) == 100000
    error = wrong("D5-000001..D5-100001")
    assert error.code == "scan.range_size"
    assert error.values["count"] == 100001


def test_a_run_that_goes_backwards_is_refused_with_both_numbers():
    error = wrong("D5-240..D5-001")
    assert error.code == "scan.range_backwards"
    assert (error.values["first"], error.values["last"]) == ("240", "001")


def test_a_run_with_ends_of_different_width_is_refused():
    error = wrong("D5-01..D5-240")
    assert error.code == "scan.range_width"
    assert (error.values["first"], error.values["last"]) == (2, 3)


def test_a_run_between_different_stems_is_refused():
    for text in ("D5-001..D3-240", "D5-001..TS-01", run("DS", 1, 2)[:13] + codes.make("DK", 3)):
        assert wrong(text).code == "scan.range_stem"


def test_a_run_with_a_misread_end_is_refused():
    text = run("DS", 1, 9)
    error = wrong(text[:-1] + ("B" if text[-1] != "B" else "C"))
    assert error.code == "scan.check"


def test_a_run_from_our_code_to_a_makers_is_refused():
    assert wrong(codes.make("DS", 1) + "..DS-0000009").code == "scan.check"


def test_a_run_with_a_missing_or_double_end_is_refused():
    for text in ("D5-001..", "..D5-001", "..", "D5-001..D5-002..D5-003"):
        assert wrong(text).code == "scan.invalid", text


def test_a_code_with_a_blank_or_an_accent_or_too_long_is_no_code():
    for text in ("D5 001", "D5-001 ", "DÉ-001", "", "X" * 65):
        assert wrong(text).code == "scan.invalid"
    assert codes.valid("X" * 64)


def test_a_case_gives_its_code_and_the_count():
    assert codes.expand_case("CASE-0007*12") == ("CASE-0007", 12)


def test_a_case_without_a_whole_count_is_refused():
    for text in ("CASE-0007", "CASE-0007*", "CASE-0007*x", "CASE-0007*1.5", "CASE-0007*-1"):
        assert wrong(text, codes.expand_case).code == "scan.case_count", text
    for text in ("CASE-0007*0", "CASE-0007*100001"):
        assert wrong(text, codes.expand_case).code == "scan.case_size"


def test_codes_are_compressed_into_runs_and_come_back_the_same():
    names = codes.expand("D5-001..D5-240")
    names += ["TS-01", "TS-02", "X", "D5-9", "9", "99", "100"]
    names += codes.expand(run("EV", 98, 103))
    short = codes.compress(names)
    assert short == [
        "D5-001..D5-240",
        "TS-01",
        "TS-02",
        "X",
        "D5-9",
        "9",
        "99",
        "100",
        run("EV", 98, 103),
    ]
    assert codes.expand_all(short) == names


def test_codes_out_of_order_or_twice_stay_as_they_are():
    names = ["D5-003", "D5-002", "D5-001", "D5-001"]
    assert codes.compress(names) == names


def test_more_codes_than_a_run_may_have_are_written_as_two_runs():
    names = codes.expand("D5-000001..D5-100000")
    names.append("D5-100001")
    assert codes.compress(names) == ["D5-000001..D5-100000", "D5-100001"]


def test_nothing_compresses_to_nothing():
    assert codes.compress([]) == []


def test_a_long_list_is_told_in_runs_and_what_is_a_run_already_stands_first():
    many = ["Z-1", "MP-000001..MP-000010", "MP-000011..MP-000011"]
    many.extend(codes.expand("D5-001..D5-101"))
    told = codes_range.told(many)
    assert told == ["MP-000001..MP-000010", "MP-000011..MP-000011", "D5-001..D5-101", "Z-1"]


def test_a_short_list_is_told_as_it_stands():
    few = codes.expand("D5-001..D5-100")
    assert codes_range.told(few) == few


def test_a_run_is_counted_and_refused_as_it_would_be_expanded():
    for text in ("D5-001", "D5-001..D5-240", run("DS", 7, 12), "D5-000001..D5-100000"):
        assert codes_range.size(text) == len(codes.expand(text))
    for text in ("D5-1..D6-9", "D5-9..D5-1", "D5-1..D5-10", "D5 1", "D5-000000..D5-100000"):
        assert str(wrong(text, codes_range.size)) == str(wrong(text))
    parts = ["D5-00001..D5-60000", "D6-00001..D6-60000"]
    assert str(wrong(parts, codes_range.require_all)) == str(wrong(parts, codes.expand_all))


def test_what_was_seen_of_many_codes_is_told_in_runs_of_one_last_event():
    saw = dict.fromkeys(codes.expand("D5-001..D5-060"), "a")
    saw.update(dict.fromkeys(codes.expand("D5-061..D5-101"), "b"))
    saw["MP-1..MP-9"] = "b"
    told = codes_range.told_seen(saw, ["MP-1..MP-9"])
    assert told == {"MP-1..MP-9": "b", "D5-001..D5-060": "a", "D5-061..D5-101": "b"}
    few = dict.fromkeys(codes.expand("D5-001..D5-100"), "a")
    assert codes_range.told_seen(few, []) == few


def test_what_was_seen_of_a_code_is_found_in_the_run_that_names_it():
    saw = {"D5-001..D5-060": "a", "MP-1..MP-9": "b", "D5-9..D5-1": "c", "D5-061": "d"}
    asked = ["D5-060", "D5-061", "D5-062", "MP-1..MP-9"]
    found = codes_range.seen_of(saw, asked)
    assert found == {"D5-060": "a", "D5-061": "d", "D5-062": None, "MP-1..MP-9": "b"}
    many = dict.fromkeys(codes.expand("D5-001..D5-240"), "a")
    told = codes_range.told_seen(many, [])
    assert codes_range.seen_of(told, list(many)) == many
