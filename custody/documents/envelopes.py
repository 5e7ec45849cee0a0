"""Labels of envelopes: the lines and signatures that a clause asks for, filled in or left blank."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from custody.documents.errors import SealOnLabelError
from custody.documents.label_spec import Label

Words = dict[str, Any]


def label_for(
    envelope: Words,
    regime: str,
    *,
    fields: dict[str, str] | None = None,
    signatures: dict[str, str] | None = None,
    details: tuple[str, ...] = (),
    language: str = "en",
    size: str = "102x76",
) -> Label:
    """The label of an envelope or container, as the regime's clause for its purpose asks.

    `envelope` has its `code`, `purpose`, `kind_inside` (what it holds: dice, cards, tiles) and
    `seal`, which is only looked at so that it is not printed. `fields` and `signatures` give what
    is known, by the names in envelopes.toml; the rest is left blank to be written by hand.
    Electronic signatures are printed: name and time. Raises SealOnLabelError when a text has the
    seal's number in it.
    """
    form = _form(regime, envelope.get("kind_inside", ""), envelope.get("purpose", ""))
    label = Label(
        code=envelope["code"],
        size=size,
        title=form["title"][language],
        details=details,
        fields=_pairs("caption", form["fields"], fields or {}, language),
        signers=_pairs("signer", form["signers"], signatures or {}, language),
        clauses=tuple(form["clauses"]),
    )
    _require_no_seal(label, envelope.get("seal"))
    return label


@cache
def _book() -> Words:
    return tomllib.loads(files(__package__).joinpath("envelopes.toml").read_text("utf-8"))


def _form(regime: str, kind: str, purpose: str) -> Words:
    entries: list[Words] = _book()["label"]
    for entry in entries[:-1]:
        if entry["regime"] == regime and kind in entry["kinds"] and entry["purpose"] == purpose:
            return entry
    return entries[-1]


def _pairs(
    table: str, names: list[str], known: dict[str, str], language: str
) -> tuple[tuple[str, str], ...]:
    return tuple((_book()[table][name][language], known.get(name, "")) for name in names)


def _require_no_seal(label: Label, seal: str | None) -> None:
    if not seal:
        return
    values = [value for _, value in label.fields + label.signers]
    for text in (label.code, label.title, *label.details, *values):
        if seal in text:
            raise SealOnLabelError(text)
