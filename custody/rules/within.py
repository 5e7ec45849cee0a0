"""Serials that a step names in its fields: in which of the lots that it is about they lie."""

from . import codes_errors, lots, serials, slicing
from .shapes import Any, Json


def given(facts: Any, event: Json, found_lots: list[str], named: Json) -> list[Json]:
    """The runs of `with.serials`, and of `with.first` to `with.last`, in the lots named."""
    fields = event.get("with")
    if not fields:
        return []
    texts = fields.get("serials")
    texts = list(texts) if isinstance(texts, list) else []
    if "first" in fields or "last" in fields:
        first = str(fields.get("first") or fields.get("last"))
        texts.append(first + ".." + str(fields.get("last") or first))
    if not texts:
        return []
    reach = found_lots or _lots_of(facts, event.get("items") or [])
    found = []
    for text in texts if reach else []:
        try:
            found.append(_run(facts, serials.read(text), reach, named))
        except codes_errors.CodeRangeError as error:
            named["problems"].append([error.code, error.values])
    return [run for run in found if run is not None]


def _lots_of(facts: Any, texts: list[str]) -> list[str]:
    """The lots in which the serials that are named lie."""
    found: list[str] = []
    for text in texts:
        value = lots.value_of(facts, text.partition("..")[0])
        if lots.is_range(value) and value["lot"] not in found:
            found.append(value["lot"])
    return found


def _run(facts: Any, run: Json, found_lots: list[str], named: Json) -> Any:
    """A run in one of the lots: by its own stem, or by its number where lots repeat numbers."""
    for lot in found_lots:
        root = lots.index(facts, lot)
        if root is None or root["width"] != run["width"]:
            continue
        if root["stem"] in (run["stem"], lot + serials.INSIDE + run["stem"]):
            run = dict(run, stem=root["stem"])
            reach = [[first, last] for first, last in root["parts"]]
            _beyond(run, lot, root, reach, found_lots, named)
            return run
    values = slicing.numbers(run, run["first"], run["last"], {"lot": ", ".join(found_lots)})
    named["problems"].append(["serials-outside", values])
    return None


def _beyond(
    run: Json, lot: str, root: Json, reach: list[list[int]], found_lots: list[str], named: Json
) -> None:
    """Note the serials of a run that lie beyond the lot, where no other lot is named."""
    if len(found_lots) > 1:
        return
    for first, last in serials.without([run["first"], run["last"]], reach):
        values = slicing.numbers(run, first, last, {"lot": lot})
        if reach:
            values["lot_first"] = serials.name(root, reach[0][0])
            values["lot_last"] = serials.name(root, reach[-1][1])
        named["problems"].append(["serials-outside", values])
    run["lot"] = lot
