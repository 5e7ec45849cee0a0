"""The handheld's own files: the shell of `/h/`, its service worker, its manifest and icons.

No data is here: what the handheld shows comes over the sync protocol. Over plain HTTP, where
browsers give neither keys nor workers nor the camera, `/h/` says what is missing.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path

from flask import Blueprint, Response, jsonify, render_template, request

blueprint = Blueprint("handheld", __name__, url_prefix="/h")

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_NO_CACHE = {"Cache-Control": "no-cache"}


@blueprint.get("/")
@blueprint.get("/<path:address>")
def shell(address: str = "") -> Response:
    """Answer any address of the handheld with its one page, or say why it cannot run here."""
    template = "shell" if is_secure() else "plain_http"
    page = render_template(f"handheld/{template}.html", host=request.host)
    return Response(page, headers={**_NO_CACHE, "Vary": "Accept-Encoding"})


@blueprint.get("/sw.js")
def service_worker() -> Response:
    """Answer the service worker, the list of its files before it: a new list is a new worker."""
    listed = json.dumps(json.loads(manifest()), separators=(",", ":"))
    script = f"self.MANIFEST = {listed};\n{_static('handheld/sw.js').read_text('utf-8')}"
    headers = {**_NO_CACHE, "Service-Worker-Allowed": "/h/"}
    return Response(script, mimetype="text/javascript", headers=headers)


@blueprint.get("/app.webmanifest")
def web_manifest() -> Response:
    """Answer the manifest by which a browser installs the handheld."""
    icons = [
        {"src": f"/static/handheld/icons/{name}", "sizes": sizes, "type": kind, "purpose": purpose}
        for name, sizes, kind, purpose in _ICONS
    ]
    answer = jsonify(
        name="Custody",
        short_name="Custody",
        description="Custody record of dice, cards, tiles and coupons",
        id="/h/",
        start_url="/h/",
        scope="/h/",
        display="standalone",
        background_color="#f5f4ef",
        theme_color="#0a5a54",
        icons=icons,
    )
    answer.mimetype = "application/manifest+json"
    return answer


_ICONS = (
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icon-192.png", "192x192", "image/png", "any"),
    ("icon-512.png", "512x512", "image/png", "any"),
    ("icon-maskable-512.png", "512x512", "image/png", "maskable"),
)


def is_secure() -> bool:
    """Whether browsers treat this address as a secure context: HTTPS, or the machine itself."""
    host = request.host.rsplit(":", 1)[0].strip("[]")
    return request.is_secure or host in _LOOPBACK or host.endswith(".localhost")


def manifest() -> str:
    """Return the build's list of the handheld's files, as JSON."""
    return _static("built/manifest.json").read_text("utf-8")


@cache
def _static(name: str) -> Path:
    return Path(str(files("custody"))) / "static" / name
