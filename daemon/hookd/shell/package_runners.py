"""Home of the package managers that start programs: `npm exec`, `pipx run`, `conda run`, ..."""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

from hookd.shell.quoting import names
from hookd.shell.words import Word
from hookd.shell.wrappers import Inner, program_of

_TEXT_FLAGS = ("-c", "--call", "--command")
_CONDA = (names("run"), names("-n --name -p --prefix --cwd"))
_TABLE = {
    "npm": (names("exec x"), names("-c --call -p --package -w --workspace --prefix -C --loglevel")),
    "pipx": (names("run"), names("--spec --python --pip-args --index-url -i --with")),
    **dict.fromkeys(names("conda mamba micromamba"), _CONDA),
    "mise": (names("exec x"), names("-c --command -C --cd -j --jobs -E --env")),
    "corepack": (names(""), names("")),
    "composer": (names("exec"), names("-d --working-dir --timeout")),
    "bun": (names("x run"), names("--cwd --env-file --config -r --preload")),
    **dict.fromkeys(names("rbenv pyenv nodenv asdf"), (names("exec"), names(""))),
    "volta": (names("run"), names("--node --npm --yarn --pnpm")),
}
"""By program: the subcommands behind which another program stands, and the flags with a value."""


def _launch(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield what a package manager runs: what stands behind its subcommand, or a text."""
    verbs, valued = _TABLE[program_of(words)]
    at = _after(words, 1, valued)
    if verbs and words[at:] and words[at].known and words[at].text not in verbs:
        return
    first = at + 1 if verbs else at
    start = _after(words, first, valued)
    for word, after in pairwise(words[:start]):
        if word.text in _TEXT_FLAGS and word.text in valued:
            yield Inner("script", (after,))
    if words[start:]:
        yield Inner("command", words[start:])


def _after(words: tuple[Word, ...], at: int, valued: frozenset[str]) -> int:
    """Return where the flags that begin at `at` end, with the values that some of them take."""
    while at < len(words) and words[at].known and words[at].text[:1] == "-":
        if words[at].text == "--":
            return at + 1
        at += 2 if words[at].text in valued else 1
    return at


def _mise(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield what mise runs; the tools that it brings stand before: `mise x node@22 -- npm ci`."""
    for one in _launch(words):
        dashes = next((at for at, word in enumerate(one.words) if word.text == "--"), -1)
        if one.words[dashes + 1 :]:
            yield one._replace(words=one.words[dashes + 1 :])


def _corepack(words: tuple[Word, ...]) -> Iterator[Inner]:
    """Yield the package manager that is run, less the version that it is wanted in."""
    for one in _launch(words):
        named = Word(one.words[0].text.partition("@")[0])
        yield one._replace(words=(named, *one.words[1:])) if one.words[0].known else one


LAUNCHERS: Mapping[str, Callable[[tuple[Word, ...]], Iterator[Inner]]] = {
    **dict.fromkeys(_TABLE, _launch),
    "mise": _mise,
    "corepack": _corepack,
}
"""By program: what it runs besides itself."""
