"""Alembic's entry: it is handed an open connection by `custody.ledger.schema`."""

from alembic import context
from sqlmodel import SQLModel

from custody.ledger import tables  # noqa: F401  (fills the metadata)

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
