"""The log over HTTP (C2SP tlog-tiles under /log/), and receipts."""

from __future__ import annotations

import gzip

from flask import Blueprint, Response, current_app, request
from werkzeug.exceptions import HTTPException

from custody.ledger.log import LogReader
from custody.ledger.log.errors import LogError, NoSuchTile, NotYet, Stopped, UnknownEvent
from custody.ledger.log.receipts import MEDIA_TYPE
from custody.sync import auth
from custody.sync.problems import Problem, failure, of_http

blueprint = Blueprint("tlog", __name__)

ASK_AGAIN = "no-cache"  # even for tiles: a log that is resumed has others under the same address
LEVELS = 64
PROBLEMS: dict[type[LogError], tuple[int, str, int | None]] = {
    Stopped: (503, "log-stopped", 60),
    NoSuchTile: (404, "no-such-tile", None),
    NotYet: (404, "not-yet", 1),
    UnknownEvent: (404, "unknown-event", None),
}


def the_log() -> LogReader:
    log: LogReader = current_app.extensions["custody"].log
    return log


@blueprint.get("/log/checkpoint")
def checkpoint() -> Response:
    """Answer the signed checkpoint, at most two seconds behind; 503 when the log has stopped."""
    return _text(the_log().checkpoint())


@blueprint.get("/log/verifier")
def verifier() -> Response:
    """Answer the verifier strings by which checkpoints are checked, one a line."""
    return _text("".join(f"{each}\n" for each in the_log().verifiers()))


@blueprint.get("/log/tile/entries/<path:number>")
def entries(number: str) -> Response:
    """Answer a bundle of entries, compressed for who takes gzip."""
    data = the_log().bundle(number)
    packed = bool(request.accept_encodings["gzip"])
    answer = _bytes(gzip.compress(data, 1, mtime=0) if packed else data)
    answer.vary.add("Accept-Encoding")
    if packed:
        answer.content_encoding = "gzip"
    return answer


@blueprint.get("/log/tile/<int:level>/<path:number>")
def tile(level: int, number: str) -> Response:
    """Answer a tile of hashes."""
    if level >= LEVELS or request.path.split("/")[3] != str(level):
        raise NoSuchTile(f"a level is a number from 0 to {LEVELS - 1}, without a zero before it")
    return _bytes(the_log().tile(level, number))


@blueprint.get("/sync/v1/receipts/<event_id>")
def receipt(event_id: str) -> Response:
    """Answer the proof that an event is in the log; 404 `not-yet` until a checkpoint covers it."""
    auth.authenticate(current_app.extensions["custody"], request)
    answer = _text(the_log().receipt(event_id).text)
    answer.content_type = MEDIA_TYPE
    return answer


@blueprint.errorhandler(Problem)
def tell_problem(problem: Problem) -> Response:
    return problem.response()


@blueprint.errorhandler(HTTPException)
def tell_http_error(error: HTTPException) -> Response:
    return of_http(error)


@blueprint.errorhandler(Exception)
def tell_failure(error: Exception) -> Response:
    return failure(error)


@blueprint.errorhandler(LogError)
def refused(error: LogError) -> Response:
    """Answer an error of the log as problem details; one that has no entry is the server's own."""
    known = PROBLEMS.get(type(error))
    if known is None:
        return failure(error)
    status, word, wait = known
    answer = Problem(status, word, str(error)).response()
    if wait:
        answer.headers["Retry-After"] = str(wait)
    return answer


def _text(text: str) -> Response:
    answer = Response(text, content_type="text/plain; charset=utf-8")
    answer.headers["Cache-Control"] = ASK_AGAIN
    return answer


def _bytes(data: bytes) -> Response:
    """Answer bytes, or 304 to who has them already."""
    answer = Response(data, content_type="application/octet-stream")
    answer.headers["Cache-Control"] = ASK_AGAIN
    answer.add_etag()
    answer.make_conditional(request)
    return answer
