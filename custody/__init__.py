"""The custody record of a casino's dice, cards, tiles and coupons."""
