"""Programs by what they may write: nothing, the words named here, or any word they are given.

A program that no table names may change every file among its words.
"""

import re
from collections.abc import Callable, Iterable, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import with_trait
from hookd.risk.inline.known_calls import LANGUAGES
from hookd.risk.inline.source import language_of, programs
from hookd.risk.model import CommandCall
from hookd.risk.rules.output_flags import SAVES
from hookd.shell.argv import Item
from hookd.shell.interpreters import SHELLS
from hookd.shell.quoting import names

_READERS = with_trait("writes-nothing", "plain")
"""Programs that write none of their words.

Programs that start another one are included: that one is judged separately. What containers and
services change is judged by tables of their own.
"""

_PLAIN = with_trait("plain")

_GIT_READS = names(
    "status add commit diff log show blame annotate ls-files ls-tree ls-remote check-ignore"
    " check-attr grep push fetch branch tag remote rev-parse rev-list cat-file describe"
    " shortlog reflog var version help config notes cherry range-diff name-rev merge-base"
    " for-each-ref symbolic-ref diff-tree diff-index diff-files format-patch archive bundle"
    " count-objects fsck gc prune verify-commit verify-tag whatchanged hash-object show-ref"
    " show-branch request-pull send-email credential maintenance bisect"
)
_ARCHIVES = with_trait("archives")

Written = Callable[[CommandCall], Iterable[Item]]


def written_by(call: CommandCall) -> Iterable[Item] | None:
    """Return the words that a program may write; None: any of them."""
    if call.program in _READERS:
        return ()
    if (table := _TABLE.get(call.program)) is not None:
        return (*table(call), *saved(call))
    if call.program in SHELLS or language_of(call.command):
        return call.items[1:]  # the first is the script, or the program itself
    return None


def saved(call: CommandCall) -> tuple[Item, ...]:
    """Return the words that a program writes by a flag of its own."""
    saves = SAVES.get(call.program)
    return tuple(saves(call)) if saves is not None else ()


def is_reader(call: CommandCall) -> bool:
    """Return whether a program writes none of its words, whatever its flags are."""
    return call.program in _READERS or (call.program == "git" and call.verb in _GIT_READS)


def is_plain(program: str) -> bool:
    """Return whether a program neither writes its words nor does anything else to hookd."""
    return program in _PLAIN


def works_here(call: CommandCall) -> bool:
    """Return whether a program may write files of the folder that it runs in, by any name."""
    if call.program == "git":
        return call.verb not in _GIT_READS and call.verb != ""
    if call.program in SHELLS or language_of(call.command):
        return bool(call.items) and next(iter(programs(call)), None) is None
    return call.program not in _READERS and call.program not in _TABLE


def _if(*flags: str) -> Written:
    """Return the table of a program that writes any of its words, but only with these flags."""
    return lambda call: call.items if call.may_have(*flags) else ()


def _unless(*flags: str) -> Written:
    return lambda call: () if call.has(*flags) else call.items


def _between(first: int, last: int | None = None) -> Written:
    return lambda call: call.items[first:last]


def _awk(call: CommandCall) -> Iterable[Item]:
    inplace = any(item.text == "inplace" for item in call.values("-i", "--include"))
    return call.items if inplace else ()


def _git(call: CommandCall) -> Iterable[Item]:
    if call.verb not in _GIT_READS:
        return call.items
    return call.values("-f", "--file") if call.verb == "config" else ()


def _packed(call: CommandCall) -> Iterable[Item]:
    """Return the archive that tar makes; where it unpacks, file_destinations.py tells."""
    first = call.command.words[1] if len(call.command.words) > 1 else ""
    bundled = first if first[:1] != "-" else ""
    letters = bundled + "".join(flag for flag, _ in call.words.flags if flag[:2] != "--")
    if not set("cruA") & set(letters) and not call.has("--create", "--append", "--update"):
        return ()
    return call.items[1:2] if "f" in bundled else call.values("-f", "--file")


def _python(call: CommandCall) -> Iterable[Item]:
    """Return the words of a script; `python3 -m json.tool FILE` only prints."""
    tool = [item.text for item in call.values("-m")]
    prints = tool == ["json.tool"] and len(call.items) <= len(tool) + 1
    return () if prints else call.items[1:]


def _dumped(call: CommandCall) -> Iterable[Item]:
    """Return the second file of xxd, which it writes."""
    skipped = {item.place for item in call.values("-c", "-l", "-s", "-g", "-o", "-n", "-R")}
    return [item for item in call.items if item.place not in skipped][1:]


_QUERY = lazy_compile(
    r"\s*(?:\.(?:schema|tables|indexes|indices|databases|headers|mode|help|show)\b[^\n;|]*|select\b[^;]*;?\s*)",
    re.IGNORECASE,
)
_WRITING = lazy_compile(r"writefile|load_extension|\bedit\s*\(|fts3_tokenizer", re.IGNORECASE)


def only_queries(call: CommandCall) -> bool:
    """Return whether sqlite3 is given nothing but queries, as words: `.schema`, `SELECT`."""
    words = (*call.command.words[1:], *call.command.stdin)
    if any(map(_WRITING.search, words)) or call.has("-init", "-cmd", "-A"):
        return False
    if call.has("-readonly"):
        return not any(
            re.search(r"^\s*\.(?!schema|tables|ind|data|head|mode)", one) for one in words
        )
    asked = call.items[1:]
    known = not any(item.unknown for item in asked) and not call.words.holes
    return bool(asked) and known and all(_QUERY.fullmatch(item.text) for item in asked)


_TABLE: Mapping[str, Written] = {
    **dict.fromkeys((name for name, one in LANGUAGES.items() if one == "awk"), _awk),
    **{f"python{version}": _python for version in ("", "3", *(f"3.{n}" for n in range(8, 20)))},
    **dict.fromkeys(_ARCHIVES, _packed),
    "git": _git,
    "yq": _if("-i", "--inplace", "-s", "--split-exp"),
    "dasel": lambda call: call.items if call.verb in ("put", "delete") else (),
    "zip": _between(0, 1),
    **dict.fromkeys(names("7z 7za 7zz"), _between(1, 2)),
    **dict.fromkeys(names("unzip unrar gunzip"), lambda _: ()),
    **dict.fromkeys(names("uniq split csplit openssl gpg gpg2 base64 base32"), lambda _: ()),
    "xxd": _dumped,
    "sqlite3": lambda call: () if only_queries(call) else call.items,
    **dict.fromkeys(names("vim vi nvim"), _unless("-R")),
    "fuser": _if("-k", "--kill"),
    **dict.fromkeys(names("aws gsutil gcloud rclone scp sftp"), lambda _: ()),
    **dict.fromkeys(names("mount umount"), lambda call: call.items),
    **dict.fromkeys(names("source ."), _between(1)),
    **dict.fromkeys(names("prettier eslint biome markdownlint"), _if("-w", "--write", "--fix")),
}
"""The words that a program may write, by the program's name."""
