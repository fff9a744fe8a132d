"""One folder per client: decodes its payloads, encodes its answers, registers hooks with it.

No file access, no policy. Only pipeline, daemon, cli and judge import it.
"""
