"""Who a browser's cookie stands for."""

from custody.ledger import accounts
from custody.ledger.reading import records
from custody.routes import context
from custody.routes.context import Caller


def caller_of(cookie: str) -> Caller | None:
    """Return the person signed in with a cookie, with the job that they have now.

    None when nobody is.
    """
    opened = context.ledger()
    session = accounts.find_session(opened, cookie)
    if session is None:
        return None
    return context.as_caller(
        session.person, records.known(opened, "person", session.person), session.session
    )
