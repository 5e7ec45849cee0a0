"""The database's errors: nothing personal in the server's log, and one line from a command."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import click
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from custody.commands.common import telling_errors
from custody.ledger.core import Ledger


def test_an_error_of_the_database_names_no_values(ledger: Ledger) -> None:
    with pytest.raises(DBAPIError) as raised, ledger.database.writing() as connection:
        connection.execute(text("INSERT INTO nowhere VALUES (:name)"), {"name": "Fay Moss"})
    assert "Fay Moss" not in str(raised.value)


def command_that_meets(error: Exception) -> Callable[[], None]:
    @telling_errors
    def command() -> None:
        raise error

    return command


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("COMMIT", None, sqlite3.OperationalError("database or disk is full")),
        sqlite3.OperationalError("database or disk is full"),
    ],
)
def test_a_command_tells_in_one_line_that_the_database_is_full(error: Exception) -> None:
    with pytest.raises(click.ClickException) as told:
        command_that_meets(error)()
    assert told.value.message == "the database cannot be used: database or disk is full"


def test_a_statement_that_the_database_refuses_stays_a_fault_of_the_program() -> None:
    error = IntegrityError("INSERT", None, sqlite3.IntegrityError("UNIQUE constraint failed"))
    with pytest.raises(IntegrityError):
        command_that_meets(error)()
