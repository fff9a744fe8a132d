"""The machine's setup: installed programs, keys, snapshots, network connection.

An installed program may be removed with dependent programs, and with its data; a key is lost
permanently. Packages that a project installs for itself are not covered.
"""

from collections.abc import Iterator, Mapping

from hookd.programs.model import SIMULATION_FLAGS
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.subcommands import call_risk, has_exact_flag, has_flag, rules_of, table_of

_PROGRAMS = "uninstalls programs of the machine, and programs that depend on them"
_WAY = "deletes earlier states of the machine"
_KEY = "permanently deletes a key or a password"
_COPY = "Export a copy of it first."
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
        if any(flag in flags for flag, _ in call.words.flags):
            yield call_risk(call, rule_id, "ask", why, way)

    return rule


RULES: Mapping[str, RiskRule] = {
    **rules_of("outside", "deletes", "disk"),
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
    "timeshift": _flagged("timeshift.delete", _WAY, "--delete", "--delete-all"),
    "efibootmgr": _flagged(
        "efibootmgr.boot", "changes how the machine boots", "-B", "--delete-bootnum"
    ),
}
"""By the program's name."""
