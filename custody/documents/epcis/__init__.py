"""Custody's events as a GS1 EPCIS 2.0 document in JSON-LD (EPCIS 2.0, its JSON-LD binding; CBV 2.0)."""
