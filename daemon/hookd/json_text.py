"""JSON parser that accepts every text that the client accepts.

The fast parser rejects texts that JavaScript accepts: nesting beyond some 200 levels, lone
surrogates, numbers of thousands of digits. A guard that failed on those could be bypassed, so a
tolerant parser follows. Parts deeper than DEPTH are cut before parsing: no rule reads them.
"""

import json
import re
from typing import Any

from pydantic_core import from_json, to_json

from hookd.lazy_pattern import lazy_compile

DEPTH = 100
CUT = '"[cut by hookd: deeper than 100 levels]"'
# A string without an end extends to the end of the text, without backtracking: otherwise every
# quotation mark would be tried again, in quadratic time.
_TOKEN = lazy_compile(r'"[^"\\]*+(?>(?:\\.[^"\\]*+)*)(?:"|\\?\Z)|[\[{]+|[\]}]+', re.DOTALL)


def parse(text: bytes) -> Any:
    """Return the value of one JSON text. Raise ValueError if it is none."""
    try:
        return from_json(text, allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        return _parse_tolerantly(text)


def as_object(value: Any) -> dict[str, Any]:
    """Return a parsed value if it is an object, an empty object in place of any other."""
    return value if isinstance(value, dict) else {}


class Raw(bytes):
    """JSON text that `dump` returns unchanged."""


def dump(value: Any) -> bytes:
    """Return `value` as one line of compact JSON, keys in their order."""
    if isinstance(value, Raw):
        return value
    try:
        return to_json(value, inf_nan_mode="null")
    except ValueError:  # a lone surrogate: a path whose bytes are not UTF-8
        return json.dumps(value, separators=(",", ":")).encode()


def _parse_tolerantly(text: bytes) -> Any:
    whole = text.decode("utf-8-sig", "replace")
    try:
        value = json.loads(shallow(whole), parse_int=_number, parse_constant=_refuse)
    except RecursionError as error:  # cannot happen below DEPTH levels; never a traceback anyway
        raise ValueError("nested too deeply") from error
    # Encoding with "replace" turns lone surrogates, which SQLite cannot hold, into "?".
    flat = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return from_json(flat)


def shallow(text: str) -> str:
    """Return a JSON text with everything deeper than DEPTH replaced by one string.

    Raise ValueError if brackets do not match.
    """
    pieces, depth, kept, cut_from = [], 0, 0, -1
    for token in _TOKEN.finditer(text):
        mark, start, run = text[token.start()], token.start(), token.end() - token.start()
        if mark in "[{":
            if depth <= DEPTH < depth + run:
                cut_from = start + DEPTH - depth
            depth += run
        elif mark in "]}":
            if depth - run <= DEPTH < depth:
                pieces += [text[kept:cut_from], CUT]
                kept = start + depth - DEPTH
            depth -= run
    if depth != 0:
        raise ValueError("brackets do not match")
    return "".join(pieces) + text[kept:]


def _number(digits: str) -> int | float:
    # Python refuses to read integers of more than 4,300 digits; JavaScript rounds them.
    return int(digits) if len(digits) < 300 else float(digits)


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")
