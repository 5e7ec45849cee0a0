"""An item's state again from nothing: along the events that led to a tip, without those corrected
away.

Each event is taken by the book, the people and the places that it met, where the store keeps them
(`store.get("then", event id)`): a table that was moved since was where it was. A handheld keeps no
versions, and answers None.
"""

from . import cases, cuts, effects, lots, papers, preparing, stock
from .facts import Seen
from .shapes import Any, Json, Table

NOTED = ("correct", "resolve")  # the steps that change nothing but speak of others
MASTER = ("person", "place")  # what is given and not folded; the book has the rest of it


def path(store: Any, code: str, event_id: Any) -> list[str]:
    """Return the ids of the events that led to one, the first first, itself last."""
    found = []
    while event_id:
        found.append(event_id)
        event_id = store.parent(code, event_id)
    found.reverse()
    return found


def dead(store: Any, events: list[str], more: list[Any]) -> Table:
    """Return the ids of the events that count for nothing: corrected, by a correction that itself
    still counts.
    """
    gone: Table = dict.fromkeys(more, True)
    for key in reversed(events):
        event = store.get("event", key)
        if event is not None and event["step"] == "correct" and key not in gone:
            gone[(event.get("with") or {}).get("event")] = True
    return gone


def _walk(
    book: Json, store: Any, code: str, event_id: Any, more: list[Any], memo: Table
) -> list[Any]:
    """Return `[value before, value after, prepared event, book]` for each event that counts.

    `memo` holds what was found on the way, `(code, event id)` to value and `(event id,)` to what is
    known of an event: what others were at the same time is asked for again and again, and grows
    with every envelope that they shared.
    """
    events = path(store, code, event_id)
    gone = dead(store, events, more)
    value = None
    steps = []
    clean = True
    for key in events:
        event = store.get("event", key)
        if event is None or key in gone:
            clean = clean and key not in gone
            continue
        ready, known = _ready(book, store, code, event, key, value, memo, clean)
        new = effects.touch(ready, value, code)
        steps.append([value, new, ready, known])
        value = new
        if clean:
            memo[(code, key)] = new
    return steps


def _ready(
    book: Json, store: Any, code: str, event: Json, key: str, value: Any, memo: Table, clean: bool
) -> list[Any]:
    """Return `[prepared event, book]` for one item. As long as the item is as the event met it, and
    not named in a way of its own, what is prepared for it serves every other item of the event.
    """
    serial = _is_serial(store, code)
    shared = clean and not (serial or papers.part_of(code) or cases.told(event, code))
    about = memo.setdefault((key,), {})
    if shared and "ready" in about:
        found: list[Any] = about["ready"]
        return found
    written = serial and papers.is_on(event, value)
    met = store.get("then", key)
    known = book if met is None else met.book
    if "claims" not in about and (written or not serial):
        about["claims"] = dict.fromkeys(store.claims(key), True)
    claims = {} if serial and not written else about["claims"]
    then = Then(book, store, key, {code: value}, claims, memo, met)
    codes = _serial(event, code, claims, written) if serial else _named(event, about)
    ready = preparing.prepare(known, then, event, key, codes)
    if serial and event["step"] == "receive":
        ready["lot"] = event["items"][0]
    if written or papers.part_of(code):
        ready["soft"] = ready["soft"] + [code]
    _name(ready, event, code, value)
    if shared:
        about["ready"] = [ready, known]
    return [ready, known]


def _named(event: Json, about: Json) -> list[str]:
    """The codes that an event of the log named, pieces of cases as they were cut at the time."""
    if "codes" not in about:
        about["codes"] = _codes(event, about["claims"])
    found: list[str] = about["codes"]
    return found


def _codes(event: Json, claims: Json) -> list[str]:
    pieces = [code for code in claims if cases.told(event, code)]
    plain = [text for text in event.get("items") or [] if not cases.told(event, text)]
    plain = [text for text in plain if cases.STAR not in text]
    return preparing.named(dict(event, items=plain)) + sorted(cases.made(event)) + pieces


def _serial(event: Json, code: str, claims: Json, written: bool) -> list[str]:
    """The codes that an event names for a range of serials: none but its own. One that speaks of
    another event names what it says (`after`); and a form that it is written on was used where the
    first of its items lay, as that was cut at the time.
    """
    if event["step"] in NOTED:
        return preparing.named(event)
    if not written:
        return [code]
    first = (event.get("items") or [""])[0].partition("..")[0]
    return [code for code in claims if code.partition("..")[0] == first][:1]


def _name(ready: Json, event: Json, code: str, value: Any) -> None:
    """Let an event be about a piece that it names by its case, by a number, or in a longer run."""
    if cases.told(event, code) and not (value and value["in"]):
        ready["named"][code] = True


class Then(Seen):
    """The facts as an event saw them: what else it claimed was then what its own events had made
    it; people, places and requisitions were as it met them.
    """

    def __init__(
        self,
        book: Json,
        store: Any,
        event_id: str,
        values: Json,
        claims: Json,
        memo: Table,
        met: Any,
    ) -> None:
        self.store = store
        self.values = values
        self.book = book
        self.event_id = event_id
        self.claims = claims
        self.memo = memo
        self.met = met

    def get(self, of: str, key: str) -> Any:
        if of in MASTER and self.met is not None:
            return self.met.get(of, key)
        if of == "item" and key not in self.values and key in self.claims:
            before = self.store.parent(key, self.event_id)
            self.values[key] = _known(self.book, self.store, key, before, self.memo)
        if of == "item" and key in self.values:
            return self.values[key]
        if of == "task" and self.met is not None:
            return self.met.task(key, self.store.get(of, key))
        return self.store.get(of, key)


def _known(book: Json, store: Any, code: str, event_id: Any, memo: Table) -> Any:
    if event_id is None:
        return None
    if (code, event_id) not in memo:
        memo[(code, event_id)] = state(book, store, code, event_id, None, memo)
    return memo[(code, event_id)]


def _is_serial(store: Any, code: str) -> bool:
    tips = store.tips(code)
    return any(lots.is_serial(value) for _, value in tips)


def reached(book: Json, store: Any, event: Json, key: str) -> list[str]:
    """Return the codes that an event of the log has claimed: those for which the store has its
    link.
    """
    return list(store.claims(key))


def state(
    book: Json, store: Any, code: str, event_id: Any, more: Any = None, memo: Any = None
) -> Any:
    """Return an item's value after an event, without the events `more`."""
    steps = _walk(book, store, code, event_id, more or [], {} if memo is None else memo)
    value = steps[-1][1] if steps else None
    known = store.tips(code)[0][1] if lots.is_range(value) and store.tips(code) else None
    return dict(value or {}, trail=known["trail"]) if known else value


def met(book: Json, store: Any, codes: list[str], more: list[Any]) -> Table:
    """Return the value of each of these items as each event of its first branch met it, without the
    events `more`: `(code, event id)` to value.
    """
    found: Table = {}
    memo: Table = {}
    for code in codes:
        tips = store.tips(code)
        for old, _, ready, _ in _walk(book, store, code, tips[0][0], more, memo) if tips else []:
            found[(code, ready["id"])] = old
    return found


def lines(
    book: Json, store: Any, code: str, event_id: Any, more: list[Any], memo: Table
) -> list[Json]:
    """Return the postings that led to an item's value, without the events `more`."""
    found = []
    for old, new, ready, known in _walk(book, store, code, event_id, more, memo):
        found.extend(stock.postings(known, old, new, ready))
    return found


def posted(book: Json, store: Any, code: str) -> list[Json]:
    """Return the postings of one item, or of a range of serials or pieces, since it came."""
    known = cuts.Cut(store, {})
    tips = known.tips(code)
    return lines(book, known, code, tips[0][0], [], {}) if tips else []


def after(book: Json, store: Any, event: Json, event_id: str, code: str, value: Any) -> Any:
    """Return an item's value after an event that only notes itself, such as a resolution."""
    return noted(preparing.prepare(book, store, event, event_id), event, code, value)


def noted(ready: Json, event: Json, code: str, value: Any) -> Any:
    """Return what `after` does, for one item of several: the event is prepared once for all."""
    _name(ready, event, code, value)
    return lots.followed(effects.touch(ready, value, code), value)
