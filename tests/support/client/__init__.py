"""An honest device in Python: everything that protocol.md asks of one, kept on a disk of its own.

`Device` (`tests.support.device`) says what it is told to; `Client` decides for itself, as a
handheld does: it queues, retries, halves, forgets only what it may, notices that a server lost
events, follows its log, and goes on under a new run.
"""

from tests.support.client.client import Client

__all__ = ["Client"]
