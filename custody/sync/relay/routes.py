"""The addresses that only site nodes ask (protocol.md, "Relay"; docs/site-node.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Blueprint, Response, current_app, jsonify, request

from custody.ledger.chain import BatchRefused
from custody.ledger.core import Ledger
from custody.ledger.devices import PENDING, REVOKED, SITE_NODE
from custody.ledger.errors import SettingError
from custody.ledger.log.errors import Stopped
from custody.ledger.upstream import blocks, recovering, telling
from custody.rules.codes import CodeError
from custody.sync import bodies, witness
from custody.sync.auth import Device, authenticate
from custody.sync.problems import Problem
from custody.sync.relay import reading, taking

NDJSON = "application/x-ndjson"
LOG = "Custody-Log"  # of a relay's answer: how many events the log has, and its last leaf

blueprint = Blueprint("relay", __name__, url_prefix="/relay")


def _ledger() -> Ledger:
    ledger: Ledger = current_app.extensions["custody"]
    return ledger


def _node(ledger: Ledger) -> Device:
    """Return the site node that asks. Raises Problem (403) for any other device."""
    device = authenticate(ledger, request)
    witness.check(ledger, request, device.id)
    if device.type != SITE_NODE:
        raise Problem(403, "not-a-site", "only a site node relays; this device pushes its own")
    if device.state == PENDING:
        raise Problem(403, PENDING, "an administrator has yet to approve this site node")
    return device


def _active_node(ledger: Ledger) -> Device:
    node = _node(ledger)
    if node.state == REVOKED:
        raise Problem(403, REVOKED, "this site node was revoked")
    return node


@blueprint.post("")
def post_relay() -> Response:
    """Take chains: one line of answer each, in their order. A revoked node's are taken, too, but
    for devices that it alone knows. One that says what it heard of another log is told `reset`:
    what it takes to be here may not be.
    """
    ledger = _ledger()
    node = _node(ledger)
    bodies.need_type(request, NDJSON)
    body = bodies.read(request, reading.LIMIT)
    _require_held(ledger)
    try:
        relayed = reading.chains(body)
    except BatchRefused as refused:
        raise taking.refusal(refused) from refused
    answers = taking.take(ledger, node.id, relayed)
    lines = "".join(json.dumps(each) + "\n" for each in answers)
    response = Response(lines, content_type=NDJSON)
    with ledger.database.reading() as connection:
        response.headers[LOG] = "{} {}".format(*telling.last_leaf(connection))
    return response


def _held() -> telling.Seen | None:
    """Return what a relay was answered with last, where the node says so."""
    if "held" not in request.args:
        return None
    return telling.Seen(_number("held", 0), request.args.get("leaf", ""))


def _require_held(ledger: Ledger) -> None:
    held = _held()
    if held is not None:
        with _of_this_log(), ledger.database.reading() as connection:
            telling.require_seen(connection, held)


@contextmanager
def _of_this_log() -> Iterator[None]:
    try:
        yield
    except telling.OfAnotherLog as error:
        raise Problem(410, "reset", str(error)) from error


@blueprint.get("/news")
def get_news() -> Response:
    """Answer what a node is told beside the changes feed, after a position of the log."""
    ledger = _ledger()
    _active_node(ledger)
    after, seen = _number("after", 0), request.args.get("seen", "")
    with _of_this_log():
        return jsonify(telling.news(ledger, after, seen, _held()))


@blueprint.get("/item")
def get_item() -> Response:
    """Answer an item's value, whatever its state, and its branches."""
    ledger = _ledger()
    _active_node(ledger)
    return jsonify(telling.item(ledger, request.args.get("code", "")))


@blueprint.get("/history")
def get_history() -> Response:
    """Answer the events that name an item, as they were signed."""
    ledger = _ledger()
    _active_node(ledger)
    return jsonify({"events": telling.history(ledger, request.args.get("code", ""))})


@blueprint.post("/codes")
def post_codes() -> Response:
    """Give the node a block of numbers for labels; asked by the same word, the same again. None
    before the log is resumed where a backup was restored: which were given since is not known.
    A checkpoint over what was given stands beside the database before the node hears of it: a
    backup restored a moment later is known as one by it.
    """
    ledger = _ledger()
    node = _active_node(ledger)
    if recovering.has_lost_count(ledger):
        detail = "a backup was restored here: no codes before `custody log resume`"
        raise Problem(409, "no-codes", detail)
    asked = bodies.read_json(request)
    word = bodies.text(asked, "word", 64)
    try:
        first, last = blocks.give(ledger, node.id, bodies.text(asked, "prefix", 2), word)
        ledger.log.log.sign()
    except (SettingError, CodeError) as error:
        raise Problem(409, "no-codes", str(error), field="prefix") from error
    except Stopped as error:
        raise Problem(409, "no-codes", f"the log has stopped: {error}") from error
    return jsonify({"first": first, "last": last})


@blueprint.get("/chain")
def get_chain() -> Response:
    """Answer what follows an event of a device's run, as a relay's body; 204 at its end."""
    ledger = _ledger()
    _active_node(ledger)
    device = request.args.get("device", "")
    part = telling.chain_part(ledger, device, _number("run", 1), _number("after", 0))
    if part is None:
        return Response(status=204)
    return Response(part, content_type=NDJSON)


def _number(name: str, least: int) -> int:
    text = request.args.get(name, "")
    if not text.isascii() or not text.isdigit() or len(text) > 15 or int(text) < least:
        raise Problem(400, "bad-field", f"{name} must be a whole number from {least}", field=name)
    return int(text)
