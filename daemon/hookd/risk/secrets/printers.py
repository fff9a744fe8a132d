"""Commands that print or send secrets, by program: `printenv`, `curl -T`, ..."""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from hookd.lazy_pattern import lazy_compile
from hookd.programs.catalogue import by_program, with_trait
from hookd.programs.model import DRY_RUN_FLAGS
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.secrets.paths import Secret, named_secret, possible_secret, secret_at
from hookd.risk.secrets.variables import how_to_check, is_secret
from hookd.risk.subcommands import call_risk, has_exact_flag, joined_rule, rules_of
from hookd.shell.argv import Item
from hookd.shell.interpreters import SHELLS
from hookd.shell.quoting import names

NAMES_WAY = "`printenv | cut -d= -f1` prints the names alone, `printenv NAME` one value."
_IN_PLACE = "Pass the value to the program by a pipe that prints nothing."

_META = r"\.(?:metadata\.(?:name|namespace|creationTimestamp|uid|labels(?:\.[\w/\\-]+)*)|type|kind)"
_SHOWN = rf"range \.items\[\*\]|end|\"[^\"{{}}]*\"|'[^'{{}}]*'|(?:\.items\[\*\])?{_META}"
_NAMES_ONLY = lazy_compile(
    rf"custom-columns=[\w -]+:{_META}(?>(?:,[\w -]+:{_META})*)"
    rf"|jsonpath=(?>(?:\{{(?:{_SHOWN})\}}|[^{{}}])*)"
)
"""Forms of kubectl's output that have names, kinds and times, and no content."""

_NO_VALUES = ("-q", "--quiet", "--services", "--volumes", "--images", "--no-interpolate")
_BUILTINS = with_trait("prints-variables")
_RUNS_HERE = SHELLS | names("eval command builtin time trap")


def _say(
    call: CommandCall, why: str, instead: str = NAMES_WAY, rule: str = "secrets.print"
) -> Risk:
    return call_risk(call, rule, "ask", why, instead)


def _overview(call: CommandCall) -> str:
    """Return the id of the rule on the environment: of this shell, or of something else."""
    return "secrets.print" if call.command.wrappers else "env.print"


def _printenv(call: CommandCall) -> Iterator[Risk]:
    if not call.items:
        yield _say(call, "prints the whole environment with its values", rule=_overview(call))
    elif any(item.unknown for item in call.items):
        yield _say(call, "prints a variable whose name is unknown", "")
    elif secret := next((item.text for item in call.items if is_secret(item.text)), ""):
        yield _say(call, f"prints the value of {secret}", how_to_check(secret))


def _env(call: CommandCall) -> Iterator[Risk]:
    """Yield that env without a command prints the environment; with -i or - that is empty."""
    empty = call.has("-i", "--ignore-environment") or any(i.text == "-" for i in call.items)
    runs = call.has("-S", "--split-string", "--help", "--version")
    if not empty and not runs and all("=" in item.text and not item.many for item in call.items):
        yield _say(call, "prints the whole environment with its values", rule=_overview(call))


def _builtin(call: CommandCall) -> Iterator[Risk]:
    """Yield the variables that a shell builtin prints; subcommands may share its name."""
    through = call.command.wrappers
    if through and through[-1] not in _RUNS_HERE:
        return
    named = next((item.text for item in call.items if is_secret(item.text)), "")
    if call.program in ("history", "fc"):
        shows = call.program == "history" and not call.has("-c", "-d", "-w", "-a")
        if shows or call.has("-l"):
            yield _say(call, "prints the command history, secrets included", "")
    elif call.program == "set":
        if not call.items and not call.words.flags:
            yield _say(call, "prints all variables with their values", rule=_overview(call))
    elif not call.items and {flag for flag, _ in call.words.flags} <= {"-p", "-x", "-px", "-xp"}:
        yield _say(call, "prints variables with their values", rule=_overview(call))
    elif named and call.has("-p"):
        yield _say(call, f"prints the value of {named}", how_to_check(named))


def _kubectl(call: CommandCall) -> Iterator[Risk]:
    secrets = names("secret secrets secret/")
    kinds = {part for item in call.items for part in item.text.partition("/")[0].split(",")}
    form = next((item.text for item in call.values("-o", "--output", "--template")), "")
    if (
        any(item.text == "get" for item in call.items[:8])
        and kinds & secrets
        and form
        and form not in ("name", "wide")
        and not _NAMES_ONLY.fullmatch(form)
    ):
        yield _say(
            call,
            "prints the values of the cluster's secrets",
            "kubectl describe secret prints names and sizes.",
            "kubectl.get-secret",
        )


def _docker(call: CommandCall) -> Iterator[Risk]:
    if call.starts("cp") and (
        secret_file := named_secret(call.items[1], call.context) if call.items[1:] else None
    ):
        yield _say(
            call,
            f"copies {secret_file.phrase}, into a container",
            "",
        )
    composed = call.items[call.program in ("docker", "podman", "nerdctl") :]
    config = any(item.text == "config" for item in composed[:4])
    compose = call.program.endswith("compose") or call.starts("compose")
    if compose and config and not call.has(*_NO_VALUES):
        way = "docker compose config --no-interpolate prints it without the values."
        why = "prints the configuration with the values of its variables"
        yield _say(call, why, way, "compose.config")


def _make(call: CommandCall) -> Iterator[Risk]:
    if call.has("-p", "--print-data-base"):
        yield _say(call, "prints all variables with their values")


def _pass(call: CommandCall) -> Iterator[Risk]:
    subcommands = names(
        "ls list find search insert add edit generate rm remove delete mv rename cp copy git init"
        " help version otp import sync setup config fsck recipients mounts update"
    )
    if call.items and call.verb not in subcommands and not call.has("-c", "--clip"):
        yield _say(call, "prints a stored password", _IN_PLACE, "pass.show")


def _ps(call: CommandCall) -> Iterator[Risk]:
    letters = call.items[0].text if call.items else ""
    if "e" in letters and letters.isascii() and letters.isalpha():
        yield _say(call, "prints the environment of processes", "ps aux prints them without it.")


def _configure(call: CommandCall) -> Iterator[Risk]:
    """Yield that one value of a configuration is printed whose name is a secret's."""
    settings = call.items[2:] if call.starts("configure", "get") else ()
    if any(is_secret(item.text.upper().replace("-", "_")) for item in settings):
        yield _say(call, "prints a stored key", _IN_PLACE)


_KEPT_BACK = lazy_compile(
    r"(?i)url|uri|dsn|conn|config|cred|secret|pass|pw|key|token|auth|cert|pem|login|user|sas|sensitive"
)
"""Parts of the names of outputs that may hold a secret."""


def _outputs(table: RiskRule) -> RiskRule:
    """Return the rule without the outputs that are named, and whose names are no secret's."""

    def judged(call: CommandCall) -> Iterator[Risk]:
        named = call.items[1:] if call.starts("output") else ()
        if len(named) != 1 or named[0].unknown or _KEPT_BACK.search(named[0].text):
            yield from table(call)

    return judged


_TOKEN, _STORED = "prints a token", "prints the value of a stored secret"
_HELP = names("--help -h")


def _alone(rule: RiskRule, *words: str) -> RiskRule:
    """Return the rule for the command that has no more words than these."""

    def judged(call: CommandCall) -> Iterator[Risk]:
        calm = has_exact_flag(call, (*DRY_RUN_FLAGS, *_HELP, "--only-names"))
        if call.starts(*words) and not calm and len(call.items) == len(words):
            yield from rule(call)

    return judged


def _listed(call: CommandCall) -> Iterator[Risk]:
    yield _say(call, _STORED, "Its help says how to list the names alone.")


def _rules() -> Mapping[str, RiskRule]:
    rules = rules_of("secrets")
    rules |= {"printenv": _printenv, "env": _env, "genv": _env}
    rules |= dict.fromkeys(_BUILTINS, _builtin)
    rules |= dict.fromkeys(names("docker podman nerdctl docker-compose podman-compose"), _docker)
    rules |= {"make": _make, "gmake": _make}
    rules |= {"pass": _pass, "gopass": _pass, "ps": _ps}
    rules["doppler"] = joined_rule(rules["doppler"], _alone(_listed, "secrets"))
    rules["kubectl"] = joined_rule(rules["kubectl"], _kubectl)
    rules["oc"] = joined_rule(rules["oc"], _kubectl)
    rules["aws"] = joined_rule(rules["aws"], _configure)
    for program in names("terraform tofu terragrunt") & rules.keys():
        rules[program] = _outputs(rules[program])
    return rules


PRINTS: Mapping[str, RiskRule] = _rules()
"""By program: the secrets that it prints from where they are stored."""


ASK_USER = "The user can read it and say what is needed."

REMOTE = lazy_compile(r"(?:[\w.@%+\[\]-]+:(?!//)|[a-z0-9+.-]+://)", re.IGNORECASE)
_ATTACHED = lazy_compile(r"[@<]|file://|FILE:|OPEN:|EXEC:", re.IGNORECASE)
_FILES = names("-T --upload-file -K --config --post-file --body-file")
_GLUED_FILE = lazy_compile(r"--(?:post|body|upload)-file=(.+)", re.DOTALL)

SENDERS = with_trait("sends")
"""Programs that may send their input to another host."""


def sending_risk(call: CommandCall, secret_file: Secret) -> Risk:
    """Return the risk of sending a secret."""
    why = f"sends {secret_file.phrase}, to another host"
    return call_risk(call, "secrets.send", "deny", why, ASK_USER)


def _posts(call: CommandCall) -> Iterator[Risk]:
    """Yield the files in a request's body, forms and uploads; authentication is no content."""
    for before, word in pairwise(("", *call.command.words[1:])):
        text = word
        if before in _FILES and call.program in ("curl", "wget"):
            spelled: tuple[str, ...] = (text,)
        elif before in ("-b", "--cookie", "-c", "-o", "--output"):
            continue
        else:
            spelled = tuple(_ATTACHED.split(text)[1:]) + tuple(_GLUED_FILE.findall(text))
            spelled += (text[2:],) if text.startswith("-T") else ()
        if secret_file := next(
            filter(None, (_attached(value, call) for value in spelled[:64])), None
        ):
            yield sending_risk(call, secret_file)
            return


def _attached(text: str, call: CommandCall) -> Secret | None:
    path = text.partition(";")[0].partition(",")[0].strip("\"'")
    return possible_secret(path, call.context) or secret_at(path, call.context)


_UPLOADS = by_program(lambda program: program.uploads)


def _uploads(call: CommandCall) -> Iterator[Risk]:
    if any(call.starts(*verbs.split()) for verbs in _UPLOADS.get(call.program, ())):
        items = tuple(item for item in call.items if not REMOTE.match(item.text))
        downloads = len(items) < len(call.items) and items and items[-1] is call.items[-1]
        if (secret_file := _secret_of(call, items)) and not downloads:
            yield sending_risk(call, secret_file)


def _mails(call: CommandCall) -> Iterator[Risk]:
    """Yield the files that are sent by name: among the words, or in the program's commands."""
    secret_file = _secret_of(call, call.items)
    scripts = (*call.command.stdin, *(item.text for item in call.items if " " in item.text))
    for word in [word for text in scripts for word in text.split()[:64]] if not secret_file else ():
        secret_file = secret_file or secret_at(word, call.context)
    if secret_file:
        yield sending_risk(call, secret_file)


def _relayed(call: CommandCall) -> Iterator[Risk]:
    """Yield the files that socat opens: each is the beginning of an address."""
    for item in call.items:
        if secret_file := secret_at(item.text.partition(",")[0], call.context):
            yield sending_risk(call, secret_file)
            return


def _told(call: CommandCall) -> Iterator[Risk]:
    """Yield the files that become an issue, a comment or a request; gh's secrets stay secret."""
    if call.verb in ("secret", "variable", "auth", "ssh-key", "gpg-key"):
        return
    texts = (part for item in call.items for part in _ATTACHED.split(item.text))
    secret_file = next(
        filter(None, (_attached(text, call) for text in texts if " " not in text)), None
    )
    if secret_file:
        yield sending_risk(call, secret_file)


def _secret_of(call: CommandCall, items: tuple[Item, ...]) -> Secret | None:
    return next(filter(None, (named_secret(item, call.context) for item in items)), None)


_TOLD = {"gh": joined_rule(_uploads, _told), "glab": joined_rule(_uploads, _told)}

SENDS: Mapping[str, RiskRule] = {
    **dict.fromkeys(names("curl wget http https xh websocat"), _posts),
    **dict.fromkeys(_UPLOADS, _uploads),
    **_TOLD,
    "socat": joined_rule(_posts, _relayed),
    **dict.fromkeys(names("mail mailx mutt swaks ftp lftp sftp tftp nc ncat telnet"), _mails),
}
"""By program: the secrets that it sends."""
