"""The app's own files, compressed where the build has made a copy of that very content."""

from functools import lru_cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path

from flask import Flask, Response, request, send_from_directory
from werkzeug.security import safe_join

STATIC = Path(__file__).parents[1] / "static"
COMPRESSED = STATIC / "built" / "gz"


def init_app(app: Flask) -> None:
    """Answer ``/static/...`` by `show` in place of Flask's own view."""
    app.view_functions["static"] = show


def show(filename: str) -> Response:
    """Answer a file below ``static``, as gzip to a browser that takes it; 404 for another name."""
    copy = _compressed(filename) if request.accept_encodings["gzip"] else None
    if copy is None:
        answer = send_from_directory(STATIC, filename)
    else:
        answer = send_from_directory(COMPRESSED, copy, mimetype=guess_type(filename)[0])
        answer.headers["Content-Encoding"] = "gzip"
    answer.vary.add("Accept-Encoding")
    return answer


def _compressed(filename: str) -> str | None:
    path = safe_join(str(STATIC), filename)
    if path is None or not Path(path).is_file():
        return None
    about = Path(path).stat()
    name = f"{_digest(path, about.st_mtime_ns, about.st_size)}.gz"
    return name if (COMPRESSED / name).is_file() else None


@lru_cache(maxsize=1024)
def _digest(path: str, _changed: int, _size: int) -> str:
    """Hash the content, so that a copy of what the file once was is never taken for it."""
    return sha256(Path(path).read_bytes()).hexdigest()
