"""The gaming days at whose end coupons are due in accounting."""

from . import coupons, days
from .shapes import Any, Json


def _kept(book: Json, value: Json) -> Any:
    """The gaming day at whose end leftovers go back; none where marketing may keep them: then only
    their expiry sends them back.
    """
    return None if coupons.carries_over(book) else value.get("until") or None


def _expiry(book: Json, value: Json) -> Any:
    """The last gaming day of the coupon, or that on which it was given out, if that is later."""
    expires = value["attributes"].get("expires")
    return max(str(expires), value.get("until") or "") if expires else None


def _day_after(book: Json, value: Json) -> Any:
    """The gaming day after the one in which it was redeemed."""
    redeemed = value.get("redeemed")
    return days.name(days.number(redeemed["day"]) + 1) if redeemed else None


# The gaming days at whose end a clock with `ends` runs out.
LAST_DAYS: Json = {"kept": _kept, "expiry": _expiry, "day_after_redemption": _day_after}
