"""`POST /sync/v1/devices`: a device, or a new run of one, enrols with a one-time code."""

from __future__ import annotations

from typing import Any

from flask import Request

from custody.ledger import devices, keys
from custody.ledger.core import Ledger
from custody.ledger.errors import CodeRefused, NotKnown, RunRefused, SettingError
from custody.sync import bodies, strangers
from custody.sync.problems import Problem, Stranger

LONGEST_NAME = 100
Jwk = dict[str, str]


def enrol(ledger: Ledger, request: Request) -> dict[str, Any]:
    """Return the answer to an enrolment. Raises Problem, with nothing changed.

    A new run of a device that this server does not know is asked for upstream, where it has one.
    Where nobody knows it, or nobody can be asked, a device that tells the keys of its `runs` is
    taken all the same, and goes on as who it is.
    """
    asked = bodies.read_json(request)
    earlier = _runs(asked)
    if not earlier:
        return strangers.knowing(ledger, lambda: _enrolled(ledger, asked, {}))
    if not _knows(ledger, asked["device"], earlier):
        strangers.ask_upstream()
    return _enrolled(ledger, asked, earlier)


def _knows(ledger: Ledger, device: object, earlier: dict[int, Jwk]) -> bool:
    with ledger.database.reading() as connection:
        return earlier.keys() <= devices.keys_of(connection, str(device)).keys()


def _runs(asked: dict[str, Any]) -> dict[int, Jwk]:
    """Return the public JWKs of the runs that a device had before, by run; {} where it tells none.

    Raises Problem.
    """
    told = asked.get("runs", [])
    if not isinstance(told, list) or not all(isinstance(each, dict) for each in told):
        raise _bad_runs("a list of objects, each with `run` and `key`")
    found = {}
    for each in told:
        run = each.get("run")
        if type(run) is not int or not 1 <= run < 2**31:
            raise _bad_runs("of objects whose `run` is a whole number from 1")
        found[run] = _key(each, "runs")
    if found and not isinstance(asked.get("device"), str):
        raise _bad_runs("told together with `device` and `run`")
    return found


def _bad_runs(right: str) -> Problem:
    return Problem(400, "bad-field", f"runs must be {right}", field="runs")


def _enrolled(ledger: Ledger, asked: dict[str, Any], earlier: dict[int, Jwk]) -> dict[str, Any]:
    code = bodies.text(asked, "code", 64)
    jwk = _key(asked)
    try:
        enrolled = _enrol(ledger, asked, code, jwk, earlier)
    except CodeRefused as error:
        raise Problem(403, "bad-code", str(error), field="code") from error
    except NotKnown as error:
        raise Stranger(404, "not-enrolled", str(error), field="device") from error
    except RunRefused as error:
        detail = str(error)
        raise Problem(409, "bad-run", detail, field="run", expected=error.expected) from error
    except SettingError as error:
        raise Problem(409, "bad-run", str(error), field="run") from error
    told = {"runs": list(enrolled.runs)} if earlier else {}
    return {
        **told,
        "device": enrolled.device,
        "state": enrolled.state,
        "site": enrolled.site,
        "server_key": ledger.log.verifiers()[0],
        "now": ledger.clock(),
    }


def _enrol(
    ledger: Ledger, asked: dict[str, Any], code: str, jwk: Jwk, earlier: dict[int, Jwk]
) -> devices.Enrolled:
    if "device" not in asked and "run" not in asked:
        name = bodies.text(asked, "name", LONGEST_NAME)
        return devices.enrol(ledger, code, name, jwk, _type(asked))
    run = asked.get("run")
    if not isinstance(run, int) or isinstance(run, bool) or run < 2:
        detail = "run must be the number of the new run, 2 or more"
        raise Problem(400, "bad-field", detail, field="run")
    device = bodies.text(asked, "device", 64)
    name = bodies.text(asked, "name", LONGEST_NAME) if earlier else ""
    return devices.enrol_run(ledger, code, device, run, jwk, name=name, earlier=earlier)


def _type(asked: dict[str, Any]) -> str | None:
    """Return `site` for a site node (protocol.md, "Relay"); a handheld says nothing."""
    found = asked.get("type")
    if found not in (None, devices.SITE_NODE):
        detail = f'type is "{devices.SITE_NODE}" for a site node; any other device says none'
        raise Problem(400, "bad-field", detail, field="type")
    return None if found is None else str(found)


def _key(asked: dict[str, Any], field: str = "key") -> Jwk:
    jwk = asked.get("key")
    try:
        keys.key_of(jwk)
    except ValueError as error:
        raise Problem(400, "bad-key", str(error), field=field) from error
    assert isinstance(jwk, dict)
    return jwk
