"""Nothing on a label lies on anything else, in a quiet zone or off the paper."""

from __future__ import annotations

import itertools

import pytest

from custody.documents import fonts, labels
from custody.documents.drawing import Bars, Line, Squares, Text
from custody.documents.label_spec import Label
from custody.rules import codes

LONG = "Precision dice stick of five, 19 mm, razor edge, ruby, craps, lot 4711"
NAME = "The Grand Northern Ballroom high limit craps table twenty-four"
FIELDS = (("Table", "Craps 1"), ("Date and time removed", "Dec 1 2026, 05:58"))
SIGNERS = tuple((f"Signer {n}", "Fay Moss, Dec 1 2026, 05:58") for n in range(4))
CLAUSES = ("MD-02.13-H.3.a.i", "MD-02.13-H.3.a.ii", "MD-02.13-K.1")
CASES = [
    Label("D5-001", "51x25"),
    Label(codes.make("DS", 31), "51x25", details=("5 dice", "craps")),
    Label(codes.make("DS", 31), "51x25", details=(LONG,)),
    Label(codes.make("PL", 1), "76x51", "Craps 1", ("table",)),
    Label(codes.make("PL", 1), "76x51", NAME, (LONG,)),
    Label("ABCDEFGHIJKLMNOPQRS", "76x51", NAME, ("table",)),
    Label(codes.make("EV", 7), "102x76", "Used dice", ("1 stick",), FIELDS, SIGNERS, CLAUSES),
    Label(codes.make("EV", 7), "102x76", NAME, ("1 stick",), FIELDS, SIGNERS[:3], CLAUSES),
    Label(codes.make("EV", 7), "102x152", NAME, (LONG,) * 5, FIELDS * 2, SIGNERS, CLAUSES),
]


def box(mark, quiet=False):
    """Left, top, right, bottom in mm; with its quiet zone where the mark is a code."""
    if isinstance(mark, Bars):
        side = 10 * mark.module if quiet else 0.0
        right = mark.x + len(mark.modules) * mark.module
        return mark.x - side, mark.y, right + side, mark.y + mark.height
    if isinstance(mark, Squares):
        side = 4 * mark.module if quiet else 0.0
        edge = len(mark.rows) * mark.module
        return mark.x - side, mark.y - side, mark.x + edge + side, mark.y + edge + side
    if isinstance(mark, Text):
        right = mark.x + fonts.width(mark.text, mark.size)
        return mark.x, mark.y - 0.72 * mark.size, right, mark.y + 0.2 * mark.size
    return mark.x1, mark.y1, mark.x2, mark.y2


def overlap(one, other, slack=0.01):
    return (
        one[0] + slack < other[2]
        and other[0] + slack < one[2]
        and one[1] + slack < other[3]
        and other[1] + slack < one[3]
    )


@pytest.mark.parametrize("dpi", [None, 203, 300])
@pytest.mark.parametrize("label", CASES, ids=lambda label: f"{label.size} {label.code}")
def test_no_text_or_code_overlaps_another_or_a_line(label, dpi):
    marks = labels.draw(label, dpi).marks
    for one, other in itertools.combinations(marks, 2):
        if not (isinstance(one, Line) and isinstance(other, Line)):
            assert not overlap(box(one), box(other)), (one, other)


@pytest.mark.parametrize("dpi", [None, 203, 300])
@pytest.mark.parametrize("label", CASES, ids=lambda label: f"{label.size} {label.code}")
def test_no_ink_lies_in_a_quiet_zone_or_off_the_paper(label, dpi):
    drawing = labels.draw(label, dpi)
    for mark in drawing.marks:
        left, top, right, bottom = box(mark, quiet=isinstance(mark, Bars))
        assert left >= -0.01
        assert top >= -0.01
        assert right <= drawing.width + 0.01
        assert bottom <= drawing.height + 0.01
        for code in drawing.marks:
            if code is not mark and isinstance(code, Bars | Squares):
                assert not overlap(box(mark), box(code, quiet=True)), (mark, code)


@pytest.mark.parametrize("label", CASES, ids=lambda label: f"{label.size} {label.code}")
def test_no_text_is_smaller_than_six_points(label):
    for mark in labels.draw(label).marks:
        if isinstance(mark, Text):
            assert mark.size >= 6 * 25.4 / 72 - 1e-9
