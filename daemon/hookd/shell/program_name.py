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
    if "@" in word:
        word = _VERSION.sub("", word)
        if scoped := _SCOPED.fullmatch(word):
            word = scoped[1]
    name = word.rpartition("/")[2].removesuffix(".exe")
    return _PACKAGES.get(name, name)
