"""The errors of the ledger. An *exception* is a fact in the log; these are Python's."""

from __future__ import annotations


class LedgerError(Exception):
    """Base of all errors of the ledger; its text says what was wrong and what would be right."""


class NotInitialised(LedgerError):
    """The data folder or database holds no ledger, or one of another version."""


class SchemaTooNew(NotInitialised):
    """The database was brought to a schema with which this version of the program cannot go on."""


class DatabaseUnusable(LedgerError):
    """The database cannot be reached, or is no database."""


class AlreadyInitialised(LedgerError):
    """The data folder or database holds a ledger already."""


class FolderUnusable(LedgerError):
    """The data folder cannot be made, or not be written to."""


class SettingError(LedgerError):
    """A setting file, or a change to master data, says something that cannot be."""


class RunRefused(SettingError):
    """A new run with another number than the device's next; `expected` is the right one."""

    def __init__(self, asked: int, expected: int) -> None:
        super().__init__(f"the next run of this device is {expected}, not {asked}")
        self.expected = expected


class NotKnown(LedgerError):
    """No such person, place, device, item, exception or account."""


class CodeRefused(LedgerError):
    """An enrolment code or link that is unknown, used or expired."""


class CredentialRefused(LedgerError):
    """A PIN, badge or password that may not be set."""


class Refused(LedgerError):
    """A draft at the desk that the rules refuse; `reasons` is what the rules core gave."""

    def __init__(self, reasons: list[dict[str, object]]) -> None:
        super().__init__("the step is refused")
        self.reasons = reasons
