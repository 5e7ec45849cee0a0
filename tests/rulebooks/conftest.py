"""The casino of the desk's tests, for the tests of what its rules and records show."""

from tests.routes.conftest import app, clock, desk, founded, ledger

__all__ = ["app", "clock", "desk", "founded", "ledger"]
