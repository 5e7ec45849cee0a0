"""Play a scenario: steps against an empty ledger, each verdict compared with the one expected.

The format is that of docs/vocabulary (JSON Lines; the first line is the setting). Devices that are
offline have a ledger of their own until their `sync` line.
"""

from . import asks, clock_text, judge, memory, naming, script
from .book import load
from .shapes import Any, Json


def setting(text: str) -> Json:
    """Return `{"regime", "zone"}` of a scenario, so that the host can fetch what `play` needs.

    Raises script.ScriptError, with the line.
    """
    return script.setting(script.lines(text))


def play(text: str, rulebook: Json, site: Json) -> Json:
    """Return `{"checks": [{"line", "ok", "text"}, ...]}` for a scenario. Raises
    script.ScriptError.
    """
    lines = script.lines(text)
    scene = script.setting(lines)
    book = load(rulebook, dict(site, day_starts=scene["day_starts"], controls=scene["controls"]))
    controls = rulebook.get("control", {})
    script.choices(
        scene["controls"], book["words"]["controls"]["words"] + sorted(controls), controls
    )
    stage = _stage(book, script.cast(book, scene))
    checks = []
    for number, line in lines[1:]:
        try:
            check = _line(stage, number, line)
        except clock_text.ClockTextError as error:
            raise script.ScriptError(number, str(error)) from error
        if check is not None:
            checks.append(check)
    return {"checks": checks}


def _stage(book: Json, cast: list[list[Any]]) -> Json:
    store = memory.new(book)
    for of, key, value in cast:
        store.put(of, key, value)
    empty = store.copy()
    return {"book": book, "server": store, "empty": empty, "devices": {}, "names": {}, "events": 0}


def _line(stage: Json, number: int, line: Json) -> Any:
    if "sync" in line:
        _sync(stage, line["sync"])
        return None
    if "ask" in line:
        return asks.check(stage, number, line)
    if "step" in line:
        return _step(stage, number, line)
    raise script.ScriptError(
        number, "A line is a step, an ask or a sync; this one is none of them."
    )


def _sync(stage: Json, name: str) -> None:
    """A device pushes what it recorded, and takes what the others did."""
    device = stage["devices"].get(name)
    for event, key in device["pending"] if device else []:
        memory.record(stage["book"], stage["server"], event, key)
    stage["devices"][name] = {"store": stage["server"].copy(), "pending": []}


def _step(stage: Json, number: int, line: Json) -> Json:
    name = line.get("device")
    device = None
    if name is not None and line.get("offline"):
        fresh = {"store": stage["empty"].copy(), "pending": []}
        device = stage["devices"].setdefault(name, fresh)
    elif name is not None:
        _sync(stage, name)
    store = device["store"] if device else stage["server"]
    event = script.event(stage, store, number, line)
    reasons = judge.judge(stage["book"], store, event)["reasons"]
    fact = "fact" in event["with"]
    if not reasons or fact:
        _record(stage, device, store, event, line)
    if name is not None and device is None:
        _sync(stage, name)
    return _verdict(number, line, [] if fact else reasons)


def _record(stage: Json, device: Any, store: Any, event: Json, line: Json) -> None:
    stage["events"] += 1
    key = "e" + str(stage["events"])
    event["saw"] = naming.last_seen(stage["book"], store, event)
    memory.record(stage["book"], store, event, key)
    if device is not None:
        device["pending"].append([event, key])
    if "as" in line:
        stage["names"][line["as"]] = key


def _verdict(number: int, line: Json, reasons: list[Json]) -> Json:
    expected = line.get("expect", "ok")
    if expected not in ("ok", "refused"):
        raise script.ScriptError(number, "A step is expected to be ok or refused.")
    got = "refused" if reasons else "ok"
    clause = line.get("clause")
    fits = expected == got
    if fits and reasons and clause:
        fits = any(matches(clause, reason["clause"]) for reason in reasons)
    text = (
        line["step"] + ": expected " + expected + (" " + clause if clause else "") + ", got " + got
    )
    for reason in reasons:
        text += "\n    " + tell(reason)
    return {"line": number, "ok": fits, "text": text}


def tell(reason: Json) -> str:
    """Return a reason in one line, for those who write scenarios."""
    items = ", ".join(reason["items"][:3]) + (", ..." if len(reason["items"]) > 3 else "")
    values = script.shown(reason["values"]) if reason["values"] else ""
    return " ".join([str(reason["clause"] or "no clause"), reason["code"], values, items]).strip()


def matches(wanted: str, found: Any) -> bool:
    """Whether two clause ids are the same, or one is a prefix of the other at a `-` or `.`."""
    if found is None:
        return False
    short, long = (wanted, found) if len(wanted) <= len(found) else (found, wanted)
    return long == short or (long[: len(short)] == short and long[len(short)] in "-.")
