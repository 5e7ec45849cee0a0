"""Gaming days and calendar arithmetic. Plain functions: they run under both interpreters."""

from custody.rules import clock_text, days

# New York, 2026: summer time from 8 March, 07:00 UTC, to 1 November, 06:00 UTC.
SPRING = 1772953200000
AUTUMN = 1793512800000
ZONE = [[1577836800000, -300], [SPRING, -240], [AUTUMN, -300]]
HOUR = 3600000


def book(starts="06:00"):
    minutes = int(starts[:2]) * 60 + int(starts[3:])
    return {"zone": ZONE, "day_starts": minutes, "starts": {}, "today": [0, 0, ""]}


def at(text, here=None):
    return clock_text.parse(here or book(), text)


def test_a_date_and_its_number_name_each_other():
    for day, number in (("1970-01-01", 0), ("2000-02-29", 11016), ("2026-12-01", 20788)):
        assert days.number(day) == number
        assert days.name(number) == day


def test_every_day_of_twenty_years_comes_back():
    for number in range(days.number("2020-01-01"), days.number("2041-01-01")):
        assert days.number(days.name(number)) == number


def test_the_day_starts_at_its_hour_and_not_at_midnight():
    here = book()
    for text, day in (
        ("2026-12-01T05:59", "2026-11-30"),
        ("2026-12-01T06:00", "2026-12-01"),
        ("2026-12-01T23:59", "2026-12-01"),
        ("2026-12-02T00:01", "2026-12-01"),
    ):
        assert days.gaming_day(here, at(text)) == day, text


def test_the_day_on_which_clocks_go_back_has_25_hours_and_the_other_23():
    here = book()
    assert days.end(here, "2026-10-31") - days.start(here, "2026-10-31") == 25 * HOUR
    assert days.end(here, "2026-03-07") - days.start(here, "2026-03-07") == 23 * HOUR
    assert days.end(here, "2026-12-01") - days.start(here, "2026-12-01") == 24 * HOUR


def test_a_day_that_starts_in_the_doubled_hour_starts_with_the_first_one():
    here = book("01:30")
    start = days.start(here, "2026-11-01")
    assert start == at("2026-11-01T01:30-04:00")
    # The wall clock is back at 01:00 half an hour later; the day goes on all the same.
    assert days.gaming_day(here, at("2026-11-01T01:10-05:00")) == "2026-11-01"
    assert days.gaming_day(here, start - 1) == "2026-10-31"


def test_a_day_that_would_start_in_the_skipped_hour_starts_after_it():
    here = book("02:30")
    start = days.start(here, "2026-03-08")
    assert start == at("2026-03-08T03:30-04:00")
    assert days.gaming_day(here, start - 1) == "2026-03-07"
    assert days.gaming_day(here, at("2026-03-08T03:00-04:00")) == "2026-03-07"
    assert days.gaming_day(here, start) == "2026-03-08"


def test_seven_days_end_at_the_same_wall_clock_time_over_a_clock_change():
    here = book()
    assert days.after_days(here, at("2026-10-29T20:00"), 7) == at("2026-11-05T20:00")
    assert at("2026-11-05T20:00") - at("2026-10-29T20:00") == (7 * 24 + 1) * HOUR


def test_three_months_end_with_the_gaming_day_of_the_same_date_or_the_months_last():
    assert days.plus_months("2026-11-30", 3) == "2027-02-28"
    assert days.plus_months("2027-11-30", 3) == "2028-02-29"
    assert days.plus_months("2026-06-03", 3) == "2026-09-03"
    here = book()
    assert days.after_months(here, at("2026-06-03T11:00"), 3) == at("2026-09-04T06:00")


def test_a_time_without_offset_is_the_zones_and_an_offset_tells_the_doubled_hour_apart():
    first, second = at("2026-11-01T01:30-04:00"), at("2026-11-01T01:30-05:00")
    assert second - first == HOUR
    assert at("2026-11-01T01:30") == first
    assert at("2026-12-01T08:00Z") == at("2026-12-01T03:00")


def test_what_is_no_time_is_refused_with_the_text():
    for text in ("2026-12-01", "2026-13-01T08:00", "2026-12-01T25:00", "2026-02-30T08:00", "soon"):
        assert text in mistake(text), text


def mistake(text):
    try:
        at(text)
    except clock_text.ClockTextError as error:
        return str(error)
    return ""


def test_a_book_keeps_no_more_days_than_it_may_and_says_the_same_of_each():
    here, fresh = book(), book()
    number = days.number("2026-12-01")
    for later in range(days.MOST + 10):
        days.start(here, days.name(number + later))
        assert len(here["starts"]) <= days.MOST
    assert days.start(here, "2026-12-01") == days.start(fresh, "2026-12-01")
