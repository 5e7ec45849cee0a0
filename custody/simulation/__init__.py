"""An invented casino's years of events, made as fast as a ledger takes them."""
