"""A draft seen with what is known: its codes, places and people, and its items in groups alike.

A *group* is items that the rulebook cannot tell apart: same kind, state, place, envelope and use.
Its *traits* are the words that `when` in a rulebook selects by.
"""

from . import cases, days, ends, lots, marks, naming, numbered, people, preshuffle, traits
from .book import on, select
from .shapes import Any, Json, Table


def of(book: Json, facts: Any, draft: Json, named: Any = None, framed: Any = None) -> Json:
    """Return the context of a draft; `named` is what `naming.read` says of it, and `framed`
    what `frame` does, where they were asked.

    Raises codes_errors.CodeRangeError for a run that is none.
    """
    if named is None:
        named = naming.read(book, facts, draft)
        facts = named["facts"]
    if framed is None:
        framed = frame(book, facts, draft)
    into, present = draft.get("into"), draft.get("present")
    book = on(book, framed["day"])
    context: Json = dict(framed)
    context["book"], context["facts"] = book, facts
    context["codes"], context["named"] = named["codes"], named
    context["present"] = people.known(facts, present) if present else []
    context["from"] = ends.place(facts, framed["from_id"]) if framed["from_id"] else None
    context["into"] = facts.get("item", into) if into else None
    context["unknown"], context["items"] = [], []
    if draft["step"] in book["free"]:
        for person in context["people"] + context["present"]:
            person["busy"] = preshuffle.busy(facts, person)
    _items(context)
    context["groups"] = _groups(context)
    return context


def frame(book: Json, facts: Any, event: Json) -> Json:
    """Return what an event says of itself, which both its judge and its fold ask for: its `step`
    and `with`, when it happened (`at`, its gaming `day`), the `ids` and `names` of its signers,
    and `people`, the values of those who are known (`known`: that nobody is not), the ids of its
    places (`to_id`, `from_id`, `where_id`) and the values of `to` and `where`.
    """
    at = effective(event)
    ids, signing = people.read(facts, event)
    all_of_the_house = len(ids) == len(event.get("by") or [])
    to, where = event.get("to"), event.get("where")
    return {
        "draft": event,
        "step": event["step"],
        "with": event.get("with") or {},
        "at": at,
        "day": days.gaming_day(book, at),
        "ids": ids,
        "names": ids if all_of_the_house else people.names(event),
        "people": signing,
        "known": all_of_the_house and len(signing) == len(ids),
        "to_id": to,
        "to": ends.place(facts, to) if to else None,
        "from_id": event.get("from"),
        "where_id": where,
        "where": ends.place(facts, where) if where else None,
    }


def effective(draft: Json) -> int:
    """Return when it happened: a fact's own time, else the time of the record."""
    fields = draft.get("with")
    fact = fields.get("fact") if fields else None
    if isinstance(fact, dict) and isinstance(fact.get("at"), int):
        return int(fact["at"])
    return int(draft["at"])


def _items(context: Json) -> None:
    """Fill `items` with `[code, value, envelope]`: what is named, and what is inside of what is
    named.
    """
    facts, items = context["facts"], context["items"]
    seen: Json = {}
    for code in context["codes"]:
        if code in seen:
            continue
        seen[code] = True
        value = facts.get("item", code)
        if value is None:
            context["unknown"].append(code)
        else:
            whole = value if value.get("parts") and value.get("sealed") else None
            items.append([code, value, whole])
            if value.get("contents"):
                _contents(context, value, seen)


def _contents(context: Json, envelope: Json, seen: Json) -> None:
    for code in lots.inside(context["facts"], envelope):
        value = context["facts"].get("item", code)
        if value is not None and code not in seen:
            seen[code] = True
            context["items"].append([code, value, envelope])
            if value.get("contents"):
                _contents(context, value, seen)


def _groups(context: Json) -> list[Json]:
    if context["step"] in context["book"]["creates"]:
        return [{"items": [], "traits": traits.of(context, None, None)}]
    items = context["items"]
    if len(items) == 1 and not items[0][1].get("contents"):
        return [{"items": list(items), "traits": traits.of(context, items[0][1], items[0][2])}]
    groups: Table = {}
    ordered: list[Json] = []
    full = [code for code, value, _ in context["items"] if value.get("contents")]
    full += [value["lot"] for _, value, _ in context["items"] if cases.is_piece(value)]
    for code, value, envelope in context["items"]:
        if code in full:
            continue
        key = _alike(value, envelope) if len(context["items"]) > 1 else None
        group = groups.get(key)
        if group is None:
            group = {"items": [], "traits": traits.of(context, value, envelope)}
            groups[key] = group
            ordered.append(group)
        group["items"].append([code, value, envelope])
    if not ordered and not context["unknown"] and not context["named"]["problems"]:
        words = context["book"]["words"]["steps"].get(context["step"], {})
        ordered = [{"items": [], "traits": told} for told in _unnamed(context, words)]
    return ordered


def _unnamed(context: Json, words: Json) -> list[Json]:
    """Traits of a step that names no item: of each kind that may lie in the store that is entered,
    where the step names no kind and the rulebook knows it.
    """
    told = traits.of(context, None, None)
    kinds = words.get("by_use", {}).get((context["where"] or {}).get("use"), [])
    if context["draft"].get("kind"):
        kinds = []
    each = [dict(told, kind=kind) for kind in kinds]
    return [
        one for one in each if select(context["book"], context["step"], one, context["day"])
    ] or [told]


def _alike(value: Json, envelope: Any) -> Any:
    attributes = value["attributes"]
    return (
        value["kind"],
        value["form"],
        value["state"],
        value["place"],
        value["in"],
        envelope["code"] if envelope else None,
        (value.get("removal") or {}).get("reason"),
        attributes.get("size"),
        "/".join(attributes.get("games", [])),
        marks.key(value),
        lots.key(value),
    )


def lot_of(context: Json) -> Any:
    """Return the value of the lot, or the range, that a draft names first; None for none."""
    for text in context["draft"].get("items") or []:
        first = text.partition("..")[0]
        value = lots.value_of(context["facts"], first) or numbered.bare(context["facts"], first)
        if value is not None:
            return value
    return None
