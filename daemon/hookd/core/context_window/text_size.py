"""Size of a text for a model, as its client counts it: in UTF-16 units, or in bytes of UTF-8.

Each client takes 10,000 of them per text.
"""

from hookd.events.protocol import utf16_length

BYTES = "codex"
"""The client that counts bytes, of which a text never has fewer than UTF-16 units."""


def text_size(text: str, client: str) -> int:
    """Return the size of a text for a client.

    >>> text_size("ü", "codex"), text_size("ü", "gemini"), text_size("🚀", "claude-code")
    (2, 1, 2)
    """
    if client != BYTES or text.isascii():
        return utf16_length(text)
    return len(text.encode("utf-8", "replace"))


def beginning(text: str, most: int, client: str) -> str:
    """Return as many characters of a text as fit into `most`.

    >>> beginning("aüü", 4, "codex"), beginning("aüü", 4, "gemini")
    ('aü', 'aüü')
    """
    encoding, width = ("utf-8", 1) if client == BYTES else ("utf-16-le", 2)
    head = text[:most].encode(encoding, "replace")[: most * width]
    return head.decode(encoding, "ignore")
