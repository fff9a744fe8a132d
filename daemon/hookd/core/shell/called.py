"""Home of what a program is called, however it is named: by a path, or as a package."""

import re

_VERSION = re.compile(r"(?<=[\w)])@[\w.^~*+-]*")
_SCOPED = re.compile(r"@([\w.-]+)/cli")
_PACKAGES = {
    "firebase-tools": "firebase",
    "netlify-cli": "netlify",
    "aws-cdk": "cdk",
    "eas-cli": "eas",
    "vercel-cli": "vercel",
    "changesets": "changeset",
    "del-cli": "rimraf",
}
"""Packages whose program has a name of its own: `npx firebase-tools deploy`."""


def called(word: str) -> str:
    """Return the name of the program that a word starts, without folder, version and `.exe`.

    >>> called("/usr/bin/git"), called("rimraf@5"), called("@railway/cli@latest")
    ('git', 'rimraf', 'railway')
    """
    plain = _VERSION.sub("", word) if "@" in word else word
    scoped = _SCOPED.fullmatch(plain)
    name = scoped[1] if scoped else plain.rpartition("/")[2].removesuffix(".exe")
    return _PACKAGES.get(name, name)
