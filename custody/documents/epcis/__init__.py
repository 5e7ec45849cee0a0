"""Custody's events as a GS1 EPCIS 2.0 document, in its JSON-LD binding, with CBV 2.0."""
