"""The home of redaction: no secret rests on disk.

Every text that is stored or logged goes through `redact`, every payload through `record`. A secret
becomes `[redacted:<kind>]`; what stands around it stays, so that the text is still readable.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from pydantic_core import from_json, to_json

from hookd.core.redaction_patterns import MARK, PATTERNS, RUN, SECRET_FLAG, SECRET_NAME, Pattern

LIMIT = 65_536
"""Characters of a payload that are kept."""

_MARGIN = 8_192  # read past the cut, so that a secret astride it is never half visible
_DEPTH = 100  # as deep as wire.json reads; the serializer gives up some 100 levels below
_PASSES = 4
_VALUE = f"{MARK}value]"

_ASCII = str.maketrans(ascii_uppercase, ascii_lowercase)
# Where a hint that ends in a separator may stand, told by its last three characters. One scan for
# all prefixes of vendors costs as much as looking for ten of them one by one.
_TAIL = re.compile(rf"[_.-](?=[a-z0-9_-]{{{RUN}}})(?<=(...))")
_BY_TAIL: defaultdict[str, list[str]] = defaultdict(list)
_WORDS: list[str] = []
for _hint in dict.fromkeys(hint for pattern in PATTERNS for hint in pattern.hints):
    if _hint[-1] in "_.-" and _hint != "-----begin":
        _BY_TAIL[_hint[-3:]].append(_hint)
    else:
        _WORDS.append(_hint)

_ENV_NAME = r"[\w-]*\.env(?!\.(?:example|sample|template|dist)\b)(?:\.[\w-]+)?"
_ENV_FILE = re.compile(rf"(?:^|[\s/\\\"'=<>(:@])(?!process\.|meta\.){_ENV_NAME}(?![\w./(])")
_ENV_PLACES = ("file_path", "path", "notebook_path", "command", "glob")
# A line as a file has it, or as a listing, grep or a diff shows it; a quoted value may go on over
# several lines.
_ENV_LINE = re.compile(
    r"(?m)^((?:[^\s=:]{0,200}:)?(?:[0-9]{1,7}:)?(?:[ +-]|\s{0,8}[0-9]{1,7}[\t→])?[ \t#]{0,40}"
    r"(?:export[ \t]{1,8})?[A-Za-z_][\w.]{0,100}[ \t]{0,8}=[ \t]{0,8})(?!\[redacted:)"
    r'(?:"(?:[^"\\]|\\.)*+"|\'[^\']*+\'|(?=\S))(?:.*)'
)
_ENV_INLINE = re.compile(r"(?<![\w$])([A-Z][A-Z0-9_]{0,100}=)(?!\[redacted:)[^\s\"'\\]+")
