"""That a ledger is a site node's: where its upstream is, and as whom it speaks to it.

The node's private key is DATA/keys/upstream.pem. What else must be known is one row of `meta`, so
that the cursor of what was taken over moves in the transaction that took it over.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy import Connection, func, select

from custody.ledger import append, keys, meta, rows, tables
from custody.ledger.core import Ledger
from custody.ledger.desk import Signer
from custody.ledger.errors import LedgerError, SettingError
from custody.ledger.log import durable
from custody.ledger.strict import dumps, reload
from custody.ledger.upstream.names import NODE

META = "upstream"
KEY = "upstream.pem"


NODES_OWN = ("device-revoked",)  # a handheld is lost in an outage, too


class NotOfThisSite(LedgerError):
    """The upstream's ledger is another site's."""


class KeptUpstream(SettingError):
    """A change of what is changed upstream, and flows down from there."""


class Joined(NamedTuple):
    """`device` is the node's id upstream, `run` that of the chain in which it writes what it was
    told; `cursor` and `news` are how far it took over the changes feed and what goes beside it,
    `seen` the leaf of the upstream's log before `news`, `checkpoint` the last signed note of the
    upstream's log that it saw. `since` is the size of this node's log when it last began again:
    what it was told before may be of events that the upstream has lost.
    """

    url: str
    device: str
    run: int
    cursor: str = ""
    news: int = 0
    checkpoint: str = ""
    seen: str = ""
    since: int = 0


def joined(ledger: Ledger) -> Joined | None:
    """Return what is known of the ledger's upstream; None where it has none."""
    with ledger.database.reading() as connection:
        return read(connection)


def read(connection: Connection) -> Joined | None:
    """Return as whom this ledger speaks to its upstream; None where it is no site node's."""
    value = meta.read(connection, META)
    return None if value is None else Joined(**reload(value))


def write(connection: Connection, joined: Joined) -> None:
    """Keep how far this node has taken over what its upstream told."""
    meta.write(connection, META, dumps(joined._asdict()))


def require_own(connection: Connection, what: str) -> None:
    """Raise KeptUpstream for an administrative act that is not a site node's to do."""
    joined = read(connection)
    if joined is not None and what not in NODES_OWN:
        raise KeptUpstream(
            f"this server is a site node: do this at {joined.url}, from where it comes here"
        )


def join(ledger: Ledger, url: str, device: str, key: ec.EllipticCurvePrivateKey) -> Joined:
    """Note durably as whom this ledger speaks to its upstream from now on."""
    keep_key(ledger.config.keys, key)
    with ledger.database.writing() as connection:
        table = tables.device_key.c
        last = connection.scalar(select(func.max(table.run)).where(table.device == NODE))
        made = Joined(url, device, int(last or 0) + 1)
        jwk = dumps(keys.jwk_of(key.public_key()))
        row = {"device": NODE, "run": made.run, "jwk": jwk}
        row["since_position"] = append.log_size(connection)
        rows.insert(connection, tables.device_key, [row])
        write(connection, made)
    return made


def moved(ledger: Ledger, joined: Joined, url: str) -> Joined:
    """Return what is known of the upstream, noting that it is at another address now."""
    if joined.url == url:
        return joined
    with ledger.database.writing() as connection:
        found = read(connection) or joined
        write(connection, found._replace(url=url))
    return found._replace(url=url)


def keep_checkpoint(ledger: Ledger, note: str) -> None:
    """Keep the last signed note of the upstream's log: a log that contradicts it was rewritten."""
    with ledger.database.writing() as connection:
        joined = read(connection)
        if joined is not None:
            write(connection, joined._replace(checkpoint=note))


def keep_key(folder: Path, key: ec.EllipticCurvePrivateKey) -> None:
    """Write the node's key, in the place of one by which it is known no more."""
    durable.write([(folder / KEY, keys.pem(key))], folder, mode=0o600)


def signer(ledger: Ledger, joined: Joined) -> Signer:
    """Return the device that writes down what the upstream told. Raises KeysMissing."""
    return Signer(NODE, joined.run, keys.private_key(ledger.config.keys / KEY))


def require_same_site(ledger: Ledger, site: str) -> None:
    """Raise NotOfThisSite unless the upstream's site is this ledger's."""
    if site != ledger.site:
        raise NotOfThisSite(
            f"this ledger is of site {ledger.site!r} and its upstream of {site!r}: "
            "a node and its upstream share one site"
        )
