"""Read and write bodies: gzip both ways, with limits that count after decompression."""

from __future__ import annotations

import gzip
import zlib
from typing import Any

from flask import Request, Response
from werkzeug.exceptions import ClientDisconnected

from custody.ledger.strict import Unreadable, loads
from custody.sync.problems import Problem

PUSH_LIMIT = 1 << 20  # bytes; protocol.md, "Push"
JSON_LIMIT = 16 << 10
READ_OFF = 64 << 20  # bytes of a body too large that are read, so that its sender hears the answer
ANY = READ_OFF + (16 << 20)  # more than is ever read here: each address has its own limit
PIECE = 1 << 16
WORTH_PACKING = 600  # bytes below which gzip gains nothing


def read(request: Request, limit: int) -> bytes:
    """Return a request's body. Raises Problem (413) before anything beyond `limit` is expanded."""
    raw = _read_raw(request, limit)
    encoding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding == "identity":
        return raw
    if encoding != "gzip":
        raise Problem(415, "content-encoding", f"send gzip or nothing, not {encoding!r}")
    return _expand(raw, limit)


def _read_raw(request: Request, limit: int) -> bytes:
    request.max_content_length = ANY
    announced = request.content_length or 0
    raw = b"" if announced > limit else _read_most(request, limit + 1)
    if max(announced, len(raw)) > limit:
        read_off(request)
        raise _too_large(limit)
    if request.content_length is not None and len(raw) < request.content_length:
        raise Problem(400, "cut-short", "the body ended before its announced length")
    return raw


def _read_most(request: Request, most: int) -> bytes:
    try:
        return request.stream.read(most)
    except ClientDisconnected as error:
        raise Problem(400, "cut-short", "the body ended before its last piece") from error


def read_off(request: Request) -> None:
    """Read what is left of a body, and keep nothing: a connection that is closed before its end
    is reset, and the answer with it. Of one that is announced as more than is ever read off,
    nothing is read.
    """
    if (request.content_length or 0) > READ_OFF:
        return
    request.max_content_length = ANY
    left = READ_OFF
    while left > 0 and (piece := request.stream.read(PIECE)):
        left -= len(piece)


def _expand(raw: bytes, limit: int) -> bytes:
    """Return the content of one gzip stream, expanding at most one byte more than `limit`."""
    expander = zlib.decompressobj(wbits=31)
    try:
        content = expander.decompress(raw, limit + 1)
    except zlib.error as error:
        raise Problem(400, "bad-gzip", f"the body is no gzip stream: {error}") from error
    if len(content) > limit:
        raise _too_large(limit)
    if not expander.eof:
        raise Problem(400, "bad-gzip", "the gzip stream ends too early")
    if expander.unused_data:
        raise Problem(400, "bad-gzip", "something follows the gzip stream")
    return content


def _too_large(limit: int) -> Problem:
    detail = f"a body has at most {limit} bytes after decompression"
    return Problem(413, "too-large", detail, limit=limit)


def read_json(request: Request) -> dict[str, Any]:
    """Return the JSON object of a small request. Raises Problem."""
    need_type(request, "application/json")
    try:
        value = loads(read(request, JSON_LIMIT))
    except Unreadable as error:
        raise Problem(400, "bad-json", f"the body cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise Problem(400, "bad-json", "the body must be a JSON object")
    return value


def need_type(request: Request, wanted: str) -> None:
    """Raise Problem (415) unless the request's content type is `wanted`."""
    if request.mimetype != wanted:
        detail = f"the content type must be {wanted}, not {request.mimetype or 'missing'!r}"
        raise Problem(415, "content-type", detail)


def text(value: dict[str, Any], field: str, longest: int) -> str:
    """Return a text of a JSON object. Raises Problem naming the field."""
    found = value.get(field)
    if not isinstance(found, str) or not 1 <= len(found.strip()) <= longest:
        detail = f"{field} must be a text of 1 to {longest} characters"
        raise Problem(400, "bad-field", detail, field=field)
    return found.strip()


def pack(request: Request, response: Response) -> Response:
    """Compress a response that is worth it, for a client that takes gzip."""
    response.vary.add("Accept-Encoding")
    packed = response.headers.get("Content-Encoding") or response.is_streamed
    if packed or not request.accept_encodings["gzip"]:
        return response
    body = response.get_data()
    if len(body) >= WORTH_PACKING:
        response.set_data(gzip.compress(body, 6, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response
