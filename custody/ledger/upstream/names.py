"""Under which name a server keeps a chain that another server relays.

Every server has a device `desk`, each with a key of its own. A relayed chain whose key is not the
one known here under its name is kept as `<name>@<site node>`; its lines say `<name>` all the same,
and so does what its signatures are over. No device's own id has an `@`.
"""

from __future__ import annotations

NODE = "upstream"  # the device by which a node writes down what its upstream told it
EXTENSION = "custody_node"  # of a node's application: the `SiteNode` that relays and pulls
# A record of a node about a run: `seq`, up to which its upstream holds a roaming device's events,
# and `forked`, the seq at which upstream two histories of it part.
CHAIN = "chain"


def signed_as(chain: str) -> str:
    """Return the device's name as the lines and signatures of a chain have it."""
    return chain.partition("@")[0]


def kept_as(device: str, site: str) -> str:
    """Return the name under which a chain is kept whose own name is another's here."""
    return f"{device}@{site}"


def run_id(device: str, run: int) -> str:
    """Return the id of a run's `chain` record."""
    return f"{device}/{run}"
