"""The Alembic migrations of the ledger, run by `custody init` and `custody serve`."""
