"""The words of a rulebook's own grammar, for the check of it. README.md explains them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

TOP = (
    *("id", "regime", "version", "in_force", "title"),
    *("control", "family", "limits", "step", "rule", "clock", "count", "fact"),
    *("approval", "record", "paper"),
)
TIMES = ("in_force", "until")
PARTS = {
    "step": (
        *("step", "when", "clause", "house", "signers", "fields", "needs", "checklist", "noted"),
        *TIMES,
    ),
    "rule": (
        *("step", "when", "clause", "house", "signers", "fields", "needs", "checklist"),
        *TIMES,
    ),
    "clock": (
        *(
            "when",
            "clause",
            "start",
            "period",
            "every",
            "soon",
            "stopped_by",
            "control_period",
            "taken",
            "ends",
            "ended_by",
            "control_time",
        ),
        *TIMES,
    ),
    "count": ("kinds", "clause", "period", "variance", "soon", "also", *TIMES),
    "family": ("clause", "games"),
    "approval": ("name", "of", "kinds", "clause", *TIMES),
    "paper": ("step", "when", "clause", "house", "original", "duplicate", *TIMES),
    "record": ("name", "kinds", "every", "clause", *TIMES),
}
# What a regulator approves besides the words of a control, and what a record is kept of: each is
# made by the desk's page of the name, from the log alone.
APPROVED = ("design", "place", "procedure", "source")
RECORDS = (
    *("inventory", "reconciliation", "redeemed_value"),
    *("documentation", "access", "changes", "review"),
)
EVERY = ("gaming_day", "month", "quarter")
CONTROL = ("clause", "words", "absent", "lapsed", "type", "most", "unit", "only")
FACT = ("house", "need")
LIMIT = ("clause", "games", "least", "most", "tolerance", "unit")
PERIOD = ("hours", "days", "months")
LINE = ("line", "clause", "when")
SIGNER = (
    "need",
    "clause",
    "performs",
    "beside",
    "shared",
    "supervises",
    "free",
    "assigned",
    "bar",
    "among",
    "compatible",
    "when",
)
RELATIONS = ("inspector", "inspection", "witness", "holder", "swap")
FIELD = ("name", "required", "words", "all", "is", "least", "unit", "clause", "if")
NEED = ("is", "clause", "code", "raises", "noted", "when")

# Each condition with the arguments that it takes.
NEEDS: dict[str, tuple[str, ...]] = {
    "state": ("any",),
    "from": ("types", "uses"),
    "to": ("types", "uses"),
    "where": ("types", "uses"),
    "never": (),
    "approved": ("roles",),
    "design": (),
    "on_site": (),
    "table_open": ("open",),
    "fits_game": (),
    "pieces": ("count",),
    "inspected": ("at",),
    "fresh": (),
    "unused": (),
    "since_open": (),
    "none_left": ("kind",),
    "clean": (),
    "reported": ("form", "removed_for", "failed"),
    "not_suspect": (),
    "suspect": ("removed_for",),
    "looked": (),
    "sealed": ("purpose",),
    "seal_fresh": (),
    "label_table": (),
    "from_tables": (),
    "carrier": (),
    "signed": ("waivable",),
    "measured": (),
    "own_hold": (),
    "either": ("fields",),
    "apart": (),
    "alone": (),
    "empty": (),
    "preinspected": (),
    "pit": (),
    "opened": (),
    "reserve_only": (),
    "same_place": (),
    "vessel": ("by",),
    "exception_open": (),
    "supervisor": ("event", "jobs"),
    "uncorrected": ("event",),
    "day_over": (),
    "day_open": (),
    "day_signer": ("event",),
    "backings": ("game", "least"),
    "unexpired": (),
    "unredeemed": (),
    "licensed": ("of",),
    "described": ("all",),
    "invoiced": (),
    "deviates": (),
    "requisitioned": (),
    "requested": (),
    "quantity": (),
    "carried": (),
    "control": ("name", "chosen"),
    "against_house": ("never",),
    "lot_named": (),
    "seal_usable": (),
    "seal_unused": (),
    "form_usable": (),
    "form_way": (),
    "forms_taken": (),
    "form_filed": (),
    "table_named": (),
    "at_table": (),
    "into_drop": (),
    "explained": (),
    "batch_described": ("fields",),
    "whole_batch": (),
    "decks_named": (),
    "young": ("months",),
    "plastic": (),
    "whole_deck": (),
    "replacement": (),
    "wrapped": (),
    "fit": (),
    "checks": ("all", "some", "or"),
    "checked_or_shuffled": (),
    "told": ("field",),
    "spare_deck": (),
    "examined": ("sampling", "result", "given_back"),
    "sampled": (),
    "reusable": ("game",),
    "reuse_chosen": (),
    "never_given_back": (),
    "notice": ("field", "hours"),
    "batch_size": (),
    "preshuffled": (),
    "one_batch": (),
    "batch_seal": (),
    "same_vendor": (),
    "whole_set": ("pieces",),
    "clean_set": (),
    "named_pieces": (),
    "taken": (),
    "sources": ("ask",),
    "key_rank": ("jobs",),
    "where_named": (),
    "informed": ("form", "suspect", "or_told"),
    "one_pool": (),
    "independent": (),
    "authorized": ("jobs",),
    "watched": (),
    "original_container": (),
    "card_count": ("cards", "jokers", "most"),
}

# What a clock may start from besides steps: the first play, the first card that was replaced.
# The gaming days at whose end a clock may run out.
ENDS = ("kept", "expiry", "day_after_redemption", "gaming_day")

STARTS = ("first_play", "replacement", "commission_told")

CLOCK_TRAITS = (
    *("kind", "form", "state", "game", "vessel", "place", "handled", "purpose"),
    *("removed_for", "hold", "released_by", "suspect", "replacement", "wrapped"),
    *("unfit", "plastic", "reuse"),
)


# What tells the forms of a step apart, and the step that stands for any other one.
PAPER_TRAITS = ("kind", "report")
ANY_STEP = "any"

YES_OR_NO = (
    *("part", "plastic", "rfid", "replacement", "forced", "wrapped", "sent"),
    *("mailed", "printed", "counted_in", "redeemed", "unfit", "reuse"),
)


def names(entries: list[dict[str, Any]]) -> list[str]:
    """Return the names of a list of named tables, in their order."""
    return [entry["name"] for entry in entries]


def jobs(vocabulary: dict[str, Any]) -> list[str]:
    """Return the words that `need` may hold: departments, jobs, `job+`, groups, `anyone`."""
    found = ["anyone", *names(vocabulary["groups"])]
    for department in vocabulary["departments"]:
        ranked = [job for rank in department["ranks"] for job in rank]
        found += [department["name"], *ranked, *[f"{job}+" for job in ranked]]
        found += department.get("beside", [])
    return found


def traits(vocabulary: dict[str, Any]) -> dict[str, list[str] | None]:
    """Return the traits that `when` may name, each with its words (None: any word)."""
    steps = vocabulary["steps"]

    def of(step: str, field: str) -> list[str]:
        return list(steps[step]["fields"][field]["words"])

    types = vocabulary["places"]["types"]
    uses = vocabulary["places"]["uses"]
    states = names(vocabulary["states"])
    return {
        "kind": list(vocabulary["kinds"]),
        "form": [form for kind in vocabulary["kinds"].values() for form in kind["forms"]],
        "state": states,
        "from": types,
        "from_use": uses,
        "to": types,
        "to_use": uses,
        "where": types,
        "place": types,
        "game": vocabulary["games"]["words"],
        "inside": ["loose", "carried", "hidden"],
        "ready": ["no", "inspected", "preinspected"],
        "removed_for": of("remove", "reason"),
        "purpose": names(vocabulary["purposes"]),
        "hold": ["commission", "operator"],
        "released_by": ["commission", "operator"],
        "suspect": ["yes", "no"],
        "handled": ["yes", "no"],
        "reason": None,
        "act": None,
        "vessel": of("play", "vessel"),
        "look": of("inspect", "when"),
        "result": of("inspect", "result"),
        "method": of("cancel", "method") + of("destroy", "method"),
        "seals": of("receive", "seals"),
        "report": of("report", "form"),
        "opens": of("table", "state"),
        "room": ["pit", "poker"],
        "table": ["open", "closed"],
        "where_use": uses,
        "site": ["on", "off"],
        "instead": ["unsuitable", "damaged"],
        "shuffled": ["own", "maker", "no"],
        **{trait: ["yes", "no"] for trait in YES_OR_NO},
    }


@cache
def sentences() -> frozenset[str]:
    """Return the codes of the catalogue, dotted."""
    found: list[str] = []
    for path in files("custody.rulebooks").iterdir():
        if path.name.startswith("sentences") and path.name.endswith(".toml"):
            found += _dotted(tomllib.loads(path.read_text("utf-8")), "")
    return frozenset(found)


def _dotted(table: dict[str, Any], prefix: str) -> list[str]:
    if prefix and all(isinstance(value, str) for value in table.values()):
        return [prefix]
    return [
        code
        for key, value in table.items()
        for code in _dotted(value, f"{prefix}.{key}" if prefix else key)
    ]
