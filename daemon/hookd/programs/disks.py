"""Disks, partitions, volumes and file systems: mkfs, parted, zfs, mount, ..."""

from hookd.programs.model import DRY_RUN_FLAGS, Program, Rule, Table

_WAY = "deletes earlier states of the machine"

_TMUTIL_DELETES = Table(
    "deletes",
    (Rule("tmutil.delete", "delete|deletelocalsnapshots|deleteinprogress|disable", "ask", _WAY),),
    harmless=(
        *DRY_RUN_FLAGS,
        "-s",
        "--simulate",
        "--just-print",
        "--assume-no",
        "--assumeno",
        "-n",
        "-p",
    ),
)
_SNAPPER_DELETES = Table(
    "deletes",
    (Rule("snapper.delete", "delete|remove|rm", "ask", _WAY),),
    harmless=(
        *DRY_RUN_FLAGS,
        "-s",
        "--simulate",
        "--just-print",
        "--assume-no",
        "--assumeno",
        "-n",
        "-p",
    ),
)

PROGRAMS = (
    Program(
        "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs"
        " mkfs.exfat mkfs.f2fs mkfs.jfs mkfs.minix mke2fs mkntfs mkdosfs mkswap newfs"
        " newfs_apfs newfs_hfs mkreiserfs mkfs.reiserfs mkudffs mkexfatfs mkfs.msdos mkfs.udf"
        " wipefs blkdiscard fdisk cfdisk sfdisk sgdisk gdisk parted lvremove vgremove"
        " pvremove lvreduce thin_trim zpool zfs btrfs mdadm nvme hdparm diskutil"
        " format-volume clear-disk initialize-disk remove-partition reset-physicaldisk"
        " vssadmin xcrun diskpart flashrom fsck e2fsck tune2fs resize2fs badblocks timeshift"
        " swapoff"
    ),
    Program("cryptsetup losetup", "prints-nothing"),
    Program("format", "is-subcommand"),
    Program("mount", "prints-nothing changes-tree mounts is-subcommand"),
    Program("umount", "prints-nothing changes-tree mounts"),
    Program("fusermount", "changes-tree mounts"),
    Program("bindfs mergerfs", "mounts"),
    Program("tmutil", tables=(_TMUTIL_DELETES,)),
    Program("snapper", tables=(_SNAPPER_DELETES,)),
)
