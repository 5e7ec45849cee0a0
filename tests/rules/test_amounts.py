"""Exact measures. Plain functions: they run under both interpreters."""

from custody.rules import amounts, dice_measures


def test_decimals_and_fractions_are_whole_millionths():
    told = (
        ("0.7501", 750100),
        (".7501", 750100),
        ("1/4", 250000),
        (".25", 250000),
        ("12", 12000000),
    )
    for text, micro in told:
        assert amounts.micro(text) == micro


def test_what_is_no_exact_measure_is_refused():
    for text in (
        "",
        ".",
        "1.",
        "..5",
        "-1",
        "1e3",
        "0.1234567",
        "1/3",
        "1/0",
        "about 1",
        0.75,
        None,
    ):
        try:
            amounts.micro(text)
        except amounts.AmountError:
            continue
        raise AssertionError(text)


LIMITS = [
    {
        "games": ["craps"],
        "least": "0.750",
        "most": "0.775",
        "tolerance": "0.005",
        "unit": "inch",
        "clause": [],
    }
]


def look(measures, required="required", pieces=2, game="craps"):
    value = {"pieces": pieces}
    found = {
        "book": {"controls": {"measures": required}, "limits": {"dice": LIMITS}},
        "with": {"measures": measures} if measures is not None else {},
    }
    group = {"items": [["D5-001", value, None]], "traits": {"game": [game]}}
    return dice_measures.measured(found, group, {})


GOOD = ["0.7500", "0.7750", "0.7600"]


def test_dice_within_the_limits_and_their_tolerance_pass():
    assert look([GOOD, ["0.745", "0.780", "0.75"]]) is None


def test_a_refusal_names_the_die_and_the_edge():
    wrong = look([GOOD, ["0.7500", "0.7449", "0.75"]])
    assert (wrong["die"], wrong["edge"], wrong["found"]) == (2, 2, "0.7449")
    assert (wrong["least"], wrong["most"], wrong["unit"]) == ("0.750", "0.775", "inch")


def test_every_die_is_measured_on_three_edges():
    assert look([GOOD])["code"] == "measure-count"
    assert look([GOOD, ["0.75", "0.75"]])["code"] == "measure-edges"
    assert look([GOOD, ["0.75", "0.75", "ok"]])["code"] == "measure-text"
    assert look(None)["code"] == "measure-count"


def test_go_or_no_go_needs_no_measures_but_judges_those_given():
    assert look(None, "go_no_go") is None
    assert look([["0.9", "0.75", "0.75"]], "go_no_go")["edge"] == 1
