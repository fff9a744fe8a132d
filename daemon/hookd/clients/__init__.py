"""One folder per client: decodes payloads and encodes answers.

Only pipeline, daemon and cli import it.
"""
