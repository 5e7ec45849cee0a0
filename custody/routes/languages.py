"""The language of the desk's pages: as this browser was told, else the person's, else the
browser's own.
"""

from flask import Response, request, url_for

from custody.routes import guard, render, words

blueprint = guard.desk_blueprint("languages", __name__)
YEAR_S = 365 * 86_400


@blueprint.post("/language")
@guard.open_to_all
def choose() -> Response:
    """Keep a language for this browser and go on to the page it was chosen on."""
    answer = render.go(guard.own_address(request.form.get("back", "")) or url_for("today.show"))
    chosen = request.form.get("language", "")
    if chosen in words.LANGUAGES:
        answer.set_cookie(
            guard.LANGUAGE_COOKIE,
            chosen,
            max_age=YEAR_S,
            httponly=True,
            secure=request.is_secure,
            samesite="Lax",
        )
    return answer
