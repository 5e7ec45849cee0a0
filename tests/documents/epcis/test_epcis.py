"""Custody's events in GS1's EPCIS 2.0: valid by its schema, and true to what happened."""

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from custody.documents.epcis import event, names
from custody.documents.epcis.event import Struck
from tests.documents.epcis import entries
from tests.documents.epcis.entries import entry, faults, told, written

VOCABULARY = Path(event.__file__).parents[2] / "rulebooks" / "vocabulary.toml"
LEFT_OUT = {"access", "table", "notify", "requisition", "correct", "resolve", "administer"}


def one(**line: Any) -> dict[str, Any]:
    [made] = told(entry(**line))
    return made


def test_every_step_of_the_vocabulary_has_an_entry_or_a_reason_to_have_none() -> None:
    known = set(tomllib.loads(VOCABULARY.read_text())["steps"])
    mapped = set(event.steps()) - {"left_out", event.OFF_SITE, event.LOST}
    assert mapped | set(event.steps()["left_out"]) == known
    assert set(event.steps()["left_out"]) == LEFT_OUT


def test_every_step_of_every_scenario_is_valid_by_the_schema_of_epcis() -> None:
    made = [(found, one_) for found in entries.of_scenarios() for one_ in told(found)]
    assert faults(written([one_ for _, one_ in made])) == []
    seen = {found["event"]["step"] for found, _ in made}
    assert seen == set(event.steps()) - {"left_out", event.OFF_SITE, event.LOST}
    silent = {one_["event"]["step"] for one_ in entries.of_scenarios()} - seen
    assert silent == LEFT_OUT


def test_each_event_is_named_once() -> None:
    ids = [one_["eventID"] for found in entries.of_scenarios() for one_ in told(found)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    "broken",
    [
        {"bizStep": "shredding"},
        {"disposition": "gone"},
        {"epcList": ["D5-001"]},
        {"step": "store"},
        {"eventTime": "yesterday"},
        {"eventTimeZoneOffset": "-5"},
        {"action": "MOVE"},
        {"readPoint": {"id": "vault"}},
        {"ilmd": {"custody:kind": "dice"}},
    ],
)
def test_the_schema_that_judges_them_refuses_what_epcis_does_not_know(
    broken: dict[str, Any],
) -> None:
    made = one(step="store", items=["D5-001"], to="vault", by=["fay"])
    assert faults(written([made])) == []
    assert faults(written([{**made, **broken}]))


def test_what_comes_in_begins_with_its_master_data_and_its_invoice() -> None:
    made = one(
        step="receive",
        kind="dice",
        form="stick",
        attributes={"size": 5},
        items=["D5-001..D5-002"],
        to="dock",
        by=["fay"],
        **{"with": {"invoice": "INV 1/7"}},
    )
    assert (made["type"], made["action"], made["bizStep"]) == ("ObjectEvent", "ADD", "receiving")
    assert made["epcList"] == ["urn:custody:oak:obj:D5-001", "urn:custody:oak:obj:D5-002"]
    assert made["ilmd"]["custody:attributes"] == {"custody:size": 5}
    invoice = {"type": "inv", "bizTransaction": "urn:custody:oak:bt:INV%201%2F7"}
    assert made["bizTransactionList"] == [invoice]
    assert made["eventTime"] == "2026-12-01T08:00:00.000-05:00"
    assert made["eventTimeZoneOffset"] == "-05:00"
    assert made["recordTime"] == "2026-12-01T13:00:05.000+00:00"


def test_a_gs1_key_is_a_digital_link_and_a_code_of_the_house_a_urn() -> None:
    name = names.Namer("oak")
    assert name.item("(01)00012345678905(21)S/9") == "https://id.gs1.org/01/00012345678905/21/S%2F9"
    assert name.item("(00)000123450000000010") == "https://id.gs1.org/00/000123450000000010"
    assert name.item("(01)00012345678906(21)S1").startswith("urn:custody:oak:obj:%2801%29")
    assert name.item("0012345678905") == "urn:custody:oak:obj:0012345678905"
    assert name.quantity("012345678905", 3)["epcClass"] == "https://id.gs1.org/01/00012345678905"


def test_packing_and_opening_are_an_aggregation_and_its_end() -> None:
    packed = one(step="pack", items=["D5-001"], into="EV-1", to="pit1", by=["fay"])
    assert (packed["type"], packed["action"]) == ("AggregationEvent", "ADD")
    assert packed["parentID"] == "urn:custody:oak:obj:EV-1"
    assert packed["childEPCs"] == ["urn:custody:oak:obj:D5-001"]
    opened = told(entry(step="open", items=["EV-1", "EV-2"], by=["fay"]))
    assert [made["parentID"][-4:] for made in opened] == ["EV-1", "EV-2"]
    assert [made["eventID"][-2:] for made in opened][1] == ":2"
    assert {made["action"] for made in opened} == {"DELETE"}
    assert faults(written([packed, *opened])) == []


def test_serials_of_a_lot_are_told_and_the_lot_is_not_said_to_have_ended() -> None:
    fields = {"serials": ["MP-000007", "MP-000010..MP-000012"], "table": "BJ1"}
    made = one(step="redeem", items=["CL-01"], to="drop", by=["fay"], **{"with": fields})
    assert made["epcList"] == ["urn:custody:oak:obj:MP-000007"]
    assert made["quantityList"] == [
        {"epcClass": "urn:custody:oak:class:MP-000010..MP-000012", "quantity": 3}
    ]
    assert made["custody:lots"] == ["CL-01"]
    assert (made["action"], made["bizStep"]) == ("DELETE", "decommissioning")
    assert "bizLocation" not in made
    void = {"with": {"serials": ["000003"]}}
    seal = one(step="mark_void", items=["SL-RED"], by=["fay"], **void)
    assert seal["epcList"] == ["urn:custody:oak:obj:SL-RED%2F000003"]
    coupon = one(step="mark_void", items=["CL-02"], by=["fay"], **void)
    assert coupon["epcList"] == ["urn:custody:oak:obj:000003"]


def test_a_lot_that_comes_in_tells_its_serials_as_a_quantity_however_many() -> None:
    ends = {"first": "000001", "last": "900000"}
    seals = one(step="receive", kind="seals", attributes=ends, items=["SL-RED"], to="sec")
    run = "urn:custody:oak:class:SL-RED%2F000001..SL-RED%2F900000"
    assert seals["quantityList"] == [{"epcClass": run, "quantity": 900_000}]
    assert seals["epcList"] == ["urn:custody:oak:obj:SL-RED"]
    assert faults(written([seals])) == []


def test_a_count_tells_what_was_found_and_that_nothing_was() -> None:
    found = {"D5-001": 1, "CL-01": 378, "012345678905": 4}
    made = one(step="count", kind="dice", where="vault", by=["fay"], **{"with": {"found": found}})
    assert made["epcList"] == ["urn:custody:oak:obj:D5-001"]
    assert [part["quantity"] for part in made["quantityList"]] == [378, 4]
    none = one(step="count", kind="dice", where="vault", by=["fay"], **{"with": {"found": []}})
    assert none["quantityList"] == [{"epcClass": "urn:custody:oak:kind:dice", "quantity": 0}]
    assert faults(written([made, none])) == []


def test_pieces_out_of_a_case_are_a_quantity() -> None:
    made = one(step="issue", items=["CASE-0007*12"], to="pit1", by=["fay"])
    about = {"epcClass": "urn:custody:oak:class:CASE-0007", "quantity": 12}
    assert made["quantityList"] == [about]


def test_what_a_vendor_has_not_certified_is_not_destroyed_yet() -> None:
    sent = {"method": "shredded", "vendor": "shredding firm"}
    made = one(step="destroy", items=["DK-001"], where="shred", by=["sam"], **{"with": sent})
    assert (made["action"], made["disposition"]) == ("OBSERVE", "disposed")
    done = {**sent, "certificate": "C-1"}
    made = one(step="destroy", items=["DK-001"], where="shred", by=["sam"], **{"with": done})
    assert (made["action"], made["disposition"]) == ("DELETE", "destroyed")


def test_what_is_cancelled_has_ended_and_is_destroyed_where_it_was_drilled() -> None:
    for method, disposition in (("drilled", "destroyed"), ("system", "inactive")):
        made = one(step="cancel", items=["D5-001"], by=["sam"], **{"with": {"method": method}})
        assert (made["action"], made["disposition"]) == ("DELETE", disposition)


def test_an_adjustment_says_whether_a_thing_was_found_or_is_lost() -> None:
    lost = one(step="adjust", items=["D5-001"], by=["sam"], **{"with": {"reason": "gone"}})
    assert (lost["disposition"], "bizLocation" in lost) == ("unknown", False)
    found = one(step="adjust", items=["D5-001"], to="vault", by=["sam"])
    assert ("disposition" in found, "bizLocation" in found) == (False, True)
    assert faults(written([lost, found])) == []


def test_an_inspection_tells_its_result_as_a_disposition() -> None:
    for result, disposition in (("pass", "conformant"), ("fail", "non_conformant")):
        made = one(step="inspect", items=["D5-001"], by=["fay"], **{"with": {"result": result}})
        assert made["disposition"] == disposition


def test_a_fact_happened_when_it_happened() -> None:
    fact = {"fact": {"why": "late", "at": 1_796_130_000_000 - 3_600_000}}
    made = one(step="store", items=["D5-001"], to="vault", by=["fay"], **{"with": fact})
    assert made["eventTime"] == "2026-12-01T07:00:00.000-05:00"
    assert made["custody:recorded"] == "2026-12-01T13:00:00.000+00:00"


def test_a_corrected_event_carries_its_error_declaration() -> None:
    struck = Struck("ff" * 32, 1_796_130_000_000)
    [made] = told(entry(step="store", items=["D5-001"], to="vault"), struck=struck)
    assert made["errorDeclaration"] == {
        "declarationTime": "2026-12-01T13:00:00.000+00:00",
        "reason": "did_not_occur",
        "custody:correction": "urn:custody:oak:event:" + "ff" * 32,
    }
    assert faults(written([made])) == []


def test_what_was_raised_is_told_beside_and_is_no_disposition() -> None:
    [made] = told(entry(step="store", items=["D5-001"], to="vault"), raised=["rule-broken"])
    assert made["custody:exceptions"] == ["rule-broken"]
    assert "disposition" not in made


def test_nobodys_name_and_no_drawn_signature_leaves_the_house() -> None:
    guest = {"name": "Pat Doe", "agency": "the agency", "number": "7", "signature": "M1 1L2 2"}
    made = one(step="hand_over", items=["EV-1"], to="comm", by=["sam", guest])
    person, outside = made["custody:signers"]
    assert person["custody:person"] == "urn:custody:oak:party:sam"
    assert outside == {"custody:agency": "the agency", "custody:number": "7"}


def test_what_goes_into_somebodys_hands_is_at_no_place() -> None:
    made = one(step="issue", items=["SL-RED"], to="fay", by=["sam", "fay"], **{"from": "vault"})
    assert "bizLocation" not in made
    assert made["destinationList"] == [
        {"type": "possessing_party", "destination": "urn:custody:oak:party:fay"}
    ]
    assert made["sourceList"] == [{"type": "location", "source": "urn:custody:oak:loc:vault"}]


def test_a_clock_and_an_offset_out_of_all_bounds_are_still_written() -> None:
    wild = entry(step="store", items=["D5-001"], to="vault")
    for at, offset in ((-(10**17), 0), (10**17, -300), (0, 900)):
        odd = copy.deepcopy(wild)
        odd["event"].update(at=at, offset=offset)
        assert faults(written(told(odd))) == []


def test_what_names_no_object_or_cannot_be_read_is_left_out() -> None:
    assert told(entry(step="access", where="vault")) == []
    assert told(entry(step="store", items=[], to="vault")) == []
    assert told({**entry(step="store", items=["D5-001"]), "event": None}) == []
    assert told(entry(step="left_out", items=["D5-001"])) == []


def test_a_document_without_events_is_one() -> None:
    assert faults(written([])) == []
