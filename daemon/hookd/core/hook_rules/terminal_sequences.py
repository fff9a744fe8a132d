"""Which terminal sequences a hook may send: titles, notifications, progress and the bell."""

import re

# No control character inside: one could end the sequence early and begin another.
_ALLOWED = re.compile(r"(?:\x07|\x1b\](?:0|1|2|9|99|777);[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\))*")


def harmless(sequence: str) -> bool:
    """Tell whether it is made of OSC 0, 1, 2, 9, 99, 777 and BEL alone."""
    return _ALLOWED.fullmatch(sequence) is not None
