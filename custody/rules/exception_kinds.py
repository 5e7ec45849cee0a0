"""The kinds of exceptions, each under the name by which code speaks of it.

The words are the vocabulary's closed list (vocabulary.md, "Exceptions"), which a rulebook's
`exceptions` repeats. Nothing is imported here, so every module may name a kind.
"""

RULE_BROKEN = "rule-broken"
CLAIM = "concurrent-claim"
SEAL_BROKEN = "seal-broken"
SEAL_DIFFERENT = "seal-different"
SEAL_REUSED = "seal-reused"
VARIANCE = "count-variance"
REDEEMED_TWICE = "double-redemption"
UNKNOWN_CODE = "unknown-code"
UNKNOWN_PLACE = "unknown-place"
UNKNOWN_PERSON = "unknown-person"
PENDING_DEVICE = "pending-device"
REVOKED_DEVICE = "revoked-device"
REVOKED_PERSON = "revoked-person"
LEASE_EXPIRED = "lease-expired"
CLOCK = "clock"
LATE = "late"
UNREADABLE = "unreadable"
FORK = "fork"
LOG_REWRITTEN = "log-rewritten"
GAP = "form-gap"
