"""Errors as RFC 9457 problem details: one shape for everything under /sync/ and /log/."""

from __future__ import annotations

import sqlite3
from http import HTTPStatus
from typing import Any

from flask import Response, current_app, json, request
from sqlalchemy.exc import OperationalError
from werkzeug.exceptions import HTTPException

MEDIA_TYPE = "application/problem+json"
STORAGE = (OperationalError, sqlite3.OperationalError, OSError, MemoryError)
WAIT_S = 30  # until a request that the storage could not take is worth another try


class Problem(Exception):
    """An error answer: `type` is the protocol's stable word, `detail` a sentence for people.

    `more` are members of its own, such as `expected` or `field`.
    """

    def __init__(self, status: int, type_: str, detail: str, **more: Any) -> None:
        super().__init__(detail)
        self.status = status
        self.type = type_
        self.detail = detail
        self.more = more
        self.headers: dict[str, str] = {}

    def body(self) -> dict[str, Any]:
        """Return the problem details as RFC 9457 has them."""
        title = HTTPStatus(self.status).phrase
        told = {"type": self.type, "title": title, "status": self.status, "detail": self.detail}
        return {**told, **self.more}

    def response(self) -> Response:
        """Return the answer; 401 also says how to authenticate."""
        text = json.dumps(self.body()) + "\n"
        answer = Response(text, self.status, content_type=MEDIA_TYPE)
        answer.headers["Cache-Control"] = "no-store"
        answer.headers.update(self.headers)
        if self.status == HTTPStatus.UNAUTHORIZED:
            answer.headers["WWW-Authenticate"] = "Bearer"
        return answer


class Stranger(Problem):
    """What is said to a device, or a run of one, that this server does not know."""


def of_http(error: HTTPException) -> Response:
    """Answer an error of HTTP itself in the protocol's one shape."""
    name = (error.name or "error").lower().replace(" ", "-")
    return Problem(error.code or 500, name, error.description or "").response()


def failure(error: Exception) -> Response:
    """Log a failure of the server's own and answer it; in tests it is raised.

    503 `not-stored` where disk, database or memory fail (full, or away): that passes, and the same
    request may be sent again. Else 500 `server-error`.
    """
    if current_app.testing or current_app.debug:
        raise error
    current_app.logger.error("%s %s failed", request.method, request.path, exc_info=error)
    if not isinstance(error, STORAGE):
        detail = "the server failed; it stored nothing of this"
        return Problem(500, "server-error", detail).response()
    detail = (
        "the server's disk, database or memory is full or away; it stored nothing of this: "
        "send it again"
    )
    answer = Problem(503, "not-stored", detail).response()
    answer.headers["Retry-After"] = str(WAIT_S)
    return answer
