"""Whatever is said about a code, a label or a photo has its sentence in both languages."""

from __future__ import annotations

import re
import string
import tomllib
from importlib.resources import files

import pytest

from custody.rules import codes

PLACES = {
    "sentences_scan.toml": ("custody.rules", r'"(scan\.[a-z_0-9]+)"', ("codes", "gs1")),
    "sentences_documents.toml": (
        "custody.documents",
        r'"((?:label|photo|report|table)\.[a-z_0-9]+)"',
        ("",),
    ),
}


def catalogue(name):
    tables = tomllib.loads(files("custody.rulebooks").joinpath(name).read_text("utf-8"))
    return {f"{area}.{code}": text for area in tables for code, text in tables[area].items()}


def said(name):
    package, pattern, starts = PLACES[name]
    sources = [
        path.read_text("utf-8")
        for path in files(package).iterdir()
        if path.name.endswith(".py") and path.name.startswith(starts)
    ]
    return {code for source in sources for code in re.findall(pattern, source)}


@pytest.mark.parametrize("name", list(PLACES))
def test_every_code_that_is_said_has_its_sentence_and_no_sentence_is_spare(name):
    assert sorted(said(name)) == sorted(catalogue(name))


@pytest.mark.parametrize("name", list(PLACES))
def test_english_and_spanish_name_the_same_values(name):
    for code, text in catalogue(name).items():
        assert set(text) == {"en", "es"}, code
        english, spanish = (
            {field for _, field, _, _ in string.Formatter().parse(text[one]) if field}
            for one in ("en", "es")
        )
        assert english == spanish, code


SCANS = (
    *("", "ev-004217", "EV-0004217B", "EV-004217C", "EV)àà'é&è", "ß1", "José", "a b", "X" * 65),
    *("D5-1..D5-2", "*EV-1", "EV-1#", "EV-1EV-2", "https://x.example", "]C1999", "]C110A"),
    *("]E00012345678906", "]C1010001234567890510LOT721S0009917"),
)
RUNS = (
    "D5-2..D5-1",
    "D5-1..D5-02",
    "D5-1..TS-2",
    "D5-1..D5-999999",
    "D5 1",
    "D5-000001..D5-200000",
)


def mistakes():
    for text in RUNS:
        yield codes.expand, text
    for text in ("CASE-1", "CASE-1*0"):
        yield codes.expand_case, text
    yield codes.require_sound, "EV-0004217B"


def test_every_warning_of_a_scan_fills_its_sentence():
    texts = catalogue("sentences_scan.toml")
    for raw in SCANS:
        for layout in (None, {"typed": True}):
            for warning in codes.parse(raw, layout)["warnings"]:
                assert texts[warning["code"]]["en"].format(**warning["values"])


def test_every_mistake_in_a_run_fills_its_sentence():
    texts = catalogue("sentences_scan.toml")
    for call, text in mistakes():
        with pytest.raises(codes.CodeError) as raised:
            call(text)
        assert texts[raised.value.code]["es"].format(**raised.value.values)
    for number in (-1, 10**7):
        with pytest.raises(codes.CodeNumberError) as raised:
            codes.make("EV", number)
        assert texts[raised.value.code]["en"].format(**raised.value.values)
