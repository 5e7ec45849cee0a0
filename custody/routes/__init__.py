"""The desk's web pages: thin blueprints that parse, call one ledger function and render."""
