"""What every template of the desk may call."""

from typing import Any

from flask import Flask
from htmx_flask import Htmx
from markupsafe import Markup

from custody.routes import context, guard, navigation, paging, present, times, vocabulary, words
from custody.rules import days


def init_app(app: Flask) -> None:
    """Give the templates their functions, and the request its `htmx`."""
    Htmx(app)
    app.config["MAX_CONTENT_LENGTH"] = 25 * 1024 * 1024
    app.jinja_env.finalize = written
    app.jinja_env.globals.update(
        t=words.words,
        amount=present.amount,
        quantity=present.quantity,
        language=words.language,
        word=vocabulary.word,
        job_word=vocabulary.job,
        is_place=is_place,
        place_name=place_name,
        me=context.me,
        may=context.may,
        form_token=guard.form_token,
        navigation=navigation.navigation,
        site_name=site_name,
        when=when,
        event_time=event_time,
        now_element=now_element,
        server_now=server_now,
        asked_for=paging.asked_for,
    )


def written(value: object) -> object:
    """Write None as nothing and truth as JavaScript does.

    So that both engines render a partial alike.
    """
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else value


def site_name() -> str:
    """Return what the site calls itself, else its id."""
    setting = context.site()["setting"]
    return str(setting.get("name") or setting.get("id") or "")


def is_place(id_: str) -> bool:
    """Say whether an id is that of a place of the house, which has a page."""
    return id_ in context.names().places


def place_name(id_: str) -> str:
    """Return the name of a place."""
    return context.names().place(id_)


def when(at: int, offset: int | None = None) -> Markup:
    """Write an instant (UTC ms) at an offset, or at the site's own for that instant."""
    shift = days.offset(context.site()["book"], at) if offset is None else offset
    return times.time_element(at, shift)


def event_time(event: dict[str, Any]) -> Markup:
    """Write an event's device time: its own clock at its own offset, to the second."""
    return times.time_element(event["at"], event["offset"], seconds=True)


def now_element() -> Markup:
    """Write the server's own time at the site."""
    return when(context.ledger().clock())


def server_now() -> int:
    """Return the server's clock (UTC ms), with which a page compares that of its computer."""
    return context.ledger().clock()
