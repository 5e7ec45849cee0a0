"""A photo of a label, uploaded and read; it is not kept."""

from typing import Any

from flask import Response, request

from custody.documents import photo
from custody.documents.errors import PhotoError, ZbarMissingError
from custody.ledger import reserving
from custody.routes import context, guard, render, rights, search, sentences
from custody.routes.words import words

blueprint = guard.desk_blueprint("photos", __name__, "/photo")


@blueprint.get("")
@guard.require(rights.LOOK)
def show() -> Response:
    """Show the form, and what the server lacks where it cannot read pictures."""
    try:
        photo.zbar()
    except ZbarMissingError as error:
        return _page(missing=sentences.document(error))
    return _page()


@blueprint.post("")
@guard.require(rights.LOOK)
def read() -> Response:
    """Show the codes in the picture and what each names; a file that is no picture is 422."""
    upload = request.files.get("photo")
    if upload is None or not upload.filename:
        return _page(422, {"photo": words("photos.no_file")})
    with upload.stream as stream:
        data = stream.read(photo.MOST_BYTES + 1)
    try:
        found = photo.read(data)
    except ZbarMissingError as error:
        return _page(503, missing=sentences.document(error))
    except PhotoError as error:
        return _page(422, {"photo": sentences.document(error)})
    return _page(found=[_row(one) for one in found])


def _row(read_: dict[str, Any]) -> dict[str, Any]:
    one = search.exact(read_)
    if one is not None:
        return search.row(one)
    code = read_["code"] or read_["text"]
    reserved = reserving.is_reserved(context.ledger(), code)
    kind = words("photos.reserved" if reserved else "photos.unknown")
    return {"code": code, "href": None, "kind": kind, "state": ""}


def _page(
    status: int = 200,
    wrong: dict[str, str] | None = None,
    missing: str = "",
    found: list[dict[str, Any]] | None = None,
) -> Response:
    told: dict[str, Any] = {"wrong": wrong or {}, "missing": missing, "found": found}
    return render.page("photos/show.html", status=status, **told)
