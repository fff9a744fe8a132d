"""Archives and compression: tar, zip, 7z, gzip, cpio, ..."""

from hookd.programs.model import Check, Program

_TAR_CHECKS = (
    Check("tar.remove-files", "deletes", "deletes the files that it packs"),
    Check("tar.absolute-names", "outside", "unpacks files to paths that the archive names"),
)
_7Z_CHECKS = (Check("7z.delete", "deletes", "deletes the files that it packs"),)

PROGRAMS = (
    Program(
        "tar gtar bsdtar",
        "shows archives",
        checks=_TAR_CHECKS,
        values="-f -X -C --file --exclude --directory",
        runs=(
            "-I -F --use-compress-program --to-command --rsh-command --info-script"
            " --new-volume-script"
        ),
    ),
    Program(
        "zip",
        "shows",
        checks=(Check("zip.move", "deletes", "deletes the files that it packs"),),
        values="-x -i",
        runs="-TT --unzip-command",
    ),
    Program("unzip unrar gunzip bunzip2 unxz"),
    Program("7z 7za", "shows", checks=_7Z_CHECKS, values="-x -i", saves="-o"),
    Program("7zz", "shows", checks=_7Z_CHECKS, saves="-o"),
    Program("rar gzip zstdcat zmore bzip2 xz zstd lz4 pax", "shows"),
    Program("zcat gzcat bzcat xzcat", "shows prints-file plain"),
    Program("zless", "shows plain"),
    Program("cpio", "shows", saves="-D --directory"),
)
