"""Stock as double entry. Plain functions: they run under both interpreters."""

from custody.rules import counts, stock

TERMS = {"received": "arrived", "stored": "stored", "reserve": "reserve", "in_play": "in_play"}
TERMS.update({"removed": "out", "sealed": "awaiting", "issued": "out"})
BOOK = {"terms": TERMS, "words": {"kinds": {"dice": {"units": ["sticks", "dice"]}}}}


def stick(state, place, pieces=5):
    return {"kind": "dice", "state": state, "place": place, "pieces": pieces, "attributes": {}}


def life(*moves):
    lines, old = [], None
    for day, value in moves:
        event = {"day": day, "at": 0}
        lines.extend(stock.postings(BOOK, old, value, event))
        old = value
    return lines


def test_what_leaves_one_place_arrives_at_another():
    lines = life(("d1", stick("stored", "vault")), ("d1", stick("reserve", "pit")))
    assert counts.on_hand(BOOK, lines, "dice", "vault") == {"sticks": 0, "dice": 0}
    assert counts.on_hand(BOOK, lines, "dice", "pit") == {"sticks": 1, "dice": 5}
    assert counts.on_hand(BOOK, lines, "dice", None) == {"sticks": 1, "dice": 5}


def test_a_lost_die_leaves_four_and_the_equation_still_closes():
    lines = life(
        ("d1", stick("received", "dock")),
        ("d1", stick("in_play", "CR1")),
        ("d2", stick("removed", "CR1", 4)),
    )
    second = counts.reconcile(BOOK, lines, "dice", "d2")
    assert second["opening"] == {"sticks": 1, "dice": 5}
    assert second["lost"] == {"sticks": 0, "dice": 1}
    assert second["closing"] == {"sticks": 1, "dice": 4}
    assert second["remainder"] == {"sticks": 0, "dice": 0}


def test_destruction_is_counted_in_single_dice_and_ends_the_stock():
    lines = life(
        ("d1", stick("received", "dock")),
        ("d1", stick("sealed", "sec", 4)),
        ("d2", stick("cancelled", "shred", 4)),
    )
    second = counts.reconcile(BOOK, lines, "dice", "d2")
    assert second["destroyed"] == {"sticks": 1, "dice": 4}
    assert second["closing"] == {"sticks": 0, "dice": 0}
    assert second["remainder"] == {"sticks": 0, "dice": 0}


def test_issue_is_out_of_a_store_and_return_is_into_one():
    lines = life(
        ("d1", stick("received", "dock")),
        ("d1", stick("stored", "vault")),
        ("d1", stick("reserve", "pit")),
        ("d1", stick("issued", "CR1")),
        ("d1", stick("reserve", "pit")),
        ("d1", stick("stored", "vault")),
    )
    day = counts.reconcile(BOOK, lines, "dice", "d1")
    assert day["issued"]["sticks"] == 1
    assert day["returned"]["sticks"] == 1
    assert day["received"]["sticks"] == 1


def test_a_reversal_takes_a_posting_back_on_its_own_day():
    lines = life(("d1", stick("received", "dock")))
    merged = stock.merged(lines + [stock.reversed_line(line) for line in lines])
    assert merged == []


def test_what_is_in_an_envelope_is_counted_once():
    envelope = {
        "kind": "envelope",
        "state": "sealed",
        "place": "pit",
        "pieces": 1,
        "attributes": {},
    }
    assert stock.postings(BOOK, None, envelope, {"day": "d1", "at": 0}) == []


def test_a_days_terms_are_its_equation_and_whatever_explains_what_is_left():
    assert counts.terms_of("dice")[:6] == [
        "opening",
        "received",
        "issued",
        "returned",
        "destroyed",
        "lost",
    ]
    assert counts.terms_of("dice")[-1] == "remainder"
    for kind in ("coupons", "seals", "form"):
        told = [term for term in counts.LEFT if term in counts.terms_of(kind)]
        assert "voided" in told
        assert len(told) == 2
