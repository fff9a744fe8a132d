"""Programs that delete files: rm, shred, truncate, find, fd, ..."""

from hookd.programs.model import Check, Program

_RM_CHECKS = (
    Check("rm.recursive", "deletes", "deletes a folder with everything below it"),
    Check("rm.file", "deletes", "deletes files that no build recreates"),
    Check("rm.no-preserve-root", "deletes", "disables the protection of /"),
)
_SHRED_CHECKS = (
    Check("shred.overwrite", "deletes", "overwrites and deletes files"),
    Check("shred.device", "disk", "overwrites a device"),
)

PROGRAMS = (
    Program("rm srm unlink", "prints-nothing deletes replaces", checks=_RM_CHECKS),
    Program("grm", checks=_RM_CHECKS),
    Program("rimraf", "deletes replaces", checks=_RM_CHECKS),
    Program("rmdir", "prints-nothing deletes", checks=_RM_CHECKS),
    Program("rd del erase", "is-subcommand", checks=_RM_CHECKS),
    Program("cmd cmd.exe remove-item", checks=_RM_CHECKS),
    Program(
        "robocopy",
        checks=(
            Check("robocopy.mirror", "deletes", "deletes files at the target, or the sources"),
        ),
    ),
    Program("shred", "prints-nothing deletes replaces", checks=_SHRED_CHECKS),
    Program("gshred wipe", checks=_SHRED_CHECKS),
    Program(
        "truncate", "prints-nothing", checks=(Check("truncate.cut", "deletes", "cuts off files"),)
    ),
    Program(
        "gio",
        "prints-nothing",
        checks=(Check("gio.remove", "deletes", "deletes files without the trash"),),
    ),
    Program("trash trash-put", "prints-nothing renames"),
    Program("rip", "prints-nothing"),
    Program(
        "find gfind",
        "prints-names finds runs-listed may-start single-dash",
        checks=(Check("find.delete", "deletes", "deletes the files that it finds"),),
        saves="-fprint -fprint0 -fprintf -fls",
    ),
    Program(
        "fd fdfind",
        "prints-names wraps passes-words",
        checks=(Check("fd.delete", "deletes", "deletes the files that it finds"),),
    ),
)
