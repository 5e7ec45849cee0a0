"""The custody record of a casino's dice, cards, tiles and coupons."""

__version__ = "0.1.0"
