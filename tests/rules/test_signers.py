"""Who fills which slot. Plain functions: they run under both interpreters."""

from custody.rules import people

FLOOR = ["floorperson", "pit_manager"]


def slot(jobs, **more):
    made = {"need": list(jobs), "jobs": dict.fromkeys(jobs, True)}
    made.update(more)
    return made


def person(name, job, **more):
    made = {"id": name, "job": job}
    made.update(more)
    return made


def set_of(by):
    inspection = {"by": by}
    return {"holder": None, "inspection": inspection, "inspectors": by[:1]}


FAY, GUS = person("fay", "floorperson"), person("gus", "floorperson")
PAM, SAM = person("pam", "pit_manager"), person("sam", "security_officer")


def test_two_slots_need_two_people_however_they_stand():
    slots = [slot(FLOOR), slot(["security_officer"])]
    assert people.fill(slots, [SAM, FAY], [], []) == [1, 0]
    assert people.fill(slots, [FAY], [], []) == [0, None]


def test_somebody_who_fills_either_makes_room_for_who_fills_only_one():
    slots = [slot(FLOOR), slot(["pit_manager"])]
    assert people.fill(slots, [PAM, FAY], [], []) == [1, 0]
    assert people.fill([slot(FLOOR), slot(FLOOR)], [FAY], [], []) == [0, None]


def test_the_same_person_twice_is_one_person():
    filled = people.fill([slot(FLOOR), slot(FLOOR)], people.known(One(), ["fay", "fay"]), [], [])
    assert filled == [0, None]


class One:
    def get(self, of, key):
        return {"job": "floorperson"}


def test_a_shared_slot_may_be_filled_by_who_fills_another():
    slots = [slot(FLOOR), slot(["pit_manager"], shared=True)]
    assert people.fill(slots, [PAM], [], []) == [0, 0]
    assert people.fill(slots, [FAY], [], []) == [0, None]


def test_who_performs_signs_first():
    slots = [slot(FLOOR, performs=True), slot(["security_officer"])]
    assert people.fill(slots, [SAM, FAY], [], []) == [None, 0]
    assert people.unfilled(slots[0], [SAM, FAY], [], []) == "signer-first"


def test_the_bar_is_about_a_person_and_a_set():
    look = slot(FLOOR, bar="inspector")
    assert people.misfit(look, FAY, True, [set_of(["fay", "dee"])], []) == "signer-barred"
    assert people.misfit(look, FAY, True, [set_of(["gus", "fay"])], []) == ""
    both = [set_of(["gus", "dee"]), set_of(["fay", "dee"])]
    assert people.misfit(look, FAY, True, both, []) == "signer-barred"


def test_a_relation_asks_for_those_who_signed_the_inspection():
    passes_on = slot(FLOOR, among="inspection")
    assert people.misfit(passes_on, GUS, False, [set_of(["fay", "gus"])], []) == ""
    assert people.misfit(passes_on, PAM, False, [set_of(["fay", "gus"])], []) == "signer-among"
    witness = slot(["dealer"], among="witness")
    dee = person("dee", "dealer")
    assert people.misfit(witness, dee, False, [set_of(["fay", "dee"])], []) == ""
    assert people.misfit(witness, dee, False, [set_of(["fay", "dot"])], []) == "signer-among"


def test_supervision_is_of_a_family_and_nobody_assigned_supervises_nothing():
    both = slot(FLOOR, supervises=True)
    family = ["craps", "mini_craps"]
    assert people.misfit(both, FAY, True, [], family) == "signer-assigned"
    assigned = person("fay", "floorperson", supervises=["mini_craps"])
    assert people.misfit(both, assigned, True, [], family) == ""


def test_who_could_make_it_right_is_told_whatever_their_place():
    look = slot(FLOOR, performs=True, bar="inspector")
    value = set_of(["fay", "dee"])
    assert people.able(look, [SAM, FAY, GUS, PAM], [value], []) == ["gus", "pam"]


def test_an_outside_signer_has_no_id_of_the_house_and_stands_for_nobody_of_it():
    draft = {"by": [{"person": "fay", "how": "badge+pin"}, {"how": "drawn", "agency": "State"}]}
    assert people.ids(draft) == ["fay"]
    assert people.ids({"by": ["fay", {"person": None}]}) == ["fay"]


REGULATOR = {"name": "C. Doe", "agency": "State Gaming", "number": "CR-17", "how": "drawn"}
REGULATOR["job"] = "compliance_representative"


def test_an_outside_signer_who_leaves_out_the_number_signs_for_nobody():
    assert people.outsider(REGULATOR)["license"] == "CR-17"
    for key in people.SAID:
        assert people.outsider(dict(REGULATOR, **{key: " "})) is None
    assert people.outsider(dict(REGULATOR, person="cora")) is None
    assert people.outsider("cora") is None


def test_an_outside_signer_fills_only_a_slot_whose_clause_names_them():
    regulator = people.outsider(REGULATOR)
    named = slot(["compliance_representative"], outside=["compliance_representative"])
    assert people.misfit(named, regulator, False, [], []) == ""
    assert people.misfit(slot(["compliance_representative"]), regulator, False, [], []) != ""


def test_the_same_outside_signer_twice_is_one_person():
    draft = {"by": [REGULATOR, dict(REGULATOR, name="C. M. Doe")]}
    assert [one["name"] for one in people.signing({}, draft)] == ["C. Doe"]
    assert people.names({"by": ["fay", REGULATOR]}) == ["fay", "State Gaming CR-17"]
