"""The formats of all GS1 application identifiers (GS1 General Specifications, figure 3.2-1).

A line is a format and the identifiers that have it. A format is a sequence of character sets with
their lengths: `n13x0-17` is thirteen digits, then up to seventeen characters of set 82. A test
holds the table to biip's.
"""

_DIGITS = "0123456789"
_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_SMALL = "abcdefghijklmnopqrstuvwxyz"

SETS = {
    "n": _DIGITS,
    "x": "!\"%&'()*+,-./:;<=>?_" + _DIGITS + _CAPITALS + _SMALL,
    "y": "#-/" + _DIGITS + _CAPITALS,
    "z": "-_" + _DIGITS + _CAPITALS + _SMALL,
    "c": _DIGITS + _CAPITALS,
    "b": "01",
    "o": "0",
    "m": "-",
    "s": "/",
}

_LINES = """
n18 00 8006 8017 8018 8026
n14 01-03 8001
x1-20 10 21 22 243 254 420 4318 7020-7022 710-717 7240 8002 8012
n6 11-13 15-17 3100-3105 3110-3115 3120-3125 3130-3135 3140-3145 3150-3155 3160-3165
n6 3200-3205 3210-3215 3220-3225 3230-3235 3240-3245 3250-3255 3260-3265 3270-3275 3280-3285
n6 3290-3295 3300-3305 3310-3315 3320-3325 3330-3335 3340-3345 3350-3355 3360-3365 3370-3375
n6 3400-3405 3410-3415 3420-3425 3430-3435 3440-3445 3450-3455 3460-3465 3470-3475 3480-3485
n6 3490-3495 3500-3505 3510-3515 3520-3525 3530-3535 3540-3545 3550-3555 3560-3565 3570-3575
n6 3600-3605 3610-3615 3620-3625 3630-3635 3640-3645 3650-3655 3660-3665 3670-3675 3680-3685
n6 3690-3695 3950-3955 4326 7006 8005
n2 20 7241
x1-28 235
x1-30 240 241 250 251 400 401 403 4308 4319 7002 7023 8004 90
n1-6 242
n13x0-17 253
n13n0-12 255
n0-8 30
n1-8 37
n1-15 3900-3909 3920-3929
n3n1-15 3910-3919 3930-3939
n4 3940-3943 8111
n17 402
n13 410-417 7001
n3x1-9 421
n3 422 424 426
n3,6,9,12,15 423 425
x1-3 427 7008
x1-35 4300 4301 4310 4311 4320
x1-70 4302-4306 4312-4316 7257 8110 8112 8200
c2 4307 4317
n20 4309
b1 4321-4323
n10 4324 4325 7003
n6m0-1 4330-4333
n0-4 7004
x1-12 7005
n6,12 7007
x1-10 7009 7255
x1-2 7010
n6,10 7011
n3x1-27 7030-7039
n1x3 7040
x1-4 7041
x3-30 7230-7239
x1-25 7242 8013 8014 8020
n8 7250
n12 7251
n1 7252
x1-40 7253 7254 7259
x1-90 7256 91-99
n1s1n1 7258
o1n13x0-16 8003
x1-34 8007
n8,12 8008
x1-50 8009
y5-30 8010
n1-12 8011
n1-10 8019
z1-90 8030
n15 8040 8041
n32 8042
n18-20 8043
"""

# Dates whose month and day must exist (day 00: the last of the month), with the time after them.
DATES = ("11", "12", "13", "15", "16", "17", "4324", "4325", "4326", "7003", "7006", "7011", "8008")


def _lengths(text: str) -> list[int]:
    if "-" in text:
        low, _, high = text.partition("-")
        return list(range(int(low), int(high) + 1))
    return [int(part) for part in text.split(",")]


def _parts(text: str) -> list[tuple[str, list[int]]]:
    """`n13x0-17` as `[("n", [13]), ("x", [0, ..., 17])]`."""
    parts = []
    start = 0
    for index in range(1, len(text) + 1):
        if index == len(text) or text[index] in SETS:
            parts.append((text[start], _lengths(text[start + 1 : index])))
            start = index
    return parts


def _identifiers(text: str) -> list[str]:
    low, _, high = text.partition("-")
    numbers = range(int(low), int(high or low) + 1)
    return ["0" * (len(low) - len(str(number))) + str(number) for number in numbers]


def _table() -> dict[str, list[tuple[str, list[int]]]]:
    table = {}
    for line in _LINES.strip().split("\n"):
        words = line.split(" ")
        for word in words[1:]:
            for ai in _identifiers(word):
                table[ai] = _parts(words[0])
    return table


FORMATS = _table()
