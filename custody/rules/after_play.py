"""After play: inspection by security, all of it or an approved sample, and reuse."""

from . import failing, marks, samples, with_fields
from .book import in_force
from .shapes import Any, Json


def task_id(day: Any, game: Any) -> str:
    """The task that says that decks of a game and gaming day were inspected."""
    return "examined:" + str(day) + ":" + str(game)


def used_on(value: Json) -> Any:
    """The gaming day under which a deck is inspected: that on which it was packed."""
    return (value.get("packed") or value.get("removal") or {}).get("day")


def played(value: Json) -> list[Any]:
    """The game that it was used for, else the games that it was made for."""
    game = value.get("game")
    return [game] if game else list(value["attributes"].get("games", []))


def examined(found: Json, group: Json, need: Json) -> Any:
    """Security inspected it and found it clean (`result = "any"`: whatever it found); or, with
    `sampling`, others of its game and day were, under an approved plan. `given_back` says what
    goes for an item that the commission had: `any` result, or `inspected`, which asks for none.
    """

    def missing(value: Json) -> bool:
        done = value.get("examined")
        back = need.get("given_back") if released(value) else None
        if back == "inspected":
            return False
        if done is not None and (done["result"] == "pass" or "any" in (need.get("result"), back)):
            return False
        return not (need.get("sampling") and _sampled_out(found, value))

    return failing.of(group, missing)


def released(value: Json) -> bool:
    """Whether the commission had it, and gave it back."""
    return bool(value.get("released_by") == "commission")


def never_given_back(found: Json, group: Json, need: Json) -> Any:
    """It is nothing that the commission gave back: that is destroyed, and not used again."""
    return failing.of(group, released)


def _sampled_out(found: Json, value: Json) -> bool:
    if marks.forced(value) or value.get("examined"):
        return False
    plans = found["book"]["controls"].get("sampling") or []
    day = used_on(value)
    return any(
        game in plans and found["facts"].get("task", task_id(day, game)) is not None
        for game in played(value)
    )


def sampled(found: Json, group: Json, need: Json) -> Any:
    """A sample is drawn only for a game with an approved plan; where the operator's overlay names
    its plans, by the id of one of them.
    """
    sample = found["with"].get("sample")
    if not sample:
        return None
    games = found["book"]["controls"].get("sampling") or []
    plans = [plan for plan in found["book"]["plans"] if in_force(plan, found["day"])]
    if plans:
        named = [game for plan in plans if plan["id"] == sample for game in plan["games"]]
        games = [game for game in games if game in named]
    return failing.of(group, lambda v: not any(game in games for game in played(v)))


def reusable(found: Json, group: Json, need: Json) -> Any:
    """It is a plastic deck for `game`."""

    def wrong(value: Json) -> bool:
        return not value["attributes"].get("plastic") or need["game"] not in played(value)

    return failing.of(group, wrong)


def reuse_chosen(found: Json, group: Json, need: Json) -> Any:
    """The operator has an approved procedure for using it again: `reuse` names its game or kind."""
    chosen = found["book"]["controls"].get("reuse") or []

    def closed(value: Json) -> bool:
        return not any(word in chosen for word in with_fields.added(played(value), value["kind"]))

    return failing.of(group, closed)


def may_return(book: Json, value: Json) -> bool:
    """Whether a deck is one that the operator's approved procedure uses again."""
    return _reused(book["controls"].get("reuse") or [], value)


def _reused(chosen: list[str], value: Json) -> bool:
    words = with_fields.added(played(value), value["kind"]) if value["kind"] == "cards" else []
    return bool(value["attributes"].get("plastic")) and any(word in chosen for word in words)


def inspected(value: Json, event: Json) -> None:
    """Note what was found; a clean deck that is not used again waits for its destruction. A second
    look does not undo what the first one found: that is reported, or was entered wrongly.
    """
    fields = event["with"]
    passed = fields.get("result") == "pass"
    if passed and value.get("suspect") and (value.get("examined") or {}).get("result") == "fail":
        return
    value["examined"] = {"at": event["at"], "by": event["by"], "result": fields.get("result")}
    value["examined"]["findings"] = fields.get("findings")
    # What it is suspected of the commission has had before it: it is not reported once more.
    value["suspect"] = not passed and not (released(value) and "hand_over" in value["times"])
    if value["kind"] == "cards" and marks.standing(value) == "at_security":
        ends = passed and not _reused(event["reuse"], value)
        value["state"] = "to_destroy" if ends else "at_security"


CHECKS: Json = {
    "examined": examined,
    "sampled": sampled,
    "reusable": reusable,
    "reuse_chosen": reuse_chosen,
    "never_given_back": never_given_back,
}

CODES = {
    "examined": "not-examined",
    "sampled": "sampling-unapproved",
    "reusable": "not-reusable",
    "reuse_chosen": "reuse-unapproved",
    "never_given_back": "given-back",
}

# What a new life does not take over from the old one.
_PAST = (
    "removal",
    "packed",
    "looked",
    "inspection",
    "opened",
    "released_by",
    "preshuffled",
    "unfit",
)
_KEPT = ("receive", "first_play", "repack")


def repacked(value: Json, event: Json) -> None:
    """In order and sealed again: as good as new, but for the months since its first play."""
    value["state"] = "suitable"
    value["wrapped"] = True
    value["reused"] = value.get("reused", 0) + 1
    for name in _PAST:
        value[name] = None
    value["times"] = {name: value["times"][name] for name in _KEPT if name in value["times"]}
    seal = event["with"].get("seal")
    value["seal"] = seal
    if seal and seal not in value.get("seals", []):
        value["seals"] = with_fields.added(value.get("seals"), seal)


def record(book: Json, facts: Any, event: Json) -> list[list[Any]]:
    """An inspection is noted for its game and gaming day: what a sample is checked against."""
    days: Json = {}
    for code in event["codes"]:
        value = facts.get("item", code)
        if value is not None and value["kind"] == "cards":
            for game in played(value):
                days[task_id(used_on(value), game)] = {
                    "day": used_on(value),
                    "game": game,
                    "at": event["at"],
                    "sample": event["with"].get("sample"),
                }
    noted = [["task", key, days[key]] for key in sorted(days)]
    return noted + samples.record(facts, event)
