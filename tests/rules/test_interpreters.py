"""What holds for the rules under CPython holds under MicroPython, as the handheld runs them."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from custody.rulebooks import loader
from custody.rules import portal
from custody.rules_host import micropython as host
from custody.rules_host.micropython import Portal, PortalError
from tests.rules.scenes import Ledger
from tests.support import micropython

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    ("module", "least"),
    [
        ("test_days.py", 10),
        ("test_amounts.py", 6),
        ("test_signers.py", 9),
        ("test_postings.py", 6),
        ("test_clocks.py", 7),
    ],
)
def test_every_test_of_the_core_passes_under_micropython(module: str, least: int) -> None:
    ran, failed = micropython.failures(HERE / module)
    assert failed == []
    assert ran >= least


@pytest.fixture(scope="module")
def there() -> Any:
    with Portal() as door:
        yield door


def here(name: str, given: dict[str, Any]) -> Any:
    return portal.FUNCTIONS[name](portal.known({}), given)


class Asked:
    """The door with facts from a ledger: what it misses is fetched, as the page does."""

    def __init__(self, ledger: Ledger, answer: Any) -> None:
        self.store = ledger.store
        self.answer = answer
        site = loader.site(ledger.setting)
        answer("load", {"rulebook": loader.rulebook("MD"), "site": site})

    def __call__(self, name: str, given: dict[str, Any]) -> Any:
        facts: dict[str, list[Any]] = {
            key: [] for key in ("records", "at", "sealed", "places", "open")
        }
        for _ in range(12):
            told = self.answer(name, {**given, "facts": facts})
            assert "error" not in told, told
            if not told["missing"]:
                return told["result"]
            for question, *words in told["missing"]:
                if question == "get":
                    facts["records"].append([*words, self.store.get(*words)])
                else:
                    facts[question].append([words[0], getattr(self.store, question)(words[0])])
        raise AssertionError("the door asks without end")


def local(name: str, given: dict[str, Any]) -> Any:
    import json

    return json.loads(portal.call(name, json.dumps(given)))


def test_both_interpreters_answer_judge_fold_form_steps_and_due_alike(there: Portal) -> None:
    ledger = Ledger()
    ledger.at_table("D5-001")
    ledger.at_table("D5-002", "CR2")
    ledger.sealed("D5-002", "EV-2")
    mine, theirs = Asked(ledger, local), Asked(ledger, there.answer)
    later = ledger.now + 30 * 3600 * 1000
    drafts = [
        ledger.draft("remove", "D5-001", "fay dee", reason="rotation"),
        ledger.draft("inspect", "D5-001", "fay", when="end_of_day", result="pass"),
        ledger.draft("collect", "EV-2", "sam"),
        ledger.draft("cancel", "D5-002", "sam", method="drilled", hole="0.1"),
        ledger.draft("count", None, "ann", where="vault", kind="dice", found=["D5-009"]),
    ]
    calls: list[tuple[str, dict[str, Any]]] = []
    for draft in drafts:
        present = {**draft, "present": ["fay", "gus", "sam"]}
        calls += [("judge", {"draft": present}), ("form", {"draft": present})]
        calls.append(("fold", {"event": draft, "event_id": "x"}))
    for subject in ("D5-001", "EV-2", "CR1", "vault", "nothing"):
        given = {"code_or_place": subject, "by": ["fay", "sam"], "now": ledger.now}
        calls.append(("steps", given))
    calls.append(("due", {"codes": ["D5-001", "D5-002", "EV-2"], "now": later}))
    calls.append(("due_counts", {"kind": "dice", "now": later}))
    calls += [("kinds", {"step": step, "now": later}) for step in ("receive", "rebuild", "table")]
    calls.append(("fitting", {"codes": ["D5-001", "nothing"], "table": "CR1"}))
    calls.append(("waiting", {"codes": ["EV-2", "D5-001", "nothing"]}))
    calls.append(("outranks", {"one": "pit_manager", "other": "floorperson"}))
    for name, given in calls:
        assert theirs(name, given) == mine(name, given), (name, given)


def test_both_interpreters_say_every_reason_alike(there: Portal) -> None:
    catalogue = loader.catalogue()
    there.call("catalogue", {"catalogue": catalogue})
    here("catalogue", {"catalogue": catalogue})
    values = {"need": ["floorperson+"], "step": "issue", "field": "seal", "die": 2, "found": ["x"]}
    for code in sorted(catalogue):
        for lang in ("en", "es"):
            given = {"lang": lang, "reason": {"code": code, "values": values}}
            assert there.call("render", given) == here("render", given)


def test_a_call_that_makes_no_sense_is_answered_with_an_error(there: Portal) -> None:
    with pytest.raises(PortalError, match="KeyError"):
        there.call("no such function", {})


def test_an_interpreter_that_cannot_read_the_core_says_what_and_not_its_own_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    core = tmp_path / "rules"
    core.mkdir()
    (core / "portal.py").write_text("WORDS = ('a', *('b', 'c'))\n", "utf-8")
    where = {"custody": tmp_path, "custody.rules_host": files("custody.rules_host")}
    monkeypatch.setenv("CUSTODY_MICROPYTHON", str(host.vendor()))
    monkeypatch.setattr(host, "files", where.__getitem__)

    with Portal() as door:
        for _ in range(3):
            with pytest.raises(PortalError, match="MicroPython ended with status 1"):
                door.answer("codes", {})
    told = capfd.readouterr().err
    assert "SyntaxError" in told
    assert len(told) < 1000
