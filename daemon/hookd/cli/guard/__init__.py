"""`hookd guard` and `allow`: guard rules, why a call is held, single calls that may pass."""
