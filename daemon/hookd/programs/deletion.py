"""Programs that delete files: rm, shred, truncate, find, fd, ..."""

from hookd.programs.model import Program

PROGRAMS = (
    Program("rm srm unlink shred", "prints-nothing deletes replaces"),
    Program("grm gshred wipe"),
    Program("rimraf", "deletes replaces"),
    Program("rmdir", "prints-nothing deletes"),
    Program("truncate gio rip", "prints-nothing"),
    Program("trash trash-put", "prints-nothing renames"),
    Program(
        "find gfind",
        "prints-names finds runs-listed may-start single-dash",
        saves="-fprint -fprint0 -fprintf -fls",
    ),
    Program("fd fdfind", "prints-names wraps passes-words"),
)
