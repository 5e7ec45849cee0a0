"""Periods of a rulebook compared: hours pass as they pass, a day has 23 to 25, a month 28 to 31."""

from __future__ import annotations

Period = dict[str, int]
HOURS = {"hours": (1, 1), "days": (23, 25), "months": (28 * 24 - 1, 31 * 24 + 1)}


def within(shorter: Period, longer: Period) -> bool:
    """Tell whether a period is never longer than another: 4 hours are within 24, 30 days not
    within 1 month.
    """
    (unit, number), (other, most) = _one(shorter), _one(longer)
    if unit == other:
        return number <= most
    return number * HOURS[unit][1] <= most * HOURS[other][0]


def said(period: Period) -> str:
    """Return a period in words: "24 hours"."""
    unit, number = _one(period)
    return f"{number} {unit}"


def _one(period: Period) -> tuple[str, int]:
    [(unit, number)] = period.items()
    return unit, number
