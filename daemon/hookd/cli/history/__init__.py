"""Commands that look back: events, why, message, dialogue, query, redact, db."""
