"""The items in custody, the envelopes among them, and the seals on these."""

from collections.abc import Iterable

from custody.ledger.reading import keyset, seal_log
from custody.ledger.reading import stock as reading
from custody.routes import context, present, rights, vocabulary
from custody.routes.tables import table
from custody.routes.tables.table import Asked, Row, Table, Value
from custody.routes.words import words

ENVELOPE = "envelope"


def _state(given: str) -> str:
    """Return the state that was asked for: one of the vocabulary, or one that anything is in, as
    the parts of forms have some of their own.
    """
    states = context.site()["book"]["words"]["states"]
    own = [given] if given and reading.is_state(context.ledger(), given) else []
    return table.one_of("state", given, [*own, *(one["name"] for one in states)])


def _items(asked: Asked) -> Iterable[Row]:
    kind, place = table.kind(asked["kind"]) or None, table.place(asked["place"]) or None
    state, names = _state(asked["state"]) or None, context.names()
    for one in keyset.whole(lambda cut: reading.every(context.ledger(), kind, state, place, cut)):
        told = [one["code"], vocabulary.word("kind", one["kind"]), present.kind_words(one)]
        disputed = words("words.yes") if one.get("disputed") else words("words.no")
        where = [one.get("place"), names.place(one.get("place")), _holder(one), one.get("in")]
        state_word = vocabulary.word("state", one["state"])
        yield [*told, state_word, *where, one.get("pieces"), one.get("seal"), disputed]


def _holder(one: Value) -> str:
    return context.names().person(str(one.get("holder") or ""))


def _envelopes(asked: Asked) -> Iterable[Row]:
    state, names = _state(asked["state"]), context.names()
    states = [state] if state else None
    found = keyset.whole(lambda cut: reading.of_kind(context.ledger(), ENVELOPE, states, cut))
    for one in found:
        purpose = vocabulary.word("purpose", one.get("purpose"))
        told = [one["code"], purpose, vocabulary.word("state", one["state"])]
        place = names.place(one.get("place")) or _holder(one)
        contents = " ".join(one.get("contents") or [])
        packed = table.when((one.get("packed") or {}).get("at"))
        yield [*told, place, one.get("seal"), contents, packed]


def _seals(asked: Asked) -> Iterable[Row]:
    find = asked["find"]
    for one in keyset.whole(lambda cut: seal_log.applied(context.ledger(), cut, find)):
        reused = words("words.yes") if one["reused"] else words("words.no")
        for envelope in one["envelopes"]:
            state = vocabulary.word("state", envelope["state"])
            yield [one["seal"], envelope["code"], present.kind_words(envelope), state, reused]


ITEMS = Table(
    rights.STOCK,
    "tables.items_title",
    (
        *("code", "kind", "what", "state", "place", "name"),
        *("holder", "envelope", "pieces", "seal", "disputed"),
    ),
    {"kind": "", "state": "", "place": ""},
    _items,
)
ENVELOPES = Table(
    rights.LOOK,
    "envelopes.title",
    ("code", "purpose", "state", "place", "seal", "contents", "packed"),
    {"state": ""},
    _envelopes,
)
SEALS = Table(
    rights.LOOK,
    "seals.title",
    ("seal", "envelope", "what", "state", "reused"),
    {"find": ""},
    _seals,
)
