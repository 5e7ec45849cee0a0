"""Labels of envelopes say what their clause asks for, and never the seal's number."""

from __future__ import annotations

import csv
import tomllib
from importlib.resources import files

import pytest

from custody.documents import envelopes, labels
from custody.documents.errors import SealOnLabelError
from custody.rules import codes
from tests.documents import reading

BAG = codes.make("EV", 4217)
SEAL = "S0009917"
BOOK = tomllib.loads(files("custody.documents").joinpath("envelopes.toml").read_text("utf-8"))
CLAUSES = {
    line["id"]
    for line in csv.DictReader(
        files("custody.rulebooks").joinpath("clauses.csv").read_text("utf-8").splitlines()
    )
}


def envelope(purpose, kind="dice", seal=SEAL, code=BAG):
    return {"code": code, "purpose": purpose, "kind_inside": kind, "seal": seal}


def captions(label):
    return [caption for caption, _ in label.fields], [caption for caption, _ in label.signers]


@pytest.mark.parametrize(
    ("regime", "purpose", "fields", "signers"),
    [
        (
            "MD",
            "used",
            ["Table", "Date and time removed"],
            ["Runs the game", "Floorperson", "Collected by (security)"],
        ),
        (
            "MD",
            "tampering",
            ["Table", "Date and time removed"],
            ["Runs the game", "Floorperson", "Delivered by"],
        ),
        (
            "MD",
            "reserve_destroy",
            ["Pit stand", "Date and time enclosed"],
            ["Pit manager or above", "Collected by (security)"],
        ),
        (
            "MD",
            "reserve_inspected",
            ["Date inspected", "Number of pieces"],
            ["Inspected by", "Inspection observed by"],
        ),
        (
            "NY",
            "reserve_destroy",
            ["Date and time"],
            ["Management", "Collected by (security)"],
        ),
    ],
)
def test_a_dice_envelope_has_the_lines_and_signatures_of_its_clause(
    regime, purpose, fields, signers
):
    label = envelopes.label_for(envelope(purpose), regime)
    assert captions(label) == (fields, signers)


def test_the_label_of_reserve_for_destruction_names_the_pit_stand_and_no_table():
    label = envelopes.label_for(
        envelope("reserve_destroy"), "MD", fields={"pit_stand": "Pit 1", "table": "CR1"}
    )
    text = reading.text_of(labels.render([label], "pdf"))
    assert "Pit 1" in text
    assert "CR1" not in text


def test_what_is_known_is_printed_and_what_is_not_is_left_to_be_written():
    label = envelopes.label_for(
        envelope("used"),
        "MD",
        fields={"table": "Craps 1"},
        signatures={"floorperson": "Fay Moss, Dec 1 2026 05:58"},
    )
    assert label.fields == (("Table", "Craps 1"), ("Date and time removed", ""))
    assert dict(label.signers)["Floorperson"] == "Fay Moss, Dec 1 2026 05:58"
    assert dict(label.signers)["Runs the game"] == ""


def test_a_purpose_that_no_clause_speaks_of_has_the_general_label():
    label = envelopes.label_for(envelope("preshuffled", "cards"), "US542")
    assert label.title == "Envelope"
    assert captions(label)[1] == ["Packed by", "Witness", "Collected by (security)"]


def test_every_label_fits_both_envelope_sizes_in_both_languages_and_is_read():
    for entry in BOOK["label"]:
        for language in ("en", "es"):
            for size in ("102x76", "102x152"):
                label = envelopes.label_for(
                    envelope(entry["purpose"], entry["kinds"][0]),
                    entry["regime"],
                    language=language,
                    size=size,
                    details=("3 sticks, 15 dice",),
                )
                assert label.title == entry["title"][language]
                image = reading.picture(labels.render([label], "png", 203))
                assert ("CODE128", BAG) in reading.codes_in(image)


def test_every_clause_of_a_label_is_in_the_list_of_clauses():
    for entry in BOOK["label"]:
        assert set(entry["clauses"]) <= CLAUSES, entry["clauses"]


@pytest.mark.parametrize("form", ["pdf", "png", "zpl"])
def test_no_label_prints_the_number_of_the_seal(form):
    for entry in BOOK["label"]:
        label = envelopes.label_for(envelope(entry["purpose"], entry["kinds"][0]), entry["regime"])
        data = labels.render([label], form)
        assert SEAL.encode() not in data
        if form == "pdf":
            assert SEAL not in reading.text_of(data)


def test_a_bag_whose_code_is_its_seal_gets_no_label_with_it():
    with pytest.raises(SealOnLabelError, match="a code of its own"):
        envelopes.label_for(envelope("used", code=SEAL), "MD")


def test_a_seal_number_written_into_a_field_is_refused():
    with pytest.raises(SealOnLabelError):
        envelopes.label_for(envelope("used"), "MD", fields={"table": f"CR1 seal {SEAL}"})
    with pytest.raises(SealOnLabelError):
        envelopes.label_for(envelope("used"), "MD", details=(f"sealed with {SEAL}",))
