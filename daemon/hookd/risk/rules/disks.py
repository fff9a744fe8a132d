"""Disks: destruction of devices, partitions, volumes and file systems."""

import re
from collections.abc import Iterator

from hookd.lazy_pattern import lazy_compile
from hookd.risk.model import CommandCall, Risk, RiskRule
from hookd.risk.path_areas import area
from hookd.risk.quoting import quoted_word
from hookd.risk.rules.file_contents import dumped
from hookd.risk.rules.writes import write_risk
from hookd.shell.argv import Item

_INSTEAD = "The data of a device is lost permanently; only the user should run it."
_SHOWS = ("--help", "-h", "--version", "-V", "--dry-run", "--test")


def _disk(why: str, call: CommandCall) -> Risk:
    return Risk("disk", "deny", why, _INSTEAD, command=call.text)


def _makes(call: CommandCall) -> Iterator[Risk]:
    """Yield the risk of a new file system; in a file of the project it is a file like others."""
    places = [item for item in call.items if "/" in item.text or item.unknown]
    outside = [item for item in places if area(item, call.context) not in ("scratch", "inside")]
    if call.has(*_SHOWS) or (places and not outside):
        return
    named = outside[0].text if outside else "a device"
    yield _disk(f"makes a new file system on {named}, whose data is lost", call)


def _partitions(*harmless: str) -> RiskRule:
    """Return the rule of a partitioning program, unless a flag or a subcommand only lists."""

    def rule(call: CommandCall) -> Iterator[Risk]:
        words = {item.text for item in call.items}
        listing = call.has(*(word for word in harmless if word[:1] == "-"), *_SHOWS)
        if call.items and not (listing or words & set(harmless)):
            yield _disk(f"changes the partitions of {quoted_word(call.items[-1].text)}", call)

    return rule


def _wipefs(call: CommandCall) -> Iterator[Risk]:
    if call.has("-a", "--all", "-o", "--offset") and not call.has("-n", "--no-act"):
        yield _disk("erases the signatures of a file system", call)


def _dd(call: CommandCall) -> Iterator[Risk]:
    source = next((item for item in call.items if item.text.startswith("if=")), None)
    for item in call.items:
        if item.text.startswith("of="):
            hole = item.hole
            target = Item(item.text[3:], item.place, hole)
            if area(target, call.context) == "device":
                yield _disk(f"overwrites the device {quoted_word(target.text)}", call)
            elif (danger := write_risk(target, call.context, "overwrites")) or (
                danger := dumped(source, target, call)
            ):
                yield danger


def _always(why: str, *, unless: tuple[str, ...] = ()) -> RiskRule:
    def rule(call: CommandCall) -> Iterator[Risk]:
        if call.items and not call.has(*_SHOWS, *unless):
            yield _disk(why, call)

    return rule


def _verbs(pattern: str, why: str, flags: tuple[str, ...] = ()) -> RiskRule:
    """Return the rule of a program whose operands begin like this."""
    dangerous = lazy_compile(pattern)

    def rule(call: CommandCall) -> Iterator[Risk]:
        line = " ".join(item.text for item in call.items)
        if (dangerous.match(line) or call.has(*flags)) and not call.has(*_SHOWS, "-n"):
            yield _disk(why, call)

    return rule


def _mount(call: CommandCall) -> Iterator[Risk]:
    if len(call.items) > 1 and area(call.items[-1], call.context) in ("root", "system", "home"):
        target = call.items[-1].text
        if not re.match(r"/(?:mnt|media|run)/?", target):
            yield Risk(
                "disk", "ask", f"mounts over {target}", "Mount below /mnt, where it hides nothing."
            )
    if any("remount" in item.text for item in call.items):
        yield Risk("disk", "ask", "remounts a file system with other options", "")


def _umount(call: CommandCall) -> Iterator[Risk]:
    if call.has("-f", "--force", "-l", "--lazy", "-a", "--all"):
        why = "unmounts a file system that programs may be writing to"
        yield Risk("disk", "ask", why, "Without -f and -l it fails while programs use it.")


def _simulators(call: CommandCall) -> Iterator[Risk]:
    if call.starts("simctl", "erase", "all") or call.starts("simctl", "delete", "all"):
        yield Risk("disk", "ask", "erases every simulator", "Name one by its number.")


_ABSENT = lazy_compile(r"\bstate=[\"']?absent\b")


def _ansible(call: CommandCall) -> Iterator[Risk]:
    """Yield the deletion of files on all hosts of a group; `--check` only lists them."""
    module = {item.text for item in call.values("-m", "--module-name")}
    arguments = " ".join(item.text for item in call.values("-a", "--args"))
    files = "file" in {name.rpartition(".")[2] for name in module}
    if files and _ABSENT.search(arguments) and not call.has("--check", "-C"):
        yield Risk("deletes", "ask", "deletes files on several hosts", "`--check` lists them.")


def _cmdlet(call: CommandCall) -> Iterator[Risk]:
    """Yield the risks of PowerShell's disk cmdlets; `-WhatIf` only lists the disk."""
    if not any(word.lower() == "-whatif" for word in call.command.words):
        yield _disk("erases a disk, or a part of it", call)


_PARTED = ("print", "unit", "align-check")
_LOGICAL = "deletes a volume with its data"

RULES: dict[str, RiskRule] = {
    **dict.fromkeys(
        (
            *("mkfs", "mkfs.ext2", "mkfs.ext3", "mkfs.ext4", "mkfs.xfs", "mkfs.btrfs", "mkfs.vfat"),
            *("mkfs.fat", "mkfs.ntfs", "mkfs.exfat", "mkfs.f2fs", "mkfs.jfs", "mkfs.minix"),
            *("mke2fs", "mkntfs", "mkdosfs", "mkswap", "newfs", "newfs_apfs", "newfs_hfs"),
            *("mkreiserfs", "mkfs.reiserfs", "mkudffs", "mkexfatfs", "mkfs.msdos", "mkfs.udf"),
        ),
        _makes,
    ),
    "wipefs": _wipefs,
    "blkdiscard": _always("discards all data of a device"),
    "dd": _dd,
    "dcfldd": _dd,
    "gdd": _dd,
    "fdisk": _partitions("-l", "--list", "-s", "--getsz", "-x"),
    "cfdisk": _partitions(),
    "sfdisk": _partitions("-l", "--list", "-d", "--dump", "-J", "--json", "-V", "--verify", "-F"),
    "sgdisk": _partitions("-p", "--print", "-i", "--info", "-b", "--backup", "-v", "--verify"),
    "gdisk": _partitions("-l"),
    "parted": _partitions("-l", "--list", *_PARTED),
    "lvremove": _always(_LOGICAL),
    "vgremove": _always(_LOGICAL),
    "pvremove": _always(_LOGICAL),
    "lvreduce": _always("shrinks a volume, perhaps below the size of its data"),
    "thin_trim": _always("discards the data of a volume"),
    "zpool": _verbs(r"(?:destroy|labelclear|create|remove|detach)\b", "destroys a pool"),
    "zfs": _verbs(r"(?:destroy|rollback)\b", "destroys a file system or its snapshots"),
    "btrfs": _verbs(r"(?:subvolume delete|device (?:delete|remove))\b", "deletes a subvolume"),
    "mdadm": _verbs(
        r"\b\B", "dissolves a disk array", ("--zero-superblock", "--create", "-C", "--fail", "-f")
    ),
    "cryptsetup": _verbs(
        r"(?:erase|luksErase|luksFormat|reencrypt|luksRemoveKey|luksKillSlot|format)\b",
        "makes an encrypted device unreadable",
    ),
    "nvme": _verbs(r"(?:format|sanitize|delete-ns|write-zeroes|dsm)\b", "erases a device"),
    "hdparm": _verbs(
        r"\b\B",
        "erases a device",
        (*("--security-erase", "--security-erase-enhanced"), "--trim-sector-ranges"),
    ),
    "diskutil": _verbs(
        r"(?i:erase\w*|partitiondisk|reformat|zerodisk|randomdisk|secureerase|apfs delete\w*"
        r"|apfs erase\w*|cs delete\w*|resizevolume|mergepartitions|splitpartition)\b",
        "erases a disk",
    ),
    "format": _verbs(r"[A-Za-z]:", "formats a drive"),
    **dict.fromkeys(
        (
            "format-volume",
            "clear-disk",
            "initialize-disk",
            "remove-partition",
            "reset-physicaldisk",
        ),
        _cmdlet,
    ),
    "vssadmin": _verbs(
        r"(?i:delete|resize)\b", "deletes the copies that a system is restored from"
    ),
    "xcrun": _simulators,
    "ansible": _ansible,
    "wsl": _verbs(r"\b\B", "deletes a whole Linux system with its files", ("--unregister",)),
    "diskpart": _always("changes partitions"),
    "mount": _mount,
    "umount": _umount,
    "flashrom": _always("overwrites the firmware", unless=("-r", "--read")),
    "fsck": _always("may change a file system that is in use", unless=("-n", "-N")),
    "e2fsck": _always("may change a file system that is in use", unless=("-n",)),
    "tune2fs": _always("changes a file system", unless=("-l",)),
    "resize2fs": _always("changes the size of a file system", unless=("-P",)),
    "badblocks": _verbs(r"\b\B", "overwrites a device", ("-w",)),
}
"""By the program's name."""
