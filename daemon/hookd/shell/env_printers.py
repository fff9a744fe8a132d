"""Programs that print shell setup for `eval`: `ssh-agent -s`, `direnv hook`, ...

Their output sets their own variables and functions, and changes nothing on the disk.
"""

from hookd.lazy_pattern import lazy_compile

_PRINTERS = (
    r"ssh-agent(?: -[sc])?",
    r"direnv (?:hook|export) \w+",
    r"(?:py|rb|nod|go|j|php|pl|ph|lua|tf|sw)env(?:-virtualenv)? (?:virtualenv-)?init"
    r"(?: (?:-|--path|--no-rehash|bash|zsh|fish|sh))*",
    r"(?:fnm|mise|asdf|rtx|volta) (?:env|activate|setup|hook-env)(?: [\w=-]+)*",
    r"brew shellenv(?: \w+)?",
    r"(?:starship|zoxide|atuin|mcfly|oh-my-posh|navi|pazi) (?:init|widget)(?: [\w=-]+)*",
    r"(?:conda|mamba|micromamba) shell(?:\.\w+)? hook(?: [\w=-]+)*",
    r"opam (?:env|config env)(?: [\w=-]+)*",
    r"luarocks path(?: --\w+)*",
    r"thefuck --alias",
    r"(?:minikube|podman) [\w-]*env(?: [\w=-]+)*",
    r"docker-machine env(?: [\w.-]+)*",
    r"dircolors(?: -[bc])?",
    r"lesspipe(?:\.sh)?",
    r"keychain(?: --eval| --quiet| -q| --agents [\w,]+| [\w.-]+)*",
    r"register-python-argcomplete [\w.-]+",
    r"(?:kubectl|helm|gh|docker|npm|pip|pnpm|poetry|rustup|hugo|flux|argocd|kind|k3d|oc|uv|uvx|just)"
    r" (?:completions?|(?:--)?generate-shell-completion)(?: -s)?(?: (?:bash|zsh|fish|cargo))*",
)
_SETUP = lazy_compile(
    rf"\s*(?:\$\(|`|<\()\s*(?:[\w.~${{}}-]*/)*(?:{'|'.join(_PRINTERS)})\s*(?:2>\s*/dev/null)?\s*[)`]\s*"
)


def prints_setup(text: str) -> bool:
    """Return whether a text is only the output of one of these programs.

    >>> prints_setup("$(ssh-agent -s)"), prints_setup("$(cat x)")
    (True, False)
    """
    return len(text) < 200 and _SETUP.fullmatch(text) is not None
