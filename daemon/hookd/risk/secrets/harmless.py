"""Home of what is quiet about a secret: programs that show no content, and uses that show names."""

import re
from collections.abc import Callable, Mapping, Sequence

from hookd.risk.model import CommandCall
from hookd.risk.secrets.operands import operands
from hookd.shell.quoting import names

QUIET = names(
    "ls ll la exa eza lsd stat test [ [[ wc du df ncdu file tree basename dirname realpath readlink"
    " rm unlink rmdir shred srm trash trash-put gio rip mkdir touch truncate fallocate mktemp tee"
    " sponge chmod chown chgrp chattr setfacl getfacl chflags xattr dos2unix unix2dos patch"
    " md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum cksum sum"
    " echo printf print pwd which type whereis man true false : sleep locate"
    " export declare local readonly typeset set unset alias unalias read cd chdir pushd popd z"
    " trap return exit let shift eval exec command builtin hash complete compgen mapfile readarray"
    " ssh ssh-keygen ssh-add ssh-copy-id ssh-agent ssh-keyscan mosh autossh sshfs keychain"
    " docker podman nerdctl docker-compose podman-compose kubectl helm minikube kind k3d kubeseal"
    " direnv dotenv dotenvx env-cmd foreman honcho overmind hivemind dotenv-linter yamllint"
    " code code-insiders cursor subl zed idea webstorm pycharm open xdg-open"
    " ansible ansible-playbook ansible-lint packer sam cdk serverless sls"
    " nginx apachectl httpd caddy certbot mkcert keytool jarsigner apksigner codesign htpasswd"
    " make gmake just ninja inotifywait entr fswatch watchman nodemon systemctl service launchctl"
    " mount umount losetup cryptsetup visudo age-keygen wg chpasswd hookd"
    " allow permit deny"  # of direnv, behind which a program may stand
)
"""Programs that show nothing of what stands in the files that they are given."""

_HANDS_OVER = re.compile(
    r"env|key|cert|config|ident|cred|secret|pass|token|auth|netrc|var-file|state|store|tls|ssl|pem"
    r"|vault|pfx|p12|defaults|--?ks$|--?ca$|settings"
)
"""Flags by which a program is told where its own secret is."""

_COUNTING = ("-c", "--count", "-q", "--quiet", "--silent", "-l", "--files-with-matches", "-L")
_MATCHERS = names("grep egrep fgrep ggrep rg ag ugrep zgrep")
_USUAL = re.compile(
    r"\^?(?:NODE_ENV|NODE|PATH|HOME|LANG|LC_|\w*PROXY|SHELL|TERM|PYTHON\w*|VIRTUAL_ENV|JAVA_HOME"
    r"|GOPATH|DISPLAY|XDG\w*|EDITOR|TZ|(?:\w*_)?(?:PORT|HOST|DEBUG|LEVEL|MODE|REGION|TIMEOUT)"
    r"|(?:APP|RAILS|FLASK|VITE)_ENV)=?",
    re.IGNORECASE,
)
"""What is looked for in an environment that is no secret."""

_NAME = re.compile(r"\^\[[A-Za-z0-9_-]{1,40}\](?:\*|\\?\+)=?")
_FIRST = re.compile(r"\{ ?print \$1;? ?\}")
_BLANKED = re.compile(r"s([/|#,])=\.\*\$?\1(?:=?[*.x<>A-Z]*)\1g?")
_MASKED = re.compile(r"s([/|#,]):[^\s@]{0,40}@\1:?[*x.<>/-]{1,12}@\1g?")
_PLAIN_LETTERS = frozenset("iEFnwoxhHs")


def hands_over(flag: str) -> bool:
    """Whether the value of a flag is a file that the program itself needs."""
    return _HANDS_OVER.search(flag.partition("=")[0].lower()) is not None


def names_only(call: CommandCall) -> bool:
    """Whether the program shows no more of its input than the names of variables, or counts it."""
    rule = _NAMES_ONLY.get(call.program)
    return rule is not None and rule(call)


def _cuts(call: CommandCall) -> bool:
    return _cuts_names(call.command.words[1:])


def _takes_first(call: CommandCall) -> bool:
    programs = call.command.words[1:]
    return call.has("-F=") and any(_FIRST.fullmatch(program) for program in programs)


def _blanks_values(call: CommandCall) -> bool:
    program = next((item.text for item in call.items), "")
    return _BLANKED.fullmatch(program) is not None


def masks(call: CommandCall) -> bool:
    """Whether a program hides what stands between the colon and the `@` of an address."""
    program = next((item.text for item in call.items), "")
    return call.program in ("sed", "gsed") and _MASKED.fullmatch(program) is not None


def _finds_no_values(call: CommandCall) -> bool:
    return call.has(*_COUNTING) or _finds_names(call)


def _tells_whether(call: CommandCall) -> bool:
    return call.has("-q", "--brief")


def _tells_where(call: CommandCall) -> bool:
    return not call.has("-l", "-b", "--verbose", "--print-bytes")


def _counts(_: CommandCall) -> bool:
    return True


def _cuts_names(words: Sequence[str]) -> bool:
    """Whether cut is told to show what stands before the first `=`, and nothing else."""
    given: dict[str, str] = {}
    awaited = ""
    for word in words:
        if awaited:
            given[awaited], awaited = word, ""
        elif word in ("-d", "-f", "--delimiter", "--fields"):
            awaited = word.lstrip("-")[0]
        elif word.startswith(("--delimiter=", "--fields=")):
            given[word[2]] = word.partition("=")[2]
        elif word.startswith(("-d", "-f")):
            given[word[1]] = word[2:]
        elif word[:1] == "-" and word not in ("-", "-s", "--only-delimited"):
            return False
    return given == {"d": "=", "f": "1"} and not awaited


def _finds_names(call: CommandCall) -> bool:
    return call.has("-o", "--only-matching") and _all_match(call, _NAME)


def looks_for_usual(call: CommandCall) -> bool:
    """Whether a program looks, in an environment, for nothing but what is no secret."""
    letters = "".join(flag[1:] for flag, _ in call.words.flags)
    return (
        call.program in _MATCHERS
        and _PLAIN_LETTERS.issuperset(letters)
        and _all_match(call, _USUAL)
    )


def _all_match(call: CommandCall, pattern: re.Pattern[str]) -> bool:
    """Whether every pattern that a program looks for is of this form."""
    sought = call.values("-e", "--regexp") or operands(call)[:1]
    return bool(sought) and all(
        not item.unknown and pattern.fullmatch(item.text) for item in sought
    )


_NAMES_ONLY: Mapping[str, Callable[[CommandCall], bool]] = {
    **dict.fromkeys(names("cut gcut"), _cuts),
    **dict.fromkeys(names("awk gawk mawk nawk"), _takes_first),
    **dict.fromkeys(names("sed gsed"), _blanks_values),
    **dict.fromkeys(_MATCHERS, _finds_no_values),
    **dict.fromkeys(names("diff comm"), _tells_whether),
    "cmp": _tells_where,
    **dict.fromkeys(names("wc sha256sum sha1sum md5sum cksum"), _counts),
}
"""By program: whether a call of it shows no value of what it reads."""
