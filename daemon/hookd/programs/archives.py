"""Archives and compression: tar, zip, 7z, gzip, cpio, ..."""

from hookd.programs.model import Program

PROGRAMS = (
    Program(
        "tar gtar bsdtar",
        "shows archives",
        values="-f -X -C --file --exclude --directory",
        runs=(
            "-I -F --use-compress-program --to-command --rsh-command --info-script"
            " --new-volume-script"
        ),
    ),
    Program("zip", "shows", values="-x -i", runs="-TT --unzip-command"),
    Program("unzip unrar gunzip bunzip2 unxz"),
    Program("7z 7za", "shows", values="-x -i", saves="-o"),
    Program("7zz", "shows", saves="-o"),
    Program("rar gzip zstdcat zmore bzip2 xz zstd lz4 pax", "shows"),
    Program("zcat gzcat bzcat xzcat", "shows prints-file plain"),
    Program("zless", "shows plain"),
    Program("cpio", "shows", saves="-D --directory"),
)
