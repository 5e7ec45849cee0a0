"""The database's errors end in the server's log, where nothing personal may be."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from custody.ledger.core import Ledger


def test_an_error_of_the_database_names_no_values(ledger: Ledger) -> None:
    with pytest.raises(DBAPIError) as raised, ledger.database.writing() as connection:
        connection.execute(text("INSERT INTO nowhere VALUES (:name)"), {"name": "Fay Moss"})
    assert "Fay Moss" not in str(raised.value)
