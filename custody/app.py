"""Build the Flask application. Importing this module opens nothing."""

from __future__ import annotations

import importlib
import pkgutil

from flask import Flask, Response, current_app, jsonify

import custody.routes
from custody import __version__, security_headers
from custody.config import Config
from custody.ledger import keys, schema
from custody.ledger.core import Ledger, open_ledger
from custody.ledger.upstream.names import EXTENSION
from custody.sync import blueprint as sync
from custody.sync import log_routes


def create_app(config: Config, ledger: Ledger | None = None) -> Flask:
    """Return the application over a ledger. Raises NotInitialised if there is none."""
    app = Flask("custody")
    opened = ledger or open_ledger(config)
    app.extensions["custody"] = opened
    app.config.update(
        SECRET_KEY=keys.cookie_secret(config.keys),
        SESSION_COOKIE_SECURE=config.secure_cookies,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
    )
    app.add_url_rule("/health", view_func=health)
    app.after_request(security_headers.add)
    register_blueprints(app)
    return app


def the_ledger() -> Ledger:
    """Return the ledger of the application that is answering now."""
    ledger: Ledger = current_app.extensions["custody"]
    return ledger


def health() -> Response:
    """Answer 200 with the version and the log's size, once the server is ready."""
    ledger = the_ledger()
    node = current_app.extensions.get(EXTENSION)
    upstream = {} if node is None else {"upstream": node.status()}
    told = {"version": __version__, "size": ledger.size(), "site": ledger.site}
    has = schema.standing(ledger.database)
    known = {"database": has.database, "program": has.program, "newer": has.is_newer}
    return jsonify(**told, schema=known, log=ledger.log.health(), **upstream)


def register_blueprints(app: Flask) -> None:
    """Register `blueprint` of every module of `custody.routes` that has one, and the sync protocol.

    A module of routes may also have `init_app(app)`, for filters and the like.
    """
    app.register_blueprint(sync.blueprint)
    names = [module.name for module in pkgutil.iter_modules(custody.routes.__path__)]
    for name in sorted(names):
        module = importlib.import_module(f"custody.routes.{name}")
        if hasattr(module, "init_app"):
            module.init_app(app)
        if hasattr(module, "blueprint"):
            app.register_blueprint(module.blueprint)
    app.register_blueprint(log_routes.blueprint)
