"""Disks, partitions, volumes and file systems: mkfs, parted, zfs, mount, ..."""

from hookd.programs.model import SIMULATION_FLAGS, Check, Program, Rule, Table

_WAY = "deletes earlier states of the machine"

_TMUTIL_DELETES = Table(
    "deletes",
    (Rule("tmutil.delete", "delete|deletelocalsnapshots|deleteinprogress|disable", "ask", _WAY),),
    harmless=SIMULATION_FLAGS,
)
_SNAPPER_DELETES = Table(
    "deletes",
    (Rule("snapper.delete", "delete|remove|rm", "ask", _WAY),),
    harmless=SIMULATION_FLAGS,
)

PROGRAMS = (
    Program(
        (
            "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs"
            " mkfs.exfat mkfs.f2fs mkfs.jfs mkfs.minix mke2fs mkntfs mkdosfs mkswap newfs"
            " newfs_apfs newfs_hfs mkreiserfs mkfs.reiserfs mkudffs mkexfatfs mkfs.msdos mkfs.udf"
        ),
        checks=(Check("mkfs.device", "disk", "makes a new file system, whose data is lost"),),
    ),
    Program(
        "wipefs", checks=(Check("wipefs.erase", "disk", "erases the signatures of a file system"),)
    ),
    Program(
        "blkdiscard", checks=(Check("blkdiscard.discard", "disk", "discards all data of a device"),)
    ),
    Program(
        "fdisk cfdisk sfdisk sgdisk gdisk parted diskpart",
        checks=(Check("fdisk.partitions", "disk", "changes the partitions of a device"),),
    ),
    Program(
        "lvremove vgremove pvremove lvreduce thin_trim",
        checks=(Check("lvremove.volume", "disk", "deletes or shrinks a volume"),),
    ),
    Program("zpool", checks=(Check("zpool.destroy", "disk", "destroys a pool"),)),
    Program(
        "zfs", checks=(Check("zfs.destroy", "disk", "destroys a file system or its snapshots"),)
    ),
    Program("btrfs", checks=(Check("btrfs.delete", "disk", "deletes a subvolume"),)),
    Program("mdadm", checks=(Check("mdadm.dissolve", "disk", "dissolves a disk array"),)),
    Program(
        "cryptsetup",
        "prints-nothing",
        checks=(Check("cryptsetup.erase", "disk", "makes an encrypted device unreadable"),),
    ),
    Program("nvme", checks=(Check("nvme.erase", "disk", "erases a device"),)),
    Program("hdparm", checks=(Check("hdparm.erase", "disk", "erases a device"),)),
    Program("diskutil", checks=(Check("diskutil.erase", "disk", "erases a disk"),)),
    Program("format", "is-subcommand", checks=(Check("format.drive", "disk", "formats a drive"),)),
    Program(
        "format-volume clear-disk initialize-disk remove-partition reset-physicaldisk",
        checks=(Check("format-volume.disk", "disk", "erases a disk, or a part of it"),),
    ),
    Program(
        "vssadmin",
        checks=(
            Check("vssadmin.delete", "disk", "deletes the copies that a system is restored from"),
        ),
    ),
    Program("xcrun", checks=(Check("xcrun.simulators", "disk", "erases every simulator"),)),
    Program(
        "mount",
        "prints-nothing changes-tree mounts is-subcommand",
        checks=(Check("mount.over", "disk", "mounts over a folder, or with other options"),),
    ),
    Program(
        "umount",
        "prints-nothing changes-tree mounts",
        checks=(Check("umount.force", "disk", "unmounts a file system that is in use"),),
    ),
    Program("fusermount", "changes-tree mounts"),
    Program("bindfs mergerfs", "mounts"),
    Program("losetup", "prints-nothing"),
    Program("flashrom", checks=(Check("flashrom.write", "disk", "overwrites the firmware"),)),
    Program(
        "fsck e2fsck tune2fs resize2fs",
        checks=(Check("fsck.repair", "disk", "may change a file system that is in use"),),
    ),
    Program("badblocks", checks=(Check("badblocks.write", "disk", "overwrites a device"),)),
    Program("tmutil", tables=(_TMUTIL_DELETES,)),
    Program(
        "timeshift",
        checks=(Check("timeshift.delete", "deletes", "deletes earlier states of the machine"),),
    ),
    Program("snapper", tables=(_SNAPPER_DELETES,)),
    Program("swapoff", checks=(Check("swapoff.swap", "kills", "takes swap memory offline"),)),
)
