"""Turn errors into answers that fit where they are shown: a page, or the part that htmx asked for.

The protocol, the log and the handheld answer in their own ways; what is said here is the desk's.
"""

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import HTTPException

from custody.ledger.errors import NotKnown
from custody.routes import context, guard, render
from custody.routes.guard import CrossSiteError
from custody.routes.missing import Missing
from custody.routes.words import words

OTHERS = ("/sync/", "/log/", "/h/", "/static/", "/health")
FAILED = 500  # from here on nothing is asked of the ledger again
WORDS = {403: "forbidden", 404: "not_found", 405: "method", 413: "large"}


def init_app(app: Flask) -> None:
    """Register the desk's answers to errors."""
    app.register_error_handler(HTTPException, refuse)
    app.register_error_handler(NotKnown, not_known)
    app.register_error_handler(Exception, fail)


def refuse(error: HTTPException) -> Response | HTTPException:
    """Answer an HTTP error in a sentence, with its status."""
    if request.path.startswith(OTHERS) or error.code is None or error.code < 400:
        return error
    if error.code < FAILED:
        guard.recognise()
    key = "cross" if isinstance(error, CrossSiteError) else WORDS.get(error.code, "other")
    answer = problem(error.code, words(f"problem.{key}"), words(f"problem.{key}_text"))
    for name, value in error.get_headers():
        if name == "Allow":
            answer.headers[name] = value
    return answer


def not_known(error: NotKnown) -> Response | tuple[Response, int]:
    """Answer 404 where a page asked for a thing that the ledger does not know: in the page's words,
    or by the name that was asked for.
    """
    asked = [str(value) for value in (request.view_args or {}).values()]
    unnamed = words("problem.unknown_text", name=asked[-1] if asked else request.path)
    text = str(error) if isinstance(error, Missing) else unnamed
    return problem(404, words("problem.not_found"), text)


def fail(error: Exception) -> Response | tuple[str, int]:
    """Answer 500 without internals; they go to the server's log."""
    if current_app.testing or current_app.debug:
        raise error
    current_app.logger.error("%s %s failed", request.method, request.path, exc_info=error)
    if request.path.startswith(OTHERS):
        return "", 500
    return problem(500, words("problem.server"), words("problem.server_text"))


def problem(status: int, heading: str, text: str) -> Response:
    """Render a mistake as a page or as a note for the part.

    Nobody signed in sees it without the frame.
    """
    g.setdefault("caller", None)
    template = "problem.html" if context.caller() else "problem_bare.html"
    return render.page(template, "_problem.html", status=status, heading=heading, text=text)
