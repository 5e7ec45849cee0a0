"""A ledger among others: what a site node relays upstream, and what it is told from there."""
