"""The handheld's own files: one page, a worker, a manifest, and what is said over plain HTTP."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from flask.testing import FlaskClient

from custody.routes import handheld


@pytest.fixture
def client() -> FlaskClient:  # alone: these pages need no ledger
    app = Flask("custody")
    app.register_blueprint(handheld.blueprint)
    return app.test_client()


@pytest.mark.parametrize("path", ["/h/", "/h/item/D5-001", "/h/flow/round"])
@pytest.mark.parametrize("base", ["https://custody.oak.example", "http://127.0.0.1:8080"])
def test_any_address_of_the_handheld_is_its_one_page_where_browsers_trust_it(
    client: FlaskClient, path: str, base: str
) -> None:
    answer = client.get(path, base_url=base)
    assert answer.status_code == 200
    assert 'id="screen"' in answer.text
    assert answer.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("base", ["http://custody.oak.example", "http://192.0.2.7:8080"])
def test_over_plain_http_the_page_says_what_is_missing_and_what_to_do(
    client: FlaskClient, base: str
) -> None:
    answer = client.get("/h/", base_url=base)
    assert "needs HTTPS" in answer.text
    assert "--tls-cert" in answer.text
    assert base.replace("http://", "https://") + "/h/" in answer.text
    assert 'id="screen"' not in answer.text


def test_a_forged_host_is_not_taken_for_the_machine_itself(client: FlaskClient) -> None:
    answer = client.get("/h/", base_url="http://localhost.evil.example")
    assert "needs HTTPS" in answer.text


def test_the_page_has_no_script_or_style_of_its_own_in_it(client: FlaskClient) -> None:
    text = client.get("/h/", base_url="https://custody.oak.example").text
    scripts = text.count("<script")
    assert scripts == text.count("<script defer src=") + text.count('<script type="module" src=')
    assert "<style" not in text
    assert "hx-on" not in text
    assert "js:" not in text


def test_the_worker_carries_the_list_of_files_so_that_a_new_list_is_a_new_worker(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get("/h/sw.js")
    assert first.headers["Service-Worker-Allowed"] == "/h/"
    assert first.mimetype == "text/javascript"
    assert json.loads(handheld.manifest())["version"] in first.text
    monkeypatch.setattr(handheld, "manifest", lambda: '{"version": "other", "files": []}')
    assert client.get("/h/sw.js").text != first.text


def test_the_manifest_makes_it_installable_with_icons_that_are_there(client: FlaskClient) -> None:
    answer = client.get("/h/app.webmanifest")
    told = answer.get_json(force=True)
    assert (told["start_url"], told["scope"], told["display"]) == ("/h/", "/h/", "standalone")
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in told["icons"]}
    for icon in told["icons"]:
        with client.get(icon["src"]) as found:
            assert found.status_code == 200


@pytest.mark.parametrize("path", ["/h/", "/h/sw.js", "/h/app.webmanifest"])
def test_nothing_of_it_takes_a_post(client: FlaskClient, path: str) -> None:
    assert client.post(path).status_code == 405
