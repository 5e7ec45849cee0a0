"""`POST /sync/v1/devices`: a device, or a new run of one, enrols with a one-time code."""

from __future__ import annotations

from typing import Any

from flask import Request

from custody.ledger import devices, keys
from custody.ledger.core import Ledger
from custody.ledger.errors import CodeRefused, NotKnown, RunRefused, SettingError
from custody.sync import bodies, strangers
from custody.sync.problems import Problem

LONGEST_NAME = 100


def enrol(ledger: Ledger, request: Request) -> dict[str, Any]:
    """Return the answer to an enrolment. Raises Problem, with nothing changed.

    A new run of a device that this server does not know is asked for upstream, where it has one.
    """
    asked = bodies.read_json(request)
    return strangers.knowing(lambda: _enrolled(ledger, asked))


def _enrolled(ledger: Ledger, asked: dict[str, Any]) -> dict[str, Any]:
    code = bodies.text(asked, "code", 64)
    jwk = _key(asked)
    try:
        enrolled = _enrol(ledger, asked, code, jwk)
    except CodeRefused as error:
        raise Problem(403, "bad-code", str(error), field="code") from error
    except NotKnown as error:
        raise Problem(404, "not-enrolled", str(error), field="device") from error
    except RunRefused as error:
        detail = str(error)
        raise Problem(409, "bad-run", detail, field="run", expected=error.expected) from error
    except SettingError as error:
        raise Problem(409, "bad-run", str(error), field="run") from error
    return {
        "device": enrolled.device,
        "state": enrolled.state,
        "site": enrolled.site,
        "server_key": ledger.log.verifiers()[0],
        "now": ledger.clock(),
    }


def _enrol(
    ledger: Ledger, asked: dict[str, Any], code: str, jwk: dict[str, str]
) -> devices.Enrolled:
    if "device" not in asked and "run" not in asked:
        name = bodies.text(asked, "name", LONGEST_NAME)
        return devices.enrol(ledger, code, name, jwk, _type(asked))
    run = asked.get("run")
    if not isinstance(run, int) or isinstance(run, bool) or run < 2:
        detail = "run must be the number of the new run, 2 or more"
        raise Problem(400, "bad-field", detail, field="run")
    return devices.enrol_run(ledger, code, bodies.text(asked, "device", 64), run, jwk)


def _type(asked: dict[str, Any]) -> str | None:
    """Return `site` for a site node (protocol.md, "Relay"); a handheld says nothing."""
    found = asked.get("type")
    if found not in (None, devices.SITE_NODE):
        detail = f'type is "{devices.SITE_NODE}" for a site node; any other device says none'
        raise Problem(400, "bad-field", detail, field="type")
    return None if found is None else str(found)


def _key(asked: dict[str, Any]) -> dict[str, str]:
    jwk = asked.get("key")
    try:
        keys.key_of(jwk)
    except ValueError as error:
        raise Problem(400, "bad-key", str(error), field="key") from error
    assert isinstance(jwk, dict)
    return jwk
