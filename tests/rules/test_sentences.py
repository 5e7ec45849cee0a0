"""The catalogue: every reason, step and word in both languages, and nothing left unfilled."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from custody.rulebooks import loader
from custody.rulebooks.errors import RulebookError
from custody.rules import conditions, core, field_types, sentences
from tests.rules.scenes import Ledger

CATALOGUE = loader.catalogue()
RULES = Path(conditions.__file__).parent
VOCABULARY = loader.rulebook("MD")["vocabulary"]


def codes_in_use() -> set[str]:
    """Return every reason's code: those that the core names, and those that the rulebooks name."""
    found = set(conditions.CODES.values())
    for path in RULES.glob("*.py"):
        text = path.read_text("utf-8")
        found |= set(re.findall(r'reasons\.add\(\s*\w+,\s*"([a-z-]+)"', text))
        found |= set(re.findall(r'"(signer-[a-z]+)"', text))
    for path in RULES.parent.joinpath("rulebooks").glob("*.toml"):
        found |= set(re.findall(r'code = "([a-z-]+)"', path.read_text("utf-8")))
    return found


@pytest.mark.parametrize("code", sorted(codes_in_use()))
def test_a_reason_has_a_sentence_and_what_would_make_it_right_in_both_languages(code: str) -> None:
    for key in (code, f"fix.{code}"):
        texts = CATALOGUE[key]
        assert set(texts) == {"en", "es"}
        assert texts["en"] != texts["es"]
        assert marks(texts["en"]) == marks(texts["es"]), key


def marks(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


def test_every_word_of_the_vocabulary_has_its_name_in_both_languages() -> None:
    wanted = {f"step.{step}" for step in VOCABULARY["steps"]}
    wanted |= {f"state.{state['name']}" for state in VOCABULARY["states"]}
    wanted |= {f"place.{kind}" for kind in VOCABULARY["places"]["types"]}
    wanted |= {f"exception.{kind}" for kind in VOCABULARY["exceptions"]["words"]}
    wanted |= {f"word.{purpose['name']}" for purpose in VOCABULARY["purposes"]}
    wanted |= {f"word.{kind}" for kind in VOCABULARY["kinds"]}
    wanted |= {f"field.{name}" for name in VOCABULARY["everywhere"]}
    for step in VOCABULARY["steps"].values():
        wanted |= {f"field.{name}" for name in step["fields"]}
    for department in VOCABULARY["departments"]:
        ranked = [job for rank in department["ranks"] for job in rank]
        wanted |= {
            f"job.{job}" for job in [department["name"], *ranked, *department.get("beside", [])]
        }
        wanted |= {f"job.{job}+" for job in ranked}
    wanted |= {f"job.{group['name']}" for group in VOCABULARY["groups"]}
    missing = sorted(key for key in wanted if set(CATALOGUE.get(key, {})) != {"en", "es"})
    assert missing == []


def test_a_field_that_is_wrongly_typed_is_told_what_it_must_be_not_what_the_schema_calls_it() -> (
    None
):
    fields = [spec for step in VOCABULARY["steps"].values() for spec in step["fields"].values()]
    for kind in {spec["type"] for spec in fields} - {"fact"}:
        assert CATALOGUE[f"wants.{kind}"].keys() == {"en", "es"}
    reason = {"code": "field-type", "values": {"field": "serials", "type": "serials"}}
    told = [sentences.render(CATALOGUE, lang, reason) for lang in ("en", "es")]
    assert told == [
        "Serials must be a list of numbers, or a range of them.",
        "Números debe ser una lista de números, o un intervalo.",
    ]


def test_every_checklist_line_is_in_the_catalogue() -> None:
    for entry in loader.rulebook("MD")["step"]:
        for line in entry.get("checklist", []):
            assert set(CATALOGUE[f"line.{line['line']}"]) == {"en", "es"}


def told(reasons: list[dict[str, Any]], lang: str = "en") -> list[str]:
    return [sentences.render(CATALOGUE, lang, reason) for reason in reasons]


def test_a_refusal_is_a_sentence_in_the_readers_language() -> None:
    ledger = Ledger()
    ledger.receive("D5-001")
    reasons = ledger.reasons("store", "D5-001", "fay", to="vault")
    assert told(reasons) == ["A signature is missing: security."]
    assert told(reasons, "es") == ["Falta una firma: seguridad."]
    assert sentences.fix(CATALOGUE, "en", reasons[0]) == "Have security sign."


def test_a_rank_or_above_is_said_in_words() -> None:
    ledger = Ledger()
    ledger.receive("D5-001")
    reasons = ledger.reasons("store", "D5-001", "sam", to="vault")
    assert told(reasons) == ["A signature is missing: floorperson or above."]
    assert told(reasons, "es") == ["Falta una firma: jefe de mesa o superior."]


def test_an_exception_says_its_kind_and_the_rule_that_was_broken() -> None:
    raised = {"kind": "rule-broken", "values": {"reason": "signer-missing", "need": ["security"]}}
    text = sentences.exception(CATALOGUE, "en", raised)
    assert text == "A rule was broken: A signature is missing: security."
    assert sentences.exception(CATALOGUE, "es", {"kind": "clock", "values": {}}) == (
        "El reloj del dispositivo iba mal"
    )


def test_no_reason_of_any_refused_step_leaves_a_gap_in_its_sentence() -> None:
    ledger = Ledger(measures="required")
    ledger.at_table_measured("D5-001")
    for step in VOCABULARY["step_order"]:
        for place in ("vault", "CR1", "shred", "nowhere"):
            draft = ledger.draft(step, "D5-001", "dee", to=place, where=place, into="D5-001")
            draft["with"] = {"hole": "0.1", "reason": "nothing", "instruments": ["magnet"], "x": 1}
            for reason in core.judge(ledger.book, ledger.store, draft)["reasons"]:
                for lang in ("en", "es"):
                    text = sentences.render(CATALOGUE, lang, reason)
                    assert "…" not in text, (reason, text)
                    assert "{" not in text
                    assert "…" not in sentences.fix(CATALOGUE, lang, reason), reason


def test_the_rules_know_every_type_of_field() -> None:
    kinds = {
        spec["type"] for step in VOCABULARY["steps"].values() for spec in step["fields"].values()
    }
    assert field_types.well_typed("bool", True)
    assert not field_types.well_typed("int", True)
    assert not field_types.well_typed("word", 3)
    assert {"word", "words", "bool", "int", "text", "code", "measures"} <= kinds


def test_a_sentence_stands_in_one_file_only() -> None:
    one = '[wrong-state]\nen = "a"\nes = "b"\n'
    with pytest.raises(RulebookError, match=r"two.toml, line 2: 'wrong-state' stands in another"):
        loader.catalogue_of([("one.toml", one), ("two.toml", "#\n" + one)])
