"""Programs for files and folders: cp, mv, ln, rsync, dd, chmod, ls, ..."""

from hookd.programs.model import Program

PROGRAMS = (
    Program("cp gcp", "copies copies-files"),
    Program("mv gmv ln gln", "copies links replaces"),
    Program("link", "links replaces is-subcommand"),
    Program(
        "install",
        "copies copies-files replaces is-subcommand",
        values="-m -o -g --mode --owner --group",
    ),
    Program("ginstall", "copies", values="-m -o -g --mode --owner --group"),
    Program(
        "rsync",
        "copies replaces",
        values="-e -f --rsh --exclude --include --filter --files-from",
        opens="--log-file --backup-dir --partial-dir -T --temp-dir",
        runs="-e --rsh",
    ),
    Program("scp", "copies", values="-i -P -F -J -c -l -o -S", runs="-S"),
    Program("sftp", "may-run sends", runs="-S"),
    Program(
        "touch mktemp fallocate sponge patch chflags xattr la md5 sha384sum open xdg-open",
        "prints-nothing",
    ),
    Program("mkdir", "prints-nothing makes-folders changes-in-place"),
    Program("mkfifo", "changes-in-place"),
    Program("mknod dd dcfldd gdd gtee gchmod gchown gchgrp icacls"),
    Program("rename prename file-rename mmv zmv qmv", "renames"),
    Program("tee", "repeats prints-nothing takes-text"),
    Program("split", "shows", runs="--filter"),
    Program("csplit", "shows", saves="-f --prefix"),
    Program(
        "chmod chown chgrp chattr setfacl",
        "prints-nothing sets-modes changes-in-place changes-tree",
    ),
    Program("setfattr", "changes-tree"),
    Program(
        (
            "getfacl ll lsd stat file du df ncdu md5sum sha1sum sha224sum sha256sum sha512sum"
            " shasum b2sum cksum sum"
        ),
        "prints-nothing plain",
    ),
    Program("lsattr mdfind", "plain"),
    Program("ls", "prints-words prints-nothing prints-names plain takes-text"),
    Program("exa eza tree realpath readlink", "prints-nothing plain takes-text"),
    Program("basename dirname", "prints-words prints-nothing plain takes-text"),
    Program("locate", "prints-nothing prints-names plain takes-text"),
)
