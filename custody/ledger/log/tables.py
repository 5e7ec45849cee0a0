"""The one table of the log: where each of the site's logs stands."""

from __future__ import annotations

from typing import ClassVar

from sqlmodel import Field, SQLModel

from custody.ledger.tables import big, text, word


class LogHead(SQLModel, table=True):
    """A log by its number, with the checkpoint that it signed last (`store.Head`)."""

    __tablename__: ClassVar[str] = "log_head"
    number: int = Field(primary_key=True)
    origin: str = Field(sa_column=word())
    previous: str | None = Field(sa_column=text(null=True))
    reason: str | None = Field(sa_column=text(null=True))
    note: str | None = Field(sa_column=text(null=True))
    signed: int | None = Field(sa_column=big(null=True))
    witnessed: str | None = Field(sa_column=text(null=True))


log_head = SQLModel.metadata.tables["log_head"]
