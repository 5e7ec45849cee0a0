"""`PUT` and `GET /sync/v1/blobs/<sha256>`: pictures follow the events (protocol.md, "Pictures").

A picture may come in pieces: `Content-Range: bytes 1000-1999/5000` goes on at byte 1000. Of one
that was cut off, what came is kept; `HEAD` tells by `Upload-Offset` where to go on.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import BinaryIO, NamedTuple

from flask import Request, Response, jsonify

from custody.ledger import blobs
from custody.ledger.core import Ledger
from custody.ledger.devices import ACTIVE, SITE_NODE
from custody.ledger.errors import NotKnown
from custody.ledger.events import HASH
from custody.ledger.reading import picturing
from custody.sync import bodies
from custody.sync.auth import Device
from custody.sync.problems import Problem

OFFSET = "Upload-Offset"
RANGE = re.compile(r"bytes ([0-9]{1,12})-([0-9]{1,12})/([0-9]{1,12})")
PIECE = 1 << 16
LONGEST_CODE = 200


class Span(NamedTuple):
    """Which bytes of a picture a request carries: from `start` up to `end`, of `total`."""

    start: int
    end: int
    total: int


def put(ledger: Ledger, device: Device, name: str, request: Request) -> tuple[Response, int]:
    """Take a picture or a piece of one: 201 when it is kept, 200 when it was, 202 for a piece.

    Raises Problem: 400 `bad-hash`, `bad-range`, `cut-short`; 409 `wrong-offset`; 413 `too-large`;
    422 `not-a-picture`; 429 `too-many`; 503 `busy`.
    """
    _check_name(name)
    known = blobs.one(ledger, name)
    if known.state == blobs.REFUSED:
        raise _no_picture("these bytes came before, and are no picture")
    span = _span(request)
    if known.state == blobs.HERE:
        bodies.read_off(request)
        return jsonify(sha256=name), 200
    if device.type != SITE_NODE:
        _require_room(ledger, device.id)
    if span is None:
        content = bodies.read(request, blobs.LIMIT)
        _keep(lambda: blobs.keep(ledger, device.id, name, content))
        return jsonify(sha256=name), 201
    _go_on_where_it_ended(blobs.held(ledger, device.id, name), span, request)
    with _alone(blobs.part_path(ledger, device.id, name), request) as part:
        try:
            _write(part, span, request)
        finally:
            blobs.drop_old_parts(ledger, device.id)
        if span.end < span.total:
            return jsonify(sha256=name, offset=span.end), 202
        _keep(lambda: blobs.finish(ledger, device.id, name))
    return jsonify(sha256=name), 201


def _check_name(name: str) -> None:
    if not HASH.fullmatch(name):
        raise Problem(400, "bad-hash", "a picture's name is its SHA-256 in lowercase hex")


def _no_picture(detail: str) -> Problem:
    return Problem(422, "not-a-picture", detail)


def _require_room(ledger: Ledger, device: str) -> None:
    try:
        blobs.require_room(ledger, device)
    except blobs.TooMany as error:
        again = datetime.fromtimestamp(error.again / 1000, UTC)
        problem = Problem(429, "too-many", str(error), again=error.again)
        problem.headers["Retry-After"] = format_datetime(again, usegmt=True)
        raise problem from error


def _span(request: Request) -> Span | None:
    """Return which bytes come; None for a body that is packed, or does not say its length.

    Raises Problem.
    """
    told, length = request.headers.get("Content-Range"), request.content_length
    packed = request.headers.get("Content-Encoding", "identity").strip().lower() != "identity"
    if told is not None:
        span = _range(told, length, packed)
    elif packed or length is None:
        return None
    else:
        span = Span(0, length, length)
    if span.total > blobs.LIMIT:
        bodies.read_off(request)
        detail = f"a picture has at most {blobs.LIMIT} bytes"
        raise Problem(413, "too-large", detail, limit=blobs.LIMIT)
    return span


def _range(told: str, length: int | None, packed: bool) -> Span:
    found = RANGE.fullmatch(told)
    first, last, total = map(int, found.groups()) if found else (1, 0, 0)
    if packed or not first <= last < total or length != last + 1 - first:
        detail = "Content-Range must be `bytes FIRST-LAST/TOTAL`, of as many plain bytes as follow"
        raise Problem(400, "bad-range", detail, field="Content-Range")
    return Span(first, last + 1, total)


def _go_on_where_it_ended(held: int, span: Span, request: Request) -> None:
    if span.start > held:
        bodies.read_off(request)
        detail = f"{held} bytes of this picture are here: go on there"
        raise Problem(409, "wrong-offset", detail, offset=held)


@contextmanager
def _alone(part: Path, request: Request) -> Iterator[BinaryIO]:
    """Open what is here of a picture, for one request at a time, in whatever process.

    A device whose line broke sends it anew while what it sent before may still be read: both
    would write to one file, and neither would have the bytes of its name.
    """
    part.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        if not _is_mine(file, part):
            bodies.read_off(request)
            problem = Problem(503, "busy", "this picture is arriving by another connection")
            problem.headers["Retry-After"] = "1"
            raise problem
        yield file


def _is_mine(file: BinaryIO, part: Path) -> bool:
    """Lock a part until its file is closed; no when another has it, or had it and was done."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(file.fileno()), part.stat())
    except (BlockingIOError, FileNotFoundError):
        return False


def _write(file: BinaryIO, span: Span, request: Request) -> None:
    """Write what comes into the part, from its place on; what came stays when the rest does not."""
    _go_on_where_it_ended(os.fstat(file.fileno()).st_size, span, request)
    file.seek(span.start)
    file.truncate()
    left = span.end - span.start
    while left and (piece := request.stream.read(min(PIECE, left))):
        file.write(piece)
        left -= len(piece)
    file.flush()  # `finish` reads it by its name
    if left:
        detail = "the body ended before its announced length; what came is kept"
        raise Problem(400, "cut-short", detail, offset=span.end - left)


def _keep(store: Callable[[], object]) -> None:
    try:
        store()
    except blobs.OtherBytes as error:
        raise Problem(400, "bad-hash", str(error)) from error
    except blobs.NoPicture as error:
        raise _no_picture(str(error)) from error


def get(ledger: Ledger, device: Device, name: str, request: Request) -> Response:
    """Answer the very bytes that were hashed, or a range of them, to a device that may read them;
    with `size` a copy to look at, a JPEG.

    Raises Problem: 400 `bad-field`; 403 `pending`, `revoked`; 404 `not-arrived`, with what has come
    in `offset`.
    """
    _check_name(name)
    _require_active(device)
    size = request.args.get("size")
    if size is not None and size not in blobs.EDGES:
        raise Problem(400, "bad-field", f"size is one of {', '.join(blobs.EDGES)}", field="size")
    try:
        if size is not None:
            return Response(blobs.rendition(ledger, name, size), content_type="image/jpeg")
        content = blobs.original(ledger, name)
    except NotKnown as error:
        held = blobs.held(ledger, device.id, name)
        problem = Problem(404, "not-arrived", str(error), offset=held)
        problem.headers[OFFSET] = str(held)
        raise problem from error
    answer = Response(content, content_type="application/octet-stream")
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    answer.set_etag(name)
    answer.make_conditional(request, accept_ranges=True, complete_length=len(content))
    return answer


def of_item(ledger: Ledger, device: Device, request: Request) -> Response:
    """Answer `{"pictures": [{"sha256", "state", "event", "at", "step"}, ...]}` of `item`.

    Raises Problem: 400 `bad-field`; 403 `pending`, `revoked`.
    """
    _require_active(device)
    code = request.args.get("item", "")
    if not 0 < len(code) <= LONGEST_CODE:
        detail = f"item is a code of at most {LONGEST_CODE} characters"
        raise Problem(400, "bad-field", detail, field="item")
    return jsonify(pictures=picturing.of_item(ledger, code))


def _require_active(device: Device) -> None:
    if device.state != ACTIVE:
        raise Problem(403, device.state, f"this device is {device.state}: it reads no pictures")
