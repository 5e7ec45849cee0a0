"""The addresses of the sync protocol, version 1."""

from __future__ import annotations

import re
from typing import Any

from flask import Blueprint, Response, current_app, jsonify, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from custody.ledger import append, chain, feed
from custody.ledger.core import Ledger
from custody.ledger.strict import dumps
from custody.ledger.upstream.names import EXTENSION
from custody.sync import blobs, bodies, enrolment, problems, strangers, witness
from custody.sync.auth import Device, authenticate
from custody.sync.problems import Problem, Stranger
from custody.sync.relay import routes as relay

PUSH_TYPE = "application/x-ndjson"
ROOTS = ("/sync/", "/log/")
CURSOR = re.compile(r"[A-Za-z0-9_-]{0,500}")

blueprint = Blueprint("sync", __name__, url_prefix="/sync/v1")
blueprint.register_blueprint(relay.blueprint)


def _asking(ledger: Ledger) -> Device:
    """Return who asks, after the checkpoint that the device brings has been checked."""
    device = authenticate(ledger, request)
    witness.check(ledger, request, device.id)
    return device


def _ledger() -> Ledger:
    ledger: Ledger = current_app.extensions["custody"]
    return ledger


@blueprint.errorhandler(Problem)
def tell_problem(problem: Problem) -> Response:
    return problem.response()


@blueprint.errorhandler(HTTPException)
def tell_http_error(error: HTTPException) -> Response:
    """Tell an error of the server's own making in the protocol's one shape."""
    return problems.of_http(error)


@blueprint.errorhandler(Exception)
def tell_failure(error: Exception) -> Response:
    """Tell a failure of the server's own as a problem, too; its internals go to the log."""
    return problems.failure(error)


@blueprint.before_app_request
def tell_wrong_address() -> Response | None:
    """Tell an unknown address, or a method that it does not take, in the protocol's one shape."""
    wrong = request.routing_exception
    if wrong is None or not request.path.startswith(ROOTS):
        return None
    answer = tell_http_error(wrong)
    if isinstance(wrong, MethodNotAllowed) and wrong.valid_methods:
        answer.headers["Allow"] = ", ".join(sorted(wrong.valid_methods))
    return answer


@blueprint.after_request
def finish(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return bodies.pack(request, response)


@blueprint.post("/devices")
def post_devices() -> tuple[Response, int]:
    return jsonify(enrolment.enrol(_ledger(), request)), 201


@blueprint.post("/events")
def post_events() -> Response:
    """Take a push. Every error but `fork` leaves nothing stored."""
    ledger = _ledger()
    device = _asking(ledger)
    bodies.need_type(request, PUSH_TYPE)
    body = bodies.read(request, bodies.PUSH_LIMIT)
    pushed = strangers.knowing(ledger, lambda: _pushed(ledger, device, body))
    answer = {"acked": pushed.acked, "size": pushed.size, "exceptions": pushed.exceptions}
    if pushed.fork is not None:
        detail = f"this server holds another event {pushed.fork} of this run; start a new run"
        raise Problem(409, "fork", detail, seq=pushed.fork, **answer)
    return jsonify(answer)


def _pushed(ledger: Ledger, device: Device, body: bytes) -> append.Pushed:
    try:
        batch = chain.parse(body)
        _need_own(batch.device, device)
        _fetch_what_came_before(batch)
        return append.push(ledger, batch)
    except chain.BatchRefused as refused:
        kind = Stranger if refused.type == "not-enrolled" else Problem
        raise kind(refused.status, refused.type, str(refused), **refused.more) from refused


def _fetch_what_came_before(batch: chain.Batch) -> None:
    """On a site node, fetch from its upstream what a roaming device pushed elsewhere before."""
    node = current_app.extensions.get(EXTENSION)
    if node is not None:
        node.before_push(batch)


def _need_own(named: str, device: Device) -> None:
    if named != device.id:
        detail = f"the header names device {named!r}, but the token is {device.id!r}'s"
        raise Problem(400, "bad-header", detail, field="device", line=1)


@blueprint.get("/changes")
def get_changes() -> Response:
    ledger = _ledger()
    device = _asking(ledger)
    if device.state == "pending":
        raise Problem(403, "pending", "an administrator has yet to approve this device")
    if device.state == "revoked":
        raise Problem(403, "revoked", "this device was revoked", wipe=True)
    cursor = request.args.get("after", "")
    if not CURSOR.fullmatch(cursor):
        raise Problem(400, "bad-field", "after must be a cursor, or empty", field="after")
    try:
        page = feed.changes_after(ledger, cursor, _limit())
    except feed.CursorReset as error:
        raise Problem(410, "reset", str(error)) from error
    return Response(_page_text(page), content_type="application/json")


def _limit() -> int:
    text = request.args.get("limit", str(feed.MOST))
    if not text.isascii() or not text.isdigit() or len(text) > 9 or int(text) < 1:
        detail = f"limit must be a whole number from 1; at most {feed.MOST} are sent"
        raise Problem(400, "bad-field", detail, field="limit")
    return min(int(text), feed.MOST)


def _page_text(page: feed.Page) -> str:
    """Return a page as JSON in which each value has the very bytes that its etag is of."""
    changes = ",".join(
        f'{{"of":{dumps(one.of)},"id":{dumps(one.id)},"value":{one.value or "null"},'
        f'"etag":{dumps(one.etag)}}}'
        for one in page.changes
    )
    rest: dict[str, Any] = {"cursor": page.cursor, "more": page.more}
    if page.digest is not None:
        rest["digest"] = page.digest
    return f'{{"changes":[{changes}],{dumps(rest)[1:]}'


@blueprint.put("/blobs/<name>")
def put_blob(name: str) -> tuple[Response, int]:
    ledger = _ledger()
    return blobs.put(ledger, authenticate(ledger, request), name, request)


@blueprint.get("/blobs/<name>")
def get_blob(name: str) -> Response:
    ledger = _ledger()
    return blobs.get(ledger, authenticate(ledger, request), name, request)


@blueprint.get("/pictures")
def pictures_of_item() -> Response:
    """Answer which pictures the events of an item name, for a device that may read them."""
    ledger = _ledger()
    return blobs.of_item(ledger, authenticate(ledger, request), request)
