"""The machine's setup: installed programs, keys, snapshots, network connection.

An installed program may be removed with dependent programs, and with its data; a key is lost
permanently. Packages that a project installs for itself are not covered.
"""

from collections.abc import Iterator, Mapping

from hookd.risk.model import CommandCall, Risk, RiskKind, RiskRule
from hookd.risk.subcommands import (
    DRY_RUN_FLAGS,
    Row,
    call_risk,
    has_exact_flag,
    has_flag,
    rule_of,
    table_of,
)

_PROGRAMS = "uninstalls programs of the machine, and programs that depend on them"
_DATA = "uninstalls programs of the machine with their settings and data"
_WAY = "deletes earlier states of the machine"
_KEY = "permanently deletes a key or a password"
_NETWORK = "may disconnect the machine from the network"
_SETTINGS = "deletes settings of programs"
_TRY = "A dry run of the same command shows what else would be uninstalled."
_COPY = "Export a copy of it first."
_TRIES = (
    *DRY_RUN_FLAGS,
    "-s",
    "--simulate",
    "--just-print",
    "--assume-no",
    "--assumeno",
    "-n",
    "-p",
)


def _asked(
    words: str, why: str, way: str = "", flags: str = "", kind: RiskKind = "outside"
) -> RiskRule:
    return rule_of(kind, Row(words, "ask", why, way, flags), calm=_TRIES)


_APT = rule_of(
    "outside",
    Row("purge", "ask", _DATA, _TRY),
    Row("remove|autoremove|autopurge", "ask", _PROGRAMS, _TRY),
    calm=_TRIES,
)
_BREW = rule_of(
    "outside",
    Row("uninstall|remove|rm|autoremove", "ask", _PROGRAMS, "`brew uses --installed` shows them."),
    calm=(*DRY_RUN_FLAGS, "-n"),
)
_NIX = rule_of(
    "outside",
    Row("profile wipe-history", "ask", _WAY),
    Row("profile remove", "ask", _PROGRAMS, flags="--all"),
)
_CONDA = rule_of(
    "deletes",
    Row("env remove", "ask", "deletes an environment with everything in it", _COPY),
    Row("remove|uninstall", "ask", "deletes an environment", _COPY, flags="--all"),
)
_SECURITY = rule_of(
    "deletes",
    Row(
        "delete-keychain|delete-generic-password|delete-internet-password|delete-certificate"
        "|delete-identity",
        "ask",
        _KEY,
        _COPY,
    ),
)


def _pacman(call: CommandCall) -> Iterator[Risk]:
    removes = any(flag[:2] == "-R" for flag, _ in call.words.flags) or has_flag(call, "--remove")
    if removes and not has_exact_flag(call, ("-p", "--print", "--help")):
        yield call_risk(call, "outside", "ask", _PROGRAMS, _TRY)


def _dpkg(call: CommandCall) -> Iterator[Risk]:
    if call.has("-r", "--remove", "-P", "--purge") and not call.has(*_TRIES, "--no-act"):
        yield call_risk(call, "outside", "ask", _DATA, _TRY)


def _flagged(why: str, *flags: str, way: str = "", kind: RiskKind = "deletes") -> RiskRule:
    """Return the rule of a program that deletes something with one of these flags."""

    def rule(call: CommandCall) -> Iterator[Risk]:
        if any(flag in flags for flag, _ in call.words.flags):
            yield call_risk(call, kind, "ask", why, way)

    return rule


_YUM = _asked("remove|erase|autoremove", _PROGRAMS, _TRY)

RULES: Mapping[str, RiskRule] = {
    **table_of("apt apt-get aptitude", _APT),
    **table_of("dnf yum microdnf", _YUM),
    **table_of("zypper", _asked("remove|rm", _PROGRAMS, _TRY)),
    "apk": _asked("del", _PROGRAMS, _TRY),
    **table_of("pacman yay paru", _pacman),
    "dpkg": _dpkg,
    "rpm": _flagged(_PROGRAMS, "-e", "--erase", way=_TRY, kind="outside"),
    "brew": _BREW,
    "snap": _asked("remove", _DATA),
    "flatpak": _asked("uninstall|remove", _DATA),
    "winget": _asked("uninstall", _PROGRAMS),
    "rustup": _asked("self uninstall", _PROGRAMS),
    **table_of("conda mamba micromamba", _CONDA),
    "nix": _NIX,
    "nix-collect-garbage": _flagged(_WAY, "-d", "--delete-old", "--delete-older-than"),
    **table_of(
        "gpg gpg2",
        _flagged(
            _KEY,
            "--delete-secret-keys",
            "--delete-secret-key",
            "--delete-secret-and-public-key",
            way=_COPY,
        ),
    ),
    "security": _SECURITY,
    "secret-tool": _asked("clear", _KEY, _COPY, kind="deletes"),
    "tmutil": _asked("delete|deletelocalsnapshots|deleteinprogress|disable", _WAY, kind="deletes"),
    "timeshift": _flagged(_WAY, "--delete", "--delete-all"),
    "snapper": _asked("delete|remove|rm", _WAY, kind="deletes"),
    "defaults": _asked(
        "delete|remove", _SETTINGS, "`defaults export` makes a copy.", kind="deletes"
    ),
    "nmcli": _asked("networking|radio|n|r ** off", _NETWORK),
    **table_of("ifdown", _asked("*", _NETWORK)),
    "ifconfig": _asked("* down", _NETWORK),
    "route": _asked("del|delete|flush", _NETWORK),
    "netplan": _asked("apply", _NETWORK, "`netplan try` reverts automatically."),
    **table_of("grub-install grub2-install", _asked("*", "changes how the machine boots")),
    "efibootmgr": _flagged("changes how the machine boots", "-B", "--delete-bootnum", kind="disk"),
}
"""By the program's name."""
