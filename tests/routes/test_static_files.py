"""The app's own files as they are served: compressed, and never stale."""

import gzip
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from custody.routes import static_files
from custody_build import compress, manifest

GZIP = {"Accept-Encoding": "gzip, br"}
SCRIPT = b"export const answer = 42;\n" * 50


@pytest.fixture
def static(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A static folder with one script of the handheld's and its compressed copy."""
    folder = tmp_path / "custody" / "static"
    (folder / "handheld").mkdir(parents=True)
    (folder / "handheld" / "main.js").write_bytes(SCRIPT)
    (tmp_path / "secret.txt").write_text("secret")
    compress.write(tmp_path, manifest.write(tmp_path))
    monkeypatch.setattr(static_files, "STATIC", folder)
    monkeypatch.setattr(static_files, "COMPRESSED", folder / "built" / "gz")
    return folder


@pytest.fixture
def client(static: Path) -> FlaskClient:
    app = Flask("custody")
    static_files.init_app(app)
    return app.test_client()


def get(client: FlaskClient, path: str, headers: dict[str, str]) -> TestResponse:
    return client.get(path, headers=headers, buffered=True)


def test_a_browser_that_takes_gzip_gets_the_copy(client: FlaskClient) -> None:
    answer = get(client, "/static/handheld/main.js", GZIP)
    assert answer.status_code == 200
    assert answer.headers["Content-Encoding"] == "gzip"
    assert answer.mimetype in ("text/javascript", "application/javascript")
    assert len(answer.data) < len(SCRIPT) / 5
    assert gzip.decompress(answer.data) == SCRIPT


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0"])
def test_any_other_gets_the_file_itself(client: FlaskClient, accepted: str) -> None:
    answer = get(client, "/static/handheld/main.js", {"Accept-Encoding": accepted})
    assert "Content-Encoding" not in answer.headers
    assert answer.data == SCRIPT
    assert "Accept-Encoding" in answer.headers["Vary"]


def test_a_file_changed_since_the_build_is_served_as_it_is_now(
    client: FlaskClient, static: Path
) -> None:
    get(client, "/static/handheld/main.js", GZIP)
    (static / "handheld" / "main.js").write_bytes(b"changed")
    answer = get(client, "/static/handheld/main.js", GZIP)
    assert "Content-Encoding" not in answer.headers
    assert answer.data == b"changed"


def test_a_browser_that_has_the_copy_is_told_so(client: FlaskClient) -> None:
    first = get(client, "/static/handheld/main.js", GZIP)
    again = {**GZIP, "If-None-Match": first.headers["ETag"]}
    assert get(client, "/static/handheld/main.js", again).status_code == 304


@pytest.mark.parametrize(
    "path", ["nothing.js", "../secret.txt", "..%2f..%2fsecret.txt", "handheld", ""]
)
def test_there_is_nothing_but_the_files(client: FlaskClient, path: str) -> None:
    assert get(client, f"/static/{path}", GZIP).status_code == 404
