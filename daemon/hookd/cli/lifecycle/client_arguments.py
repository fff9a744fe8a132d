"""Arguments of each client: which resume a conversation, and where its first prompt goes.

Pure functions. Sources: `--help` of Codex 0.169.0, Gemini CLI 0.61.0, Qwen Code 0.24.4, Copilot CLI
1.0.102 and opencode 1.18.33.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Literal

from hookd.core.model.client_names import CLIENTS
from hookd.core.model.client_process import NAMES
from hookd.lazy_dataclass import dataclass

_Takes = Literal["nothing", "value", "optional value", "values"]


def _options(takes: _Takes, names: str) -> dict[str, _Takes]:
    return dict.fromkeys(names.split(), takes)


def _words(names: str) -> frozenset[str]:
    return frozenset(names.split())


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a client reads its arguments.

    `resumes` are the options that resume a conversation, by the values they take; `others` are
    further options that do not take one value. `prompts` are the options whose value is the prompt,
    with the long name of each; `first` is the one for a command that has none, "" for the last
    argument. `words` is the same for a command whose words, those of no option, are the prompt;
    None: they are something else. After a subcommand of `headless` they are always the prompt. With
    one of `commands` the client takes no prompt at all.
    """

    resumes: Mapping[str, _Takes]
    others: Mapping[str, _Takes]
    prompts: Mapping[str, str]
    first: str = ""
    words: str | None = None
    headless: frozenset[str] = frozenset()
    commands: frozenset[str] = frozenset()


_QUERY = {"-p": "--prompt", "-i": "--prompt-interactive"}

GRAMMARS: Mapping[str, Grammar] = {
    "claude-code": Grammar(
        resumes=_options("nothing", "-c --continue --fork-session")
        | _options("value", "--session-id --resume-session-at")
        | _options("optional value", "-r --resume --from-pr --teleport"),
        others=_options("nothing", "-p --print"),
        prompts={},
    ),
    "codex": Grammar(
        resumes=_options("nothing", "--last --all --include-non-interactive"),
        others=_options(
            "nothing",
            "--oss --strict-config --approve-for-me --dangerously-bypass-approvals-and-sandbox"
            " --dangerously-bypass-hook-trust --worktree --search --no-alt-screen --no-daemon"
            " --full-auto --skip-git-repo-check --trust --ephemeral --ignore-user-config"
            " --ignore-rules --json -h --help -V --version",
        )
        | _options("values", "-i --image"),
        prompts={},
        words="",
        headless=frozenset({"exec", "e"}),
        commands=_words(
            "agents review login logout mcp plugin app-server remote-control completion update"
            " doctor sandbox debug apply a queue archive delete migrate-rollouts migrate-nfs-db"
            " unarchive cloud exec-server features help"
        ),
    ),
    "gemini": Grammar(
        resumes=_options("value", "-r --resume --session-id --session-file"),
        others=_options(
            "nothing",
            "-d --debug --skip-trust -s --sandbox -y --yolo --acp --experimental-acp -l"
            " --list-extensions --list-sessions --screen-reader --raw-output"
            " --accept-raw-output-risk -v --version -h --help",
        )
        | _options(
            "values",
            "--policy --admin-policy --allowed-mcp-server-names --allowed-tools -e --extensions"
            " --include-directories",
        ),
        prompts=_QUERY,
        first="--prompt-interactive",
        words="--prompt-interactive",
        commands=_words("mcp extensions extension skills skill hooks hook gemma"),
    ),
    "qwen": Grammar(
        resumes=_options("nothing", "-c --continue --fork-session")
        | _options("value", "--session-id")
        | _options("optional value", "-r --resume"),
        others=_options(
            "nothing",
            "-d --debug --bare --safe-mode --insecure --chat-recording -s --sandbox -y --yolo"
            " --acp --experimental-lsp --restore-ask-user-question -l --list-extensions"
            " --openai-logging --screen-reader --include-partial-messages --telemetry"
            " --telemetry-log-prompts -v --version -h --help",
        )
        | _options(
            "values",
            "--fallback-model --allowed-mcp-server-names --allowed-tools -e --extensions"
            " --include-directories --add-dir --core-tools --exclude-tools"
            " --disabled-slash-commands",
        ),
        prompts=_QUERY,
        first="--prompt-interactive",
        words="--prompt",  # Qwen Code answers words once, and ends
        commands=_words(
            "auth board channel extensions hooks mcp review sandbox serve sessions update"
        ),
    ),
    "copilot": Grammar(
        resumes=_options("nothing", "--continue")
        | _options("value", "--session-id")
        | _options("optional value", "-r --resume --connect"),
        others=_options("nothing", "-s --silent -h --help -v --version"),
        prompts={"-p": "--prompt", "-i": "--interactive"},
        first="--interactive",
        commands=_words(
            "app login help init config update version workflow sessions memories plugin mcp skill"
            " instruction lsp sandbox completion"
        ),
    ),
    "opencode": Grammar(
        resumes=_options("nothing", "-c --continue --fork") | _options("value", "-s --session"),
        others=_options(
            "nothing",
            "-h --help -v --version --print-logs --pure --mdns --auto --mini --no-replay --share"
            " --thinking -i --interactive",
        )
        | _options("values", "--cors -f --file"),
        prompts={"--prompt": "--prompt"},
        first="--prompt",
        headless=frozenset({"run"}),
        commands=_words(
            "completion acp mcp attach debug providers auth agent upgrade uninstall serve web"
            " models stats export import github pr session plugin plug db"
        ),
    ),
}
"""The grammar of each client, by the client's name."""

_LABELS = {label: name for name, label in CLIENTS.items()}


@dataclass(frozen=True, slots=True)
class _Part:
    """An option with its values, a word, or the mark `--`; `name` is "" for the latter two."""

    words: tuple[str, ...]
    name: str = ""


def client_in(command: Sequence[str]) -> tuple[int, str]:
    """Return where a command names the client that it starts, and which; its length and "" if none.

    The program itself comes first, then a bare word, then the last part of a path.

    >>> client_in(["ssh", "host", "codex"]), client_in(["env", "-C", "/work/gemini", "claude"])
    ((2, 'codex'), (3, 'claude-code'))
    """
    places = range(len(command))
    bare = (place for place in places if "/" not in command[place])
    for place in (*places[:1], *bare, *places):
        label = NAMES.get(command[place].rpartition("/")[2], "")
        if label in _LABELS:
            return place, _LABELS[label]
    return len(command), ""


def program_of(client: str) -> str:
    """Return the name of a client's program.

    >>> program_of("claude-code"), program_of("codex")
    ('claude', 'codex')
    """
    return next(program for program, label in NAMES.items() if label == CLIENTS[client])


def first_command(command: Sequence[str], prompt: str) -> list[str]:
    """Return the command with this prompt, in place of the prompt of an option.

    >>> first_command(["codex", "--search"], "Next.")
    ['codex', '--search', '--', 'Next.']
    """
    place, client = client_in(command)
    grammar = GRAMMARS.get(client)
    if grammar is None:
        return with_last(command, prompt)
    parts = list(_parts(command[place + 1 :], grammar))
    option = "" if _subcommand(parts) in grammar.headless else grammar.first
    return _prompted(command[: place + 1], parts, grammar, option, prompt)


def restart_command(command: Sequence[str], prompt: str) -> list[str]:
    """Return the command that begins a new conversation with this prompt.

    >>> restart_command(["claude", "--model", "opus", "--resume", "8f2c"], "Next.")
    ['claude', '--model', 'opus', '--', 'Next.']
    >>> restart_command(["gemini", "-r", "latest", "-y"], "Next.")
    ['gemini', '-y', '--prompt-interactive', 'Next.']
    >>> restart_command(["codex", "exec", "resume", "--last"], "Next.")
    ['codex', 'exec', 'Next.']
    """
    place, client = client_in(command)
    grammar = GRAMMARS.get(client)
    if grammar is None:
        return with_last(command, prompt)
    parts = list(_parts(command[place + 1 :], grammar))
    subcommand = _subcommand(parts)
    if subcommand in grammar.commands:
        return list(command)
    headless, option = subcommand in grammar.headless, grammar.first
    kept = [part for part in map(_unbound, parts, repeat(grammar)) if part.words]
    if headless or grammar.words is not None:
        given = [part for part in kept if not part.name]
        option = "" if headless else (grammar.words or "") if given else option
        kept = [part for part in kept if part.name or (headless and part is given[0])]
    return _prompted(command[: place + 1], kept, grammar, option, prompt)


def with_last(command: Sequence[str], prompt: str) -> list[str]:
    """Return the command with the prompt as its last argument.

    A `--` precedes it if an option could take it as a further value, such as Claude Code's
    --allowedTools and --add-dir, or if it begins with a dash.

    >>> with_last(["claude", "--add-dir", "lib"], "Next.")
    ['claude', '--add-dir', 'lib', '--', 'Next.']
    """
    arguments = list(command[1:])
    after = arguments[::-1].index("--") if "--" in arguments else len(arguments)
    open_ended = any(one.startswith("-") for one in arguments[len(arguments) - after :])
    bare_dash = prompt.startswith("-") and "--" not in arguments
    mark = ["--"] if open_ended or bare_dash else []
    return [*command, *mark, prompt]


def _parts(arguments: Sequence[str], grammar: Grammar) -> Iterator[_Part]:
    """Yield the parts of the arguments that follow the client's own name.

    -c means something else to a program that starts the client.
    """
    rest = deque(arguments)
    while rest:
        word = rest.popleft()
        if word == "--":
            yield _Part((word,))
            yield from (_Part((one,)) for one in rest)
            return
        if not word.startswith("-") or word == "-":
            yield _Part((word,))
            continue
        name, inline = _name(word, grammar)
        takes = "nothing" if inline else _takes(name, grammar)
        values: list[str] = []
        while rest and takes != "nothing" and (takes == "value" or not _is_option(rest[0])):
            values.append(rest.popleft())
            if takes != "values":
                break
        yield _Part((word, *values), name)


def _name(word: str, grammar: Grammar) -> tuple[str, bool]:
    """Return the name of an option, and whether its value, or another option, is in its word."""
    name, equals, _ = word.partition("=")
    if not word.startswith("--") and len(word) > len("-c"):
        short = word[:2]
        known = {**grammar.resumes, **grammar.prompts}
        if short in known and short not in _flags(grammar):
            return short, True  # -r8f2c is -r 8f2c
        return name, bool(equals) or _are_flags(name[1:], grammar)
    return name, bool(equals)


def _flags(grammar: Grammar) -> frozenset[str]:
    """Return the options that take no value."""
    options = (*grammar.resumes.items(), *grammar.others.items())
    return frozenset(name for name, takes in options if takes == "nothing")


def _takes(name: str, grammar: Grammar) -> _Takes:
    if name in grammar.prompts or name in grammar.prompts.values():
        return "value"
    known = grammar.resumes.get(name) or grammar.others.get(name)
    return known or "optional value"  # one value, unless the next word is an option


def _is_option(word: str) -> bool:
    return word.startswith("-") and word != "-"


def _subcommand(parts: Sequence[_Part]) -> str:
    """Return the first word that belongs to no option, "" if there is none before `--`."""
    word = next((part.words[0] for part in parts if not part.name), "")
    return "" if word == "--" else word


def _unbound(part: _Part, grammar: Grammar) -> _Part:
    """Return a part without what resumes a conversation: empty, or other options in one word.

    >>> _unbound(_Part(("-cp",), "-cp"), GRAMMARS["claude-code"]).words
    ('-p',)
    """
    if part.name in grammar.resumes:
        return replace(part, words=())
    letters = part.name[1:]
    if part.name.startswith("--") or not _are_flags(letters, grammar):
        return part
    left = "".join(one for one in letters if f"-{one}" not in grammar.resumes)
    return replace(part, words=(f"-{left}",) if left else ())


def _are_flags(letters: str, grammar: Grammar) -> bool:
    flags = _flags(grammar)
    return bool(letters) and all(f"-{letter}" in flags for letter in letters)


def _prompted(
    head: Sequence[str], parts: Sequence[_Part], grammar: Grammar, option: str, prompt: str
) -> list[str]:
    """Return a command with its prompt: in the option that has one, else in `option`, or last."""
    names = {*grammar.prompts, *grammar.prompts.values()}
    others = [word for part in parts if part.name not in names for word in part.words]
    given = next((part.name for part in parts if part.name in names), "")
    option = grammar.prompts.get(given, given) or option
    if not option:
        return with_last([*head, *others], prompt)
    value = [f"{option}={prompt}"] if prompt.startswith("-") else [option, prompt]
    if "--" in others:
        place = others.index("--")
        return [*head, *others[:place], *value, *others[place:]]
    return [*head, *others, *value]
