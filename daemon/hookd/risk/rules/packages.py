"""The machine's setup: installed programs, keys, snapshots, network connection.

An installed program may be removed with dependent programs, and with its data; a key is lost
permanently. Packages that a project installs for itself are not covered.
"""

from collections.abc import Iterator, Mapping

from hookd.lazy_pattern import lazy_compile
from hookd.programs.model import SIMULATION_FLAGS
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.path_areas import FAR, area
from hookd.risk.subcommands import begins, call_risk, has_exact_flag, has_flag, rules_of, table_of

_PROGRAMS = "uninstalls programs of the machine, and programs that depend on them"
_WAY = "deletes earlier states of the machine"
_KEY = "permanently deletes a key or a password"
_COPY = "Export a copy of it first."
_OTHER_NAME = "`-f` with a new name in the project keeps the user's keys as they are."
_DATA = "uninstalls programs of the machine with their settings and data"
_TRY = "A dry run of the same command shows what else would be uninstalled."


def _pacman(call: CommandCall) -> Iterator[Risk]:
    removes = any(flag[:2] == "-R" for flag, _ in call.words.flags) or has_flag(call, "--remove")
    if removes and not has_exact_flag(call, ("-p", "--print", "--help")):
        yield call_risk(call, "pacman.remove", "ask", _PROGRAMS, _TRY)


def _dpkg(call: CommandCall) -> Iterator[Risk]:
    if call.has("-r", "--remove", "-P", "--purge") and not call.has(*SIMULATION_FLAGS, "--no-act"):
        yield call_risk(call, "dpkg.remove", "ask", _DATA, _TRY)


def _flagged(rule_id: str, why: str, *flags: str, way: str = "") -> RiskRule:
    """Return the rule of a program that deletes something with one of these flags."""

    def rule(call: CommandCall) -> Iterator[Risk]:
        if any(flag.partition("=")[0] in flags for flag, _ in call.words.flags):
            yield call_risk(call, rule_id, "ask", why, way)

    return rule


_READS_KEYS = lazy_compile(r"-[qv]*[ABcDeFHiIklLpQrRsyY?]f?|--help")
"""Flags of ssh-keygen with which it creates no key."""


def _ssh_keygen(call: CommandCall) -> Iterator[Risk]:
    """Yield that a new key may take the place of one of the user's: in `~/.ssh`, the default."""
    if any(_READS_KEYS.fullmatch(flag) for flag, _ in call.words.flags):
        return
    files = call.values("-f")
    answered = bool(call.command.stdin) or call.command.piped_input
    if not files:
        risky = answered
    else:
        risky = any(
            area(item, call.context) in FAR and (answered or ".ssh" in item.text) for item in files
        )
    if risky:
        why = "creates a key, which overwrites the one of that name"
        yield call_risk(call, "ssh-keygen.overwrite", "ask", why, _OTHER_NAME)


def _listed(call: CommandCall) -> Iterator[Risk]:
    """Yield the removal of whatever packages another program, or a file, lists."""
    verb = next((item for item in call.items if item.text in _REMOVE), None)
    if verb is None or begins(call.items, _RUNS):
        return
    after = [item for item in call.items if item.place > verb.place]
    listed = any(item.unknown and (not item.text or _is_output(item.text)) for item in after)
    if listed or (call.program in ("pip", "pip3", "uv") and call.has("-r", "--requirement")):
        way = "Name the packages; the list of another program may have all of them."
        yield call_risk(call, "packages.uninstall-listed", "ask", _ALL, way)


def _is_output(text: str) -> bool:
    return text.startswith(("$(", "`")) and _LISTS.search(text) is not None


_VACUUM = ("--vacuum-time", "--vacuum-size", "--vacuum-files")
_RUNS = "run|exec|x|dlx|tool"
"""Subcommands that another program follows, such as rm."""

_LISTS = lazy_compile(r"\b(?:freeze|list|ls|outdated|cat)\b")
_REMOVE = frozenset({"uninstall", "remove", "rm", "un"})
_ALL = "uninstalls every package that another program or a file lists"

RULES: Mapping[str, RiskRule] = {
    **rules_of("outside", "deletes", "disk"),
    "ssh-keygen": _ssh_keygen,
    **table_of("pip pip3 npm pnpm yarn gem cargo uv", _listed),
    **table_of("pacman yay paru", _pacman),
    "dpkg": _dpkg,
    "rpm": _flagged("rpm.erase", _PROGRAMS, "-e", "--erase", way=_TRY),
    "nix-collect-garbage": _flagged(
        "nix-collect-garbage.delete", _WAY, "-d", "--delete-old", "--delete-older-than"
    ),
    **table_of(
        "gpg gpg2",
        _flagged(
            "gpg.delete-key",
            _KEY,
            "--delete-secret-keys",
            "--delete-secret-key",
            "--delete-secret-and-public-key",
            way=_COPY,
        ),
    ),
    "journalctl": _flagged(
        "journalctl.vacuum",
        "deletes logs of the machine",
        *_VACUUM,
        way="`--disk-usage` shows them.",
    ),
    "timeshift": _flagged("timeshift.delete", _WAY, "--delete", "--delete-all"),
    "efibootmgr": _flagged(
        "efibootmgr.boot", "changes how the machine boots", "-B", "--delete-bootnum"
    ),
}
"""By the program's name."""
