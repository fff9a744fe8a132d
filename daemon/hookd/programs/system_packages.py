"""Package managers of the machine: apt, dnf, brew, nix, conda, ..."""

from hookd.programs.model import (
    DRY_RUN_FLAGS,
    SIMULATION_FLAGS,
    Check,
    Launch,
    Program,
    Rule,
    Table,
)

_DATA = "uninstalls programs of the machine with their settings and data"
_TRY = "A dry run of the same command shows what else would be uninstalled."
_PROGRAMS = "uninstalls programs of the machine, and programs that depend on them"
_COPY = "Export a copy of it first."

_APT_OUTSIDE = Table(
    "outside",
    (
        Rule("apt.purge", "purge", "ask", _DATA, _TRY),
        Rule("apt.remove", "remove|autoremove|autopurge", "ask", _PROGRAMS, _TRY),
    ),
    harmless=SIMULATION_FLAGS,
)
_DNF_OUTSIDE = Table(
    "outside",
    (Rule("dnf.remove", "remove|erase|autoremove", "ask", _PROGRAMS, _TRY),),
    harmless=SIMULATION_FLAGS,
)
_ZYPPER_OUTSIDE = Table(
    "outside",
    (Rule("zypper.remove", "remove|rm", "ask", _PROGRAMS, _TRY),),
    harmless=SIMULATION_FLAGS,
)
_APK_OUTSIDE = Table(
    "outside",
    (Rule("apk.del", "del", "ask", _PROGRAMS, _TRY),),
    harmless=SIMULATION_FLAGS,
)
_BREW_OUTSIDE = Table(
    "outside",
    (
        Rule(
            "brew.uninstall",
            "uninstall|remove|rm|autoremove",
            "ask",
            _PROGRAMS,
            "`brew uses --installed` shows them.",
        ),
    ),
    harmless=(*DRY_RUN_FLAGS, "-n"),
)
_SNAP_OUTSIDE = Table(
    "outside",
    (Rule("snap.remove", "remove", "ask", _DATA),),
    harmless=SIMULATION_FLAGS,
)
_FLATPAK_OUTSIDE = Table(
    "outside",
    (Rule("flatpak.uninstall", "uninstall|remove", "ask", _DATA),),
    harmless=SIMULATION_FLAGS,
)
_WINGET_OUTSIDE = Table(
    "outside",
    (Rule("winget.uninstall", "uninstall", "ask", _PROGRAMS),),
    harmless=SIMULATION_FLAGS,
)
_NIX_OUTSIDE = Table(
    "outside",
    (
        Rule(
            "nix.profile-wipe-history",
            "profile wipe-history",
            "ask",
            "deletes earlier states of the machine",
        ),
        Rule("nix.profile-remove-all", "profile remove", "ask", _PROGRAMS, flags="--all"),
    ),
)
_SNAPCRAFT_PUBLISHES = Table(
    "publishes",
    (
        Rule(
            "snapcraft.upload",
            "upload|push|upload-metadata|release|promote|close",
            "ask",
            "publishes a snap",
        ),
    ),
)
_CONDA_DELETES = Table(
    "deletes",
    (
        Rule(
            "conda.env-remove",
            "env remove",
            "ask",
            "deletes an environment with everything in it",
            _COPY,
        ),
        Rule(
            "conda.remove-all",
            "remove|uninstall",
            "ask",
            "deletes an environment",
            _COPY,
            flags="--all",
        ),
    ),
)
_RUSTUP_OUTSIDE = Table(
    "outside",
    (Rule("rustup.self-uninstall", "self uninstall", "ask", _PROGRAMS),),
    harmless=SIMULATION_FLAGS,
)
_PACMAN_CHECKS = (Check("pacman.remove", "outside", "uninstalls programs of the machine"),)

PROGRAMS = (
    Program("apt apt-get", "installs", (_APT_OUTSIDE,)),
    Program("aptitude", tables=(_APT_OUTSIDE,)),
    Program("dnf yum", "installs", (_DNF_OUTSIDE,)),
    Program("microdnf", tables=(_DNF_OUTSIDE,)),
    Program("zypper", "installs", (_ZYPPER_OUTSIDE,)),
    Program("apk", "installs", (_APK_OUTSIDE,)),
    Program("pacman", "installs installs-by-flag", checks=_PACMAN_CHECKS),
    Program("yay paru", checks=_PACMAN_CHECKS),
    Program(
        "dpkg",
        "installs installs-by-flag",
        checks=(Check("dpkg.remove", "outside", "uninstalls programs of the machine"),),
    ),
    Program(
        "rpm",
        "installs installs-by-flag",
        checks=(Check("rpm.erase", "outside", "uninstalls programs of the machine"),),
    ),
    Program(
        "brew",
        "installs",
        (_BREW_OUTSIDE,),
        checks=(Check("brew.services-stop", "kills", "stops a service"),),
    ),
    Program("snap", "installs", (_SNAP_OUTSIDE,)),
    Program("flatpak", "installs", (_FLATPAK_OUTSIDE,)),
    Program("winget", tables=(_WINGET_OUTSIDE,)),
    Program("nix", "wraps installs", (_NIX_OUTSIDE,)),
    Program(
        "nix-collect-garbage",
        checks=(
            Check("nix-collect-garbage.delete", "deletes", "deletes earlier states of the machine"),
        ),
    ),
    Program("nix-env", "installs installs-by-flag"),
    Program("nix-shell", "wraps runs-input"),
    Program("snapcraft", tables=(_SNAPCRAFT_PUBLISHES,)),
    Program("dput"),
    Program("port", "installs"),
    Program("apt-", "plain"),
    Program(
        "conda mamba micromamba",
        "installs",
        (_CONDA_DELETES,),
        launch=Launch("run", "-n --name -p --prefix --cwd"),
    ),
    Program("rustup", tables=(_RUSTUP_OUTSIDE,)),
    Program("mise", launch=Launch("exec x", "-c --command -C --cd -j --jobs -E --env")),
    Program("asdf", launch=Launch("exec", "")),
)
