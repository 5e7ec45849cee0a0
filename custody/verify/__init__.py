"""Check a ledger's export without trusting, or sharing code with, what wrote it.

`export.check` re-derives every chain, signature, leaf and root from the events' exact bytes;
`receipts.check` checks one receipt. Nothing here imports another part of Custody: who audits the
ledger reads this folder and protocol.md, and needs Python with `cryptography`.

    python -m custody.verify events.jsonl --verifier FILE --checkpoint FILE --receipt FILE
"""
