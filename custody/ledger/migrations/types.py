"""Column types of the migrations: the words of `custody.ledger.tables`, never changed later."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Integer, String, Text

BIG = BigInteger().with_variant(Integer, "sqlite")
WORD = String().with_variant(String(collation="C"), "postgresql")


def big(name: str, *, key: bool = False, null: bool = False) -> Column[int]:
    return Column(name, BIG, primary_key=key, nullable=null, autoincrement=False)


def whole(name: str, *, key: bool = False) -> Column[int]:
    return Column(name, Integer, primary_key=key, nullable=False, autoincrement=False)


def word(name: str, *, key: bool = False, null: bool = False) -> Column[str]:
    return Column(name, WORD, primary_key=key, nullable=null)


def text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null)
