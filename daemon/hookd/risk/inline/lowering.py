"""Lowering of one call of another language to shell: `os.remove(x)` is `rm -f x`."""

import re
from collections.abc import Callable, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.risk.inline.snippets import UNKNOWN, Snippet, arguments, literal, script, value_of, word
from hookd.risk.inline.sql import harms


def quoted(text: str) -> str:
    """Return a text as one word of a shell."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _delete(program: Snippet, args: list[str], name: str) -> str:
    if not any(args) and name == "unlink":  # Perl deletes each line of its input
        return f"rm -rf {UNKNOWN}"
    return f"rm -f {_targets(program, args)}"


def _delete_tree(program: Snippet, args: list[str], _name: str) -> str:
    return f"rm -rf {word(program, args[0])}" if args and args[0] else ""


def _delete_either(program: Snippet, args: list[str], name: str) -> str:
    deep = any(re.search(r"recursive\W+(?:true|TRUE|T\b)", arg) for arg in args[1:])
    deep = deep or any(literal(program, arg) == "rf" for arg in args[1:])
    flags = "-rf" if deep or re.search(r"rimraf|remove|emptyDir", name) else "-f"
    return f"rm {flags} {word(program, args[0])}" if args and args[0] else ""


def _targets(program: Snippet, args: list[str]) -> str:
    return " ".join(word(program, arg.lstrip("*&. ")) for arg in args if arg)


_NUMBERED = lazy_compile(r"\x01(\d+)\x02|([\x03\x04])")


def _delete_any(program: Snippet, args: list[str], _name: str) -> str:
    """Delete the files that the arguments name, whatever the order of them."""
    paths = [word(program, match[0]) for arg in args for match in _NUMBERED.finditer(arg)]
    kept = [path for path in paths if path not in ("t", "s", "rf", "''")]
    return f"rm -rf {' '.join(kept)}" if kept else ""


def _run_any(program: Snippet, args: list[str], _name: str) -> str:
    """Run the texts of the arguments: one is a script, several are the words of a command."""
    texts = [match[0] for arg in args for match in _NUMBERED.finditer(arg)]
    if len(texts) == 1:
        return script(program, texts[0])
    return " ".join(word(program, text) for text in texts)


def _program(program: Snippet, args: list[str], name: str) -> str:
    """Run the program that the function is named after: `sh.rm("-rf", x)`."""
    return f"{name.rpartition('.')[2]} {_targets(program, args)}" if args and args[0] else ""


_SHELL = lazy_compile(
    r"(?:system|popen|exec|execSync|getoutput|getstatusoutput|execute|script|shell)$"
)


_WHOLE = lazy_compile(r"(?:popen|shell_exec|passthru|execSync)$")


def _run(program: Snippet, args: list[str], name: str) -> str:
    """Return the text that a shell reads, or the words of a program."""
    if not args or not args[0]:
        return ""
    first = value_of(program, args[0].lstrip("*& "))
    if _WHOLE.search(name) or _is_script(program, first):
        shelled = any(re.search(r"\bshell\W+[Tt]rue", arg) for arg in args[1:])
        return _scripted(program, first, name, shelled=shelled)
    words = _listed(first) if first[:1] in "[(" and len(first) > 1 else [first]
    if words != [first] and args[0][:1] not in "[(*" and words and _is_script(program, words[0]):
        return "\n".join(script(program, each) for each in words)  # a loop over commands
    for arg in args[1:] if words == [first] else []:
        if arg.startswith("["):
            words += _listed(arg)
        elif options := _OPTIONS.search(arg):
            words += _listed(options[1])
        elif _KEYWORD.match(arg):
            break
        else:
            words.append(arg.lstrip("*& "))
    if len(words) == 1 and words == [first]:
        return _scripted(program, first, name, shelled=False)
    return " ".join(word(program, arg) for arg in words if arg)


def _scripted(program: Snippet, first: str, name: str, *, shelled: bool) -> str:
    """Return the text that a shell reads; an unknown one only if a shell certainly reads it."""
    text = script(program, first)
    if not _COMPUTED.fullmatch(text.strip()):
        return text
    return 'sh -c "$UNKNOWN"' if shelled or _SHELL.search(name) else ""


_COMPUTED = lazy_compile(r"\$UNKNOWN\S*")
_OPTIONS = lazy_compile(r"\bargs\s*:\s*(\[[^\[\]]*\])")
_KEYWORD = lazy_compile(
    r"\s*(?:\{|[\w:]+\s*(?:=(?!=)|:(?!:)|=>)|(?:async\s+)?(?:function\b|\([^()]*\)\s*=>|\w+\s*=>)|None\b|null\b|$)"
)
"""An argument that is no word of a command: an option, a callback."""


def _is_script(program: Snippet, first: str) -> bool:
    """Return whether the first argument is the whole command: it contains blanks."""
    return first[:1] not in "[(" and re.search(r"\S\s+\S", script(program, first)) is not None


def _listed(source: str) -> list[str]:
    """Return the parts of a list."""
    return [part for part in arguments(f"({source[1:-1]})", 0, bare=False)[0] if part]


def _read(program: Snippet, args: list[str], _name: str) -> str:
    return f"cat {word(program, args[0])}" if args and args[0] else ""


_WRITES = lazy_compile(
    r"\b(?:f?write\w*|\w*dump\w*|f?print\w*|f?puts|say|save\w*|copyfileobj|to_\w+|append\w*)\b"
)
"""Calls that write something to an open file."""


def _write(program: Snippet, args: list[str], _name: str) -> str:
    """Write a file; a program that only opens it empties it."""
    empty = literal(program, args[1]) == "" if len(args) > 1 else False
    fills = "cat" if _WRITES.search(program.code) and not empty else ":"
    return f"{fills} > {word(program, args[0])}" if args and args[0] else ""


def _open(program: Snippet, args: list[str], _name: str) -> str:
    """Open a file: the mode, if there is one, says whether it is read or written."""
    if any(re.search(r"\bO_(?:TRUNC|WRONLY|RDWR|CREAT)\b", arg) for arg in args[1:]):
        return _write(program, args, "")
    named = literal(program, args[0]) if args else None
    if named is not None and named[:1] == "|":
        return named[1:]  # Ruby starts it
    modes = [literal(program, arg.rpartition("=")[2]) for arg in args[1:3]]
    mode = next((mode for mode in modes if mode is not None), "r")
    return _write(program, args, "") if set(mode) & set("wax+") else _read(program, args, "")


def _perl_open(program: Snippet, args: list[str], _name: str) -> str:
    """Open by Perl: the mode is an argument, or precedes the path."""
    rest = args[1:]
    mode = literal(program, rest[0]) if rest else None
    if mode is None:
        return ""
    if len(rest) == 1:
        sign = re.match(r"\s*([+<>|]*)\s*(.*?)\s*(\|?)$", mode, re.DOTALL)
        if sign is None or "|" in sign[1] + sign[3]:
            return sign[2] if sign else ""
        return f"{': >' if '>' in sign[1] else 'cat'} {quoted(sign[2])}"
    if "|" in mode:
        return _run(program, rest[1:], "")
    return (_write if set(mode) & {">", "+"} else _read)(program, rest[1:], "")


_LISTERS = ("/proc", "pgrep", "pidof", "ps")


def _kill(program: Snippet, args: list[str], name: str) -> str:
    numbers = [arg for arg in args if re.fullmatch(r"-?\s?\d+", arg)]
    everything = "." in name and "Process" not in name and numbers[:1] == ["0"]
    if everything or any(re.fullmatch(r"-\s?1", arg) for arg in numbers):
        return "kill -9 -1"
    if numbers[:1] == ["1"]:
        return "kill 1"
    listed = any(text.content in _LISTERS for text in program.texts)
    return "kill $(ps)" if listed else ""


def _save(program: Snippet, args: list[str], _name: str) -> str:
    """Save what a server sends, as curl does."""
    if not args or not args[0]:
        return ""
    target = f"-o {word(program, args[1])}" if args[1:] else "-O"
    return f"curl {target} {word(program, args[0])}"


def _truncate(program: Snippet, args: list[str], _name: str) -> str:
    return f"truncate -s 0 {word(program, args[0])}" if args and args[0] else ""


_HARMFUL = lazy_compile(
    r"(?i)\s*+(?:drop|truncate|delete|alter|update|with|select|begin|insert|set|create|replace|use)\b"
)
_CONNECTED = lazy_compile(r"\b(?:sqlite3\.connect|Database)(?=\()")


def has_statement(program: Snippet) -> bool:
    """Return whether a text of a program begins like a statement."""
    return any(_HARMFUL.match(text.content) for text in program.texts)


def _is_sql(text: str) -> bool:
    """Return whether a text is a statement that does harm."""
    return _HARMFUL.match(text) is not None and bool(harms(text))


def _sql(program: Snippet, args: list[str], _name: str) -> str:
    """Return the statement as an argument of a database client; for SQLite with the file's name."""
    text = next((text for text in (script(program, arg) for arg in args[:3]) if _is_sql(text)), "")
    if not text:
        return ""
    opened = _CONNECTED.search(program.code)
    if opened is None:
        return f"psql -c {quoted(text)}"
    (file, *_), _ = arguments(program.code, opened.end(), bare=False)
    return f"sqlite3 {word(program, file)} {quoted(text)}"


_REMOVES = lazy_compile(r"(?i)\bmethod\W{0,4}[:=]\W{0,4}\x01(\d+)\x02")


def _request(program: Snippet, args: list[str], name: str) -> str:
    """Return a deleting request, as curl makes it."""
    methods = [
        program.texts[int(match[1])].content for text in args for match in _REMOVES.finditer(text)
    ]
    if name.endswith(".request") and args:
        methods.append(literal(program, args.pop(0)) or "")
    if not args or not (name.endswith(".delete") or "DELETE" in map(str.upper, methods)):
        return ""
    return f"curl -X DELETE {word(program, args[0])}"


def _git(program: Snippet, args: list[str], name: str) -> str:
    """Return the call of git that GitPython makes: `repo.git.reset("--hard")`."""
    verb = name.rpartition(".")[2].replace("_", "-")
    return f"git {verb} {_targets(program, [arg for arg in args if not _KEYWORD.match(arg)])}"


def _store(_found: Snippet, _given: list[str], name: str) -> str:
    if "flush" in name:
        return "redis-cli flushall"
    bucket = name.endswith("delete_bucket")
    return "aws s3 rb s3://bucket --force" if bucket else "mongosh --eval 'db.dropDatabase()'"


def _two(program: str) -> Callable[[Snippet, list[str], str], str]:
    def both(found: Snippet, args: list[str], _name: str) -> str:
        return f"{program} {_targets(found, args[:2])}" if len(args) > 1 else ""

    return both


def _copy(program: Snippet, args: list[str], name: str) -> str:
    whole = "cp -rT" if re.search(r"copytree|\bcpSync", name) else "cp -r"
    return _two(whole if re.search(r"copytree|\bcp", name) else "cp")(program, args, name)


def _chmod(program: Snippet, args: list[str], _name: str) -> str:
    first, last = (*args, "", "")[:2]
    path, mode = (last, first) if re.match(r"0?\d", first) else (first, last)
    number = re.search(r"[0-7]{3,4}", mode)
    return f"chmod {number[0]} {word(program, path)}" if number else ""


ACTIONS: Mapping[str, Callable[[Snippet, list[str], str], str]] = {
    "delete": _delete,
    "delete-tree": _delete_tree,
    "delete-either": _delete_either,
    "delete-any": _delete_any,
    "run": _run,
    "run-any": _run_any,
    "program": _program,
    "read": _read,
    "write": _write,
    "open": _open,
    "perl-open": _perl_open,
    "kill": _kill,
    "move": _two("mv"),
    "copy": _copy,
    "link": _two("ln -s"),
    "chmod": _chmod,
    "truncate": _truncate,
    "sql": _sql,
    "request": _request,
    "store": _store,
    "save": _save,
    "git": _git,
}
"""By effect: the shell words for a call, from its arguments and its name."""
